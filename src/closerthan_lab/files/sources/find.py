"""Find the source of a file: by its name, or because it recognizes the file."""

from functools import cache
from pathlib import Path

from closerthan.discovery import added
from closerthan_lab.files.columns import Header, plain
from closerthan_lab.files.sources.jspsych import JsPsych
from closerthan_lab.files.sources.meadows import Meadows
from closerthan_lab.files.sources.next import Next
from closerthan_lab.files.sources.psiz import Psiz
from closerthan_lab.files.sources.psychopy import PsychoPy
from closerthan_lab.files.sources.salmon import Salmon
from closerthan_lab.files.sources.source import Source
from closerthan_lab.files.sources.spose import Spose
from closerthan_lab.files.sources.three_choices import ThreeChoices
from closerthan_lab.files.sources.triplet_tools import TripletTools

TABLE = "table"  # the name for a file that is read by the names of its columns alone
_OWN = (JsPsych, Meadows, Next, Psiz, PsychoPy, Salmon, Spose, ThreeChoices, TripletTools)


@cache
def _sources():
    """Return all sources by name; closerthan's own one is taken if names clash."""
    others = {entry.name: entry.load()() for entry in added(__package__)}
    return others | {kind.name: kind() for kind in _OWN}


def source_names() -> list[str]:
    """Return the names that `read_answers` takes as `source`.

    Examples
    --------
    >>> source_names()
    ['jspsych', 'meadows', 'next', 'psiz', 'psychopy', 'salmon', 'spose', 'three-choices',
     'triplet-tools', 'table']
    """
    return [*sorted(_sources()), TABLE]


def find_source(header: Header, path: Path, name: str | Source | None = None) -> Source | None:
    """Return the source with a name, or the one that recognizes the file, or None.

    A `Source` in place of a name is returned unchanged.
    Raise a ValueError if the name is unknown or if several sources recognize the file.
    """
    if isinstance(name, Source):
        return name
    if name == TABLE:
        return None
    if name is not None:
        if name not in _sources():
            raise ValueError(f"source={name!r}; it must be one of {', '.join(source_names())}")
        return _sources()[name]
    titles = {plain(title) for title in header.titles}
    found = [source for source in _sources().values() if source.recognizes(titles, path)]
    if len(found) > 1:
        names = " or ".join(f"source={source.name!r}" for source in found)
        raise header.error(f"this may be a file of several programs; give {names}")
    return found[0] if found else None
