"""Difference scaling: which of two pairs differs more, for stimuli that vary in one way."""

import warnings

import numpy as np

from closerthan._core.validation import check_word
from closerthan.comparisons.forms.alternatives import from_responses
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan.datasets.registry import import_extra
from closerthan_lab.datasets.registered import describe, reader

# The data frames, by name of the data set.
SETS = {
    "mlds_autumn_lab": "AutumnLab",
    "mlds_transparency": "Transparency",
    "mlds_kk1": "kk1",
    "mlds_kk2": "kk2",
    "mlds_kk3": "kk3",
    "mlds_kktriad": "kktriad",
}
_CLASSES = ("mlds.df", "mlbs.df", "data.frame")  # of data frames in R


def load_mlds(
    name: str, *, mirror: Place = None, cache: Place = None, offline: bool = False
) -> Dataset:
    """Load a data set of the R package MLDS: which of two pairs of stimuli differs more.

    The stimuli vary in one physical quantity, and are numbered from the lowest level. In
    ``"mlds_kktriad"`` the two pairs share a stimulus, so an answer is a triplet. In all others, an
    answer is a quadruplet. If there is only one observer, the participant is called O1.

    The data set has ``answers``, one screen per question, with participants; ``features``, shape
    (n, 1), the physical levels of the stimuli, in rising order.

    Parameters
    ----------
    name : str
        ``"mlds_autumn_lab"`` (the compression of an image), ``"mlds_transparency"`` (the refractive
        index of a transparent object; six observers), ``"mlds_kk1"``, ``"mlds_kk2"``,
        ``"mlds_kk3"`` or ``"mlds_kktriad"`` (the correlation of a scatter plot).
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    K. Knoblauch and L. T. Maloney, MLDS: Maximum likelihood difference scaling in R, Journal of
    Statistical Software 25(2), 2008.
    L. T. Maloney and J. N. Yang, Maximum likelihood difference scaling, Journal of Vision 3(8),
    2003.
    """
    check_word("name", name, SETS)
    read = reader(name, mirror, cache, offline)
    frame = SETS[name]
    ranks, responses, observers, levels = parse_frame(read(f"{frame}.rda"), frame)
    if ranks.shape[1] == 3:
        ranks = ranks[:, [1, 0, 2]]  # the stimulus in both pairs is the anchor
    # A response of 1 says that the second pair differs more: the first pair is the closer one.
    answers = from_responses(ranks, 2 * responses - 1, participant=observers)
    return describe(name, len(levels), answers=answers, features=levels[:, None])


def parse_frame(content, frame):
    """Return ranks from 0, (n, 3 or 4), responses (1: the second pair), observers, levels."""
    columns, attributes = _read_frame(content, frame)
    ranks = np.column_stack([columns[name] for name in columns if name.startswith("S")])
    responses = columns["resp"].astype(np.int64)
    observers = columns.get("Obs", np.repeat("O1", len(ranks)))
    return ranks.astype(np.int64) - 1, responses, observers, attributes["stimulus"].astype(float)


def _read_frame(content, frame):
    """Return the columns of a frame in an R file, and its attributes; a factor becomes text."""
    rdata = import_extra("rdata")
    constructors = dict.fromkeys(_CLASSES, lambda columns, attributes: (columns, attributes))
    constructors["factor"] = rdata.conversion.factor_constructor
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes for which it has no constructor
        parsed = rdata.parser.parse_data(content)
        found = rdata.conversion.convert(parsed, constructors, default_encoding="ascii")
    columns, attributes = found[frame]
    return {str(name): _to_array(column) for name, column in columns.items()}, attributes


def _to_array(column):
    if isinstance(column, np.ndarray):
        return column.astype(float)
    return np.asarray(column, dtype=object).astype(str)  # the categories of a factor
