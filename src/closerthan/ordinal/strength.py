"""How strong a penalty should be: chosen on comparisons that are held out for it."""

import numpy as np

from closerthan._core.vectors import pad
from closerthan.comparisons.answers import Answers, hash_numbers, number_pairs
from closerthan.comparisons.check import pair_columns
from closerthan.optimize.lapse import LapsingObjective, with_lapses
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.objective import Objective
from closerthan.optimize.trace import Trace
from closerthan.ordinal.start import spread

# From weak to strong: a dimension that a strong penalty has emptied does not come back.
STRENGTHS = 10.0 ** np.arange(-3.0, 1.1, 0.5)
_PARTS = 5  # one of which is held out
_LEAST = 10  # comparisons held out
_ENOUGH = 25  # comparisons a coordinate: of more a part is fitted
_FIRST, _EPOCHS = 30, 10  # from the start, and from the points before
_WORSE = 1.25  # times the least error: what is stronger is too strong


def hold_out(comparisons, given, rng, weights=None):
    """Return for each comparison whether it is held out: about a fifth, by question.

    Parameters
    ----------
    comparisons : ndarray of shape (n, 3) or (n, 4)
        Checked.
    given : Answers or array-like
        What the user gave: of answers whole screens are held out, and all that ask the same.
    rng : Generator
    weights : ndarray of shape (n,), optional
        Those of weight zero do not count.

    Raises
    ------
    ValueError
        If too few would be held out or left.
    """
    if isinstance(given, Answers):
        question = given.question[given.screen].astype(np.uint64)
    else:
        i, j, l, k = pair_columns(comparisons).astype(np.int64)
        n = int(comparisons.max()) + 1
        near, far = number_pairs(i, j, n), number_pairs(l, k, n)
        question = hash_numbers(near) + hash_numbers(far)  # the same whatever the answer
    held = hash_numbers(question + rng.integers(2**63, dtype=np.uint64)) % np.uint64(_PARTS) == 0
    counting = held if weights is None else held[weights > 0]
    if min(counting.sum(), (~counting).sum()) < _LEAST:
        what = "comparisons" if weights is None else "comparisons with weight"
        raise ValueError(
            f"strength='auto': of {len(counting)} {what} {counting.sum()} would be held out, and "
            f"{_LEAST} are needed; give some {_LEAST * _PARTS} answers to different questions, or "
            "a number as strength"
        )
    return held


def part_to_fit(held, weights, sizes):
    """Return rows that are not held out, and how much more all comparisons weigh than they do.

    They are some 25 for each coordinate of the points, if there are more. A penalty is to the sum
    of the losses as a prior is to a likelihood: beside fewer comparisons, and so beside their mean,
    it has as much more weight as they are fewer.

    Parameters
    ----------
    held : ndarray of bool, shape (n,)
    weights : ndarray of shape (n,), or None
        Rows of weight zero are left out.
    sizes : (int, int)
        The shape of the points.
    """
    weights = np.ones(len(held)) if weights is None else weights
    rows = np.flatnonzero(~held & (weights > 0))
    rows = rows[spread(len(rows), _ENOUGH * sizes[0] * sizes[1])]
    return rows, weights.sum() / weights[rows].sum()


def follow_path(loss, comparisons, held, weights, penalty, start, sizes, lapse=0.0):
    """Fit with more and more of a penalty, each time from the points before.

    What is fitted is a part of the comparisons, see `part_to_fit`.

    Parameters
    ----------
    loss : Loss
    comparisons : ndarray of shape (n, 3) or (n, 4)
    held : ndarray of bool, shape (n,)
        Which are held out.
    weights : ndarray of shape (n,), or None
    penalty : Penalty
    start : ndarray of shape (n_objects, n_components)
    sizes : (int, int)
        The shape of the points.
    lapse : float, optional
        Rate of lapses; None: that which is likeliest with each strength.

    Returns
    -------
    path : DataFrame
        The columns strength and error, that of the comparisons held out, a row each. It is the
        share that is missed; where there are lapses, the log loss, as a strength that draws points
        together changes probabilities before it changes answers.
    strength : float
        That with the least error; of several the weakest.
    points : ndarray
        Those fitted with it.
    """
    import pandas as pd  # here, as what chooses nothing needs neither this nor scores

    from closerthan.scores.embedding import triplet_error
    from closerthan.scores.probability import log_loss

    fitted, more = part_to_fit(held, weights, sizes)
    own = (None, None) if weights is None else (weights[fitted], weights[held])
    objective = LapsingObjective(loss, comparisons[fitted], *sizes, own[0], penalty=penalty)
    if lapse != 0:
        objective.allow(lapse)

    def error_of(points):
        if lapse == 0:
            return triplet_error(points, comparisons[held], sample_weight=own[1])
        objective.value(pad(points))  # so that the rate is theirs
        losses = Objective(loss, comparisons[held], *sizes).losses(pad(points))
        probability = with_lapses(np.exp(-losses), objective.lapse)
        return log_loss(probability, comparisons[held], sample_weight=own[1])

    rows, points, best = [], start, None
    for strength in STRENGTHS:
        objective.strength = strength * more
        trace = Trace(objective, _EPOCHS if rows else _FIRST, tol=0.0)
        points = objective.points(LBFGS().minimize(objective, pad(points), trace, None))
        error = error_of(points)
        rows.append((float(strength), error))
        if best is None or error < best[0]:
            best = error, float(strength), points.copy(), len(rows)
        elif error > _WORSE * best[0]:
            break
    return pd.DataFrame(rows, columns=["strength", "error"]), best[1], best[2]
