"""Faces: people's triplets over 36 photographs, and how long each answer took."""

import numpy as np

from closerthan.comparisons.answers import Answers
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import parse_columns, refuse, to_integers
from closerthan.files.faults import shown

N_OBJECTS = 36
N_ROWS = 39_468
FILE = "cfd36_triplets_individual.csv"
COLUMNS = [
    "head", "winner", "loser", "worker_id", "rt", "Center", "Left", "Right", "Answer", "sampleAlg",
    "sampleSet",
]  # fmt: skip

# How questions were chosen, and to which part of a split their authors gave them.
_SAMPLES = {("random", "train"), ("random", "test"), ("validation", "train"), ("check", "NA")}


@loader("cfd36")
def load_cfd36(*, read) -> Dataset:
    """Load 37,234 triplets over 36 photographs of faces, "i is more similar to j than to k".

    39 people chose which of two faces is more similar to a third. Among their 1,012 answers each,
    44 to 72 are checks of attention, where one of the two is the third itself: these are dropped.

    Returns
    -------
    Dataset
        ``answers``, a triplet a screen, with participant and time; ``object_names``, shape (36,),
        the photographs' names in the Chicago Face Database.

    References
    ----------
    Knowledge and Concepts Lab, University of Wisconsin-Madison, R package tripletTools.
    D. S. Ma, J. Correll and B. Wittenbrink, The Chicago face database: a free stimulus set of faces
    and norming data, Behavior Research Methods, 2015.
    """
    triplets, checks, workers, seconds, names = parse_answers(read(FILE))
    kept = ~checks
    return describe(
        "cfd36",
        N_OBJECTS,
        dropped=[
            f"{checks.sum()} of {len(checks)} answers to checks of attention, "
            "where one of the two faces is the third itself"
        ],
        answers=Answers(triplets[kept], participant=workers[kept], time=seconds[kept]),
        object_names=names,
    )


def parse_answers(content, *, n_rows=N_ROWS, n_objects=N_OBJECTS):
    """Parse ``cfd36_triplets_individual.csv``, checks of attention too.

    Returns
    -------
    triplets : ndarray of int, shape (n_rows, 3)
    checks : ndarray of bool, shape (n_rows,)
        Where one of the two faces is the third itself.
    workers : ndarray of int, shape (n_rows,)
    seconds : ndarray of shape (n_rows,)
    names : ndarray of str, shape (n_objects,)
    """
    columns = parse_columns(content, FILE, COLUMNS, n_rows)
    head, winner, loser = (
        to_integers(columns, name, FILE, 0, n_objects - 1) for name in ("head", "winner", "loser")
    )
    workers = to_integers(columns, "worker_id", FILE, 0)
    milliseconds = to_integers(columns, "rt", FILE, 0)
    names = _names(columns, head, winner, loser, n_objects)
    checks = _find_checks(columns, head, winner, loser)
    return np.column_stack([head, winner, loser]), checks, workers, milliseconds / 1000, names


def _names(columns, head, winner, loser, n_objects):
    """Return the name of each photograph, after checking that all rows agree on it."""
    center, left, right, answer = (
        np.array(columns[name]) for name in ("Center", "Left", "Right", "Answer")
    )
    known, first = np.unique(head, return_index=True)
    refuse(
        ~np.isin(np.arange(n_objects), known),
        lambda i: f"{FILE}: no row has the head {i}, expected each from 0 to {n_objects - 1}",
    )
    names = center[first]
    refuse(
        center != names[head],
        lambda row: (
            f"{FILE}: row {row + 2}: Center is {shown(columns['Center'][row])}, "
            f"expected {shown(names[head[row]])}, the name of {head[row]} in row "
            f"{first[head[row]] + 2}"
        ),
    )
    refuse(
        names[1:] <= names[:-1],
        lambda i: (
            f"{FILE}: {i} and {i + 1} are called {shown(names[i])} and {shown(names[i + 1])}, "
            "expected names in alphabetical order"
        ),
    )
    first_won = (left == names[winner]) & (right == names[loser])
    second_won = (left == names[loser]) & (right == names[winner])
    refuse(
        ~(first_won | second_won),
        lambda row: (
            f"{FILE}: row {row + 2}: Left and Right are {shown(columns['Left'][row])} and "
            f"{shown(columns['Right'][row])}, expected {shown(names[winner[row]])} and "
            f"{shown(names[loser[row]])}, the names of winner and loser, in either order"
        ),
    )
    refuse(
        answer != names[winner],
        lambda row: (
            f"{FILE}: row {row + 2}: Answer is {shown(columns['Answer'][row])}, "
            f"expected {shown(names[winner[row]])}, the name of the winner"
        ),
    )
    return names


def _find_checks(columns, head, winner, loser):
    samples = list(zip(columns["sampleAlg"], columns["sampleSet"], strict=True))
    refuse(
        np.array([sample not in _SAMPLES for sample in samples]),
        lambda row: (
            f"{FILE}: row {row + 2}: sampleAlg and sampleSet are {shown(samples[row])}, "
            f"expected one of {', '.join(map(str, sorted(_SAMPLES)))}"
        ),
    )
    checks = np.array([algorithm == "check" for algorithm, _ in samples])
    shown_itself = (winner == head) | (loser == head)
    refuse(
        (winner == loser) | (shown_itself != checks),
        lambda row: (
            f"{FILE}: row {row + 2}: head, winner and loser are "
            f"{head[row]}, {winner[row]} and {loser[row]}, expected "
            + ("the head and another one" if checks[row] else "three different ones")
            + f" where sampleAlg is {samples[row][0]!r}"
        ),
    )
    return checks
