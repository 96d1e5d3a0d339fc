"""Find the source of a file by its name or because it recognizes the file; let it translate."""

import re
from pathlib import Path

import pandas as pd

from closerthan._core.shown import shown, shown_list
from closerthan_lab.files.cells import of_any
from closerthan_lab.files.columns import OTHERS, Header, meaning_of, plain
from closerthan_lab.files.doubts import kinds_of
from closerthan_lab.files.sources.jspsych import JsPsych
from closerthan_lab.files.sources.programs import RENAMED, Spose, refused
from closerthan_lab.files.sources.psychopy import PsychoPy
from closerthan_lab.files.sources.source import Rows, Source

TABLE = "table"  # the name for a file that is read by the names of its columns alone
_SOURCES = {source.name: source for source in (JsPsych(), PsychoPy(), Spose(), *RENAMED)}


def source_names() -> list[str]:
    """Return the names that `read_answers` takes as `source`.

    Examples
    --------
    >>> source_names()
    ['jspsych', 'next', 'psychopy', 'salmon', 'spose', 'three-choices', 'triplet-tools', 'table']
    """
    return [*sorted(_SOURCES), TABLE]


def find_source(header: Header, path: Path, name: str | Source | None = None) -> Source | None:
    """Return the source with a name, or the one that recognizes the file, or None.

    A `Source` in place of a name is returned unchanged.
    Raise a ValueError if the name is unknown or if several sources recognize the file.
    """
    if name is not None:
        known = {**_SOURCES, TABLE: None}
        if not isinstance(name, Source) and name not in known:
            raise ValueError(f"source={name!r}; it must be one of {', '.join(source_names())}")
        return name if isinstance(name, Source) else known[name]
    titles = {plain(title) for title in header.titles}
    found = [source for source in _SOURCES.values() if source.recognizes(titles, path)]
    if len(found) > 1:
        names = " or ".join(f"source={source.name!r}" for source in found)
        raise header.error(f"this may be a file of several programs; give {names}")
    reason = None if found else refused(titles, path)
    if reason:
        raise header.error(reason)
    return found[0] if found else None


def translated(source, header, frame, form, words):
    """Return the header and the table of rows that a source makes of a file.

    `words` are the user's words for places on the screen; a source removes those that it heeds.
    """
    titles = [plain(title) for title in header.titles] if source.has_header else frame.columns
    lines = frame.index.to_numpy()
    frame = frame.astype(object).set_axis(titles, axis="columns").reset_index(drop=True)
    frame = frame.loc[:, ~frame.columns.duplicated()]  # the first of two of one name is used
    rows = Rows(frame.where(frame.notna(), ""), header.faults, lines, form, words)
    table = _translate(source, rows, header.own)
    if table.empty:
        header.faults.finish(header.faults.n)
        raise header.faults.nothing_left(f"no row is an answer, as {source.title} writes them")
    cells = {place: of_any(table[title]) for place, title in enumerate(table)}
    return Header(list(table), header.faults), pd.DataFrame(cells, lines[table.index])


def _with_kinds(table, frame, faults):
    """Return a table of answers with the kinds that columns of the file tell."""
    kinds, used = kinds_of(frame, {t: t for t in frame if meaning_of(t) == "kind"}, faults)
    if not used:
        return table
    known = table.get("kind", pd.Series("", table.index, object))
    return table.assign(kind=known.mask(known == "", kinds))


def _translate(source, rows, own):
    """Return what a source makes of rows, with the user's columns."""
    if rows.frame.empty:
        raise rows.faults.error("a header without answers; give at least one answer")
    try:
        table = source.translate(rows)
        if source.has_header and "kind" not in own:
            table = _with_kinds(table, rows.frame.loc[table.index], rows.faults)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        what = f"{type(error).__name__}: {error}"
        if isinstance(error, KeyError):
            missing = re.findall(r"'([^']+)'", str(error))
            what = f"it lacks {shown_list(missing)}"
        what = f"a file of {source.title}? it has another structure ({what})"
        raise rows.faults.error(f"{what}; source='table' reads it by its column names") from None
    except ValueError as error:
        if own.keys() <= OTHERS.keys():
            raise
        end = "to read it as a table by your columns=, name all columns of a form there"
        raise type(error)(f"{error}; {end}") from None
    for meaning, name in own.items():
        if name is None:
            table = table.drop(columns=meaning, errors="ignore")
        elif isinstance(name, str) and plain(name) in rows.frame:
            table = table.assign(**{meaning: rows.frame[plain(name)]})
        else:
            end = f"(columns= names it); a file of {source.title} takes one for each"
            raise rows.faults.error(f"there is no column {shown(name)} {end}")
    return table
