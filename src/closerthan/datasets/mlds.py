"""Difference scaling: which of two pairs differs more, of stimuli that vary in one way only."""

from typing import NamedTuple

import numpy as np

from closerthan.comparisons.check import find_fault
from closerthan.comparisons.forms.alternatives import from_responses
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.rda import read_frame
from closerthan.datasets.tables import refuse
from closerthan.files.faults import shown

_TRIADS = ("S1", "S2", "S3")
_QUADRUPLETS = ("S1", "S2", "S3", "S4")
_CLASSES = ("mlds.df", "mlbs.df", "data.frame")


class _Set(NamedTuple):
    frame: str
    n_answers: int
    n_objects: int
    ranks: tuple = _QUADRUPLETS
    n_observers: int = 1


SETS = {
    "mlds_autumn_lab": _Set("AutumnLab", 210, 10),
    "mlds_transparency": _Set("Transparency", 2520, 10, n_observers=6),
    "mlds_kk1": _Set("kk1", 330, 11),
    "mlds_kk2": _Set("kk2", 330, 11),
    "mlds_kk3": _Set("kk3", 330, 11),
    "mlds_kktriad": _Set("kktriad", 165, 11, _TRIADS),
}


@loader(*SETS)
def load_mlds(name: str, *, read) -> Dataset:
    """Load a data set of the R package MLDS: which of two pairs of stimuli differs more.

    The stimuli vary in one physical quantity, and are numbered from the lowest level. In
    ``"mlds_kktriad"`` the two pairs share a stimulus, so that an answer is a triplet; in the others
    it is a quadruplet. Where there is one observer, the participant is called O1.

    Parameters
    ----------
    name : str
        ``"mlds_autumn_lab"`` (the compression of an image), ``"mlds_transparency"`` (the refractive
        index of a transparent object; six observers), ``"mlds_kk1"``, ``"mlds_kk2"``,
        ``"mlds_kk3"`` or ``"mlds_kktriad"`` (the correlation of a scatter plot).

    Returns
    -------
    Dataset
        ``answers``, a screen for each question, with participants; ``features``, shape (n, 1), the
        physical levels of the stimuli, in rising order.

    References
    ----------
    K. Knoblauch and L. T. Maloney, MLDS: Maximum likelihood difference scaling in R, Journal of
    Statistical Software 25(2), 2008.
    L. T. Maloney and J. N. Yang, Maximum likelihood difference scaling, Journal of Vision 3(8),
    2003.
    """
    file = f"{SETS[name].frame}.rda"
    ranks, responses, observers, levels = parse_frame(read(file), file, SETS[name])
    if ranks.shape[1] == 3:
        ranks = ranks[:, [1, 0, 2]]  # the stimulus in both pairs is the anchor
    # A response of 1 says that the second pair differs more: the first is the closer one.
    answers = from_responses(ranks, 2 * responses - 1, participant=observers)
    return describe(name, len(levels), answers=answers, features=levels[:, None])


def parse_frame(content, file, expected):
    """Parse the data frame of one data set.

    Parameters
    ----------
    content : bytes
    file : str
        Its name, for errors.
    expected : tuple
        The name of the frame, the numbers of its answers and stimuli, the columns with the ranks
        of the stimuli, and the number of observers, as in `SETS`.

    Returns
    -------
    ranks : ndarray of int, shape (n_answers, 3) or (n_answers, 4)
        Of the stimuli, in the order of the columns, from 0.
    responses : ndarray of int, shape (n_answers,)
        1 where the second pair differs more, 0 where the first does.
    observers : ndarray of str, shape (n_answers,)
    levels : ndarray of shape (n_objects,)
    """
    columns, attributes = read_frame(content, expected.frame, file, classes=_CLASSES)
    names = ["resp", *expected.ranks, *(["Obs"] if expected.n_observers > 1 else [])]
    if list(columns) != names:
        raise ValueError(f"{file}: has the columns {shown(list(columns))}, expected {names}")
    lengths = {len(column) for column in columns.values()}
    if lengths != {expected.n_answers}:
        raise ValueError(f"{file}: has {max(lengths)} rows, expected {expected.n_answers}")
    ranks = np.column_stack([columns[name] for name in expected.ranks])
    _check_column(file, "resp", columns["resp"], [0, 1])
    for name in expected.ranks:
        _check_column(file, name, columns[name], range(1, expected.n_objects + 1))
    fault = find_fault(ranks[:, [1, 0, 2]] if ranks.shape[1] == 3 else ranks)
    if fault:
        raise ValueError(f"{file}: row {fault[0] + 1}: {fault[1]}")
    known = [f"O{number}" for number in range(1, expected.n_observers + 1)]
    observers = columns.get("Obs", np.repeat("O1", expected.n_answers))
    _check_column(file, "Obs", observers, known)
    levels = _check_levels(attributes.get("stimulus"), expected.n_objects, file)
    return ranks.astype(np.int64) - 1, columns["resp"].astype(np.int64), observers, levels


def _check_column(file, name, column, allowed):
    refuse(
        ~np.isin(column, list(allowed)),
        lambda row: (
            f"{file}: row {row + 1}, {name} is {column[row]}, expected one of "
            f"{', '.join(map(str, allowed))}"
        ),
    )


def _check_levels(levels, n_objects, file):
    found = levels.tolist() if isinstance(levels, np.ndarray) else levels
    are_numbers = isinstance(levels, np.ndarray) and levels.dtype.kind in "if"
    levels = np.ma.filled(levels.astype(float), np.nan) if are_numbers else np.empty(0)
    rise = np.isfinite(levels).all() and (np.diff(levels) > 0).all()
    if levels.shape != (n_objects,) or not rise:
        raise ValueError(
            f"{file}: stimulus is {shown(found)}, expected {n_objects} levels that rise"
        )
    return levels
