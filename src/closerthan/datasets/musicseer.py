"""MusicSeer: people's raw answers on which artist is more similar to another than a third."""

import numpy as np
import pandas as pd

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.check import hold_twice
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.fetch import Place, reader

_RESULTS, _NAMES = "musicseer-results-2002-10-15.txt", "musician_names.txt"
_COLUMNS = ["judgment", "part", "user", "anchor", "nearer", "farther"]


def load_musicseer(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load the answers of MusicSeer, a survey on the Internet, 2002.

    The music data (`load_music`) are answers of this survey without those that contradict others.
    Nobody of this project has seen the file. The form is what cblearn 0.3 assumes: lines of a
    judgment, S (survey) or G (game), a user, and three artists, the nearer before the farther. The
    lines of one judgment are one screen. Other lines are dropped, and counted in ``info``.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    Returns
    -------
    Dataset
        ``answers``, with participants; ``object_names``, shape (413,), the artists.

    References
    ----------
    D. P. W. Ellis et al., The quest for ground truth in musical artist similarity, ISMIR 2002.
    """
    read = reader("musicseer", mirror, cache, offline)
    names, answers, dropped = _parse(read(_RESULTS), read(_NAMES))
    return describe("musicseer", len(names), dropped=dropped, answers=answers, object_names=names)


def _parse(results, names):
    """Return the names of the artists, in the order of their ids, the `Answers`, and the dropped.

    Examples
    --------
    >>> results = b"7 S ann 30 10 20\\n7 S ann 30 10\\n9 G bob 10 20 30\\n"
    >>> names, answers, dropped = _parse(results, b"abba 20\\nu2 10\\nthe_who 30\\n")
    >>> names.tolist(), answers.comparisons.tolist(), answers.participant.tolist()
    (['u2', 'abba', 'the_who'], [[2, 0, 1]], ['ann'])
    >>> dropped
    ['1 of 3 lines of another form', '0 of 1 triplets that name an artist twice or none']
    """
    artists = [line.split() for line in names.decode().splitlines()]
    artists = sorted((int(number), name) for name, number in artists)
    ids = pd.Index([number for number, _ in artists])
    rows = [line.split() for line in results.decode().splitlines()]
    whole = pd.DataFrame([row for row in rows if len(row) == len(_COLUMNS)], columns=_COLUMNS)
    here = whole[whole["part"] == "S"].sort_values("judgment", kind="stable")
    triplets = ids.get_indexer(here[_COLUMNS[3:]].astype(int).to_numpy().ravel()).reshape(-1, 3)
    kept = ~hold_twice(triplets) & (triplets >= 0).all(axis=1)
    screen = pd.factorize(here["judgment"][kept])[0]
    first = np.unique(screen, return_index=True)[1]
    participant = here["user"][kept].to_numpy(dtype=str)[first]
    dropped = [
        f"{len(rows) - len(whole)} of {len(rows)} lines of another form",
        f"{(~kept).sum()} of {len(kept)} triplets that name an artist twice or none",
    ]
    answers = Answers(triplets[kept], screen=screen, participant=participant)
    return np.array([name for _, name in artists]), answers, dropped
