"""Mini-batch stochastic gradient descent, which gets close to a minimum in a few epochs."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan._core.calls import fill_slopes, fill_values
from closerthan._core.compiled import compiled
from closerthan._core.validation import check_number
from closerthan._core.vectors import FOUR, add_differences, distances_of_four
from closerthan.optimize.objective import Objective
from closerthan.optimize.trace import Trace
from closerthan.penalties import SHRINK_EVERY, shrink

_LARGEST = 128  # comparisons in a mini-batch
_PIECES = 64  # pieces of a run; after each, the loss is checked for a rise
_PIECE = 2**22  # largest piece in comparisons, so that an interrupt is noticed in time
_SAMPLE = 4096  # comparisons to measure the slopes at the start
# Steps are too large if the loss exceeds this factor times the loss at the start, or times the loss
# of coinciding points if that is larger.
_RISE = 1.2
_STEEPEST = 0.1  # share of the slopes at the start; smaller slopes do not make steps larger
_SMALLEST = 1e-9  # smallest step to try, as a share of the first
_EPOCHS = 100


class MiniBatchSGD(BaseEstimator):
    """Stochastic gradient descent on mini-batches of shuffled comparisons.

    The comparisons are shuffled once. A step moves the objects of an average comparison by a share
    of their difference. This share falls geometrically over the epochs (see `schedule`). If the
    loss rises, the last steps are undone and all later steps are halved.

    Parameters
    ----------
    step_size : float, default 0.15
        The share at the start: how far a step moves the objects, relative to their difference.

    References
    ----------
    Bottou, Curtis and Nocedal, Optimization methods for large-scale machine learning, SIAM Review
    2018.

    Examples
    --------
    >>> from closerthan import OrdinalEmbedding
    >>> line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> OrdinalEmbedding(1, solver=MiniBatchSGD(), random_state=0).fit(line).score(line)
    1.0
    """

    def __init__(self, step_size: float = 0.15):
        self.step_size = step_size

    def minimize(
        self, objective: Objective, X: np.ndarray, trace: Trace, rng: np.random.Generator
    ) -> np.ndarray:
        """Move the padded points X close to a minimum; see `closerthan.optimize`."""
        check_number("MiniBatchSGD: step_size", self.step_size, positive=True)
        objective.shuffle(rng)
        n = objective.n_comparisons
        size = min(max(objective.n_objects // FOUR, 2) * FOUR, _LARGEST)
        epochs, least = schedule(objective, trace.budget)
        decay = least ** (1.0 / (epochs * n))  # of one comparison
        piece = min(max(epochs * n // (_PIECES * size), 16) * size, _PIECE)
        room, found = tuple(np.zeros((4, size))), np.empty(2)

        def run(first, last, step):
            """Run over some comparisons; return their mean loss and root mean square slope."""
            loss = objective.values, objective.slopes, objective.parameter
            data = objective.comparisons, objective.weights, first, last
            penalty, axes, rates = objective.penalty_rates(X)
            how = step, decay**size, axes, rates
            _run_batches(loss, X, *data, *how, objective.vectors, room, found)
            found[0] += penalty
            return found

        # All comparisons if they have weights, because a sample could have hardly any weight.
        spent = n if objective.weights.size else min(n, _SAMPLE)
        loss, steepest = run(0, spent, 0.0)
        if not (np.isfinite(loss) and steepest > 0.0):
            trace(X, spent, self.step_size, loss)
            return X
        (together,) = objective.loss.values([0.0], [0.0], objective.n_components)
        ceiling, slope = _RISE * max(loss, together), steepest
        share = self.step_size
        # The points after the last piece without a rise, and after the one before it.
        newer, older = X.copy(), X.copy()
        for epoch in range(epochs):
            total, first = 0.0, 0
            while first < n:
                last = min(first + piece, n)
                loss, new_slope = run(first, last, share * decay ** (epoch * n + first) / slope)
                spent += last - first
                if loss <= ceiling and np.isfinite(new_slope):
                    older, newer = newer, older
                    newer[:] = X
                    slope = max(new_slope, _STEEPEST * steepest)
                    total += loss * (last - first)
                    first = last
                else:
                    # Undo the last piece without a rise, too, because it may have gone wrong. Only
                    # the comparisons of the present piece are seen again in this epoch.
                    X[:], newer[:] = older, older
                    share, slope = share / 2, steepest
                    if share < self.step_size * _SMALLEST:
                        trace(X, spent, share)
                        return X
            if trace(X, spent, share * decay ** (epoch * n + n), total / n):
                return X
        return X


def schedule(objective, budget, passes=3):
    """Return the number of epochs of a stochastic solver, and its last step relative to the first.

    The number of epochs gives each object 200 comparisons plus 150 per component (with repeats),
    and each comparison a few passes. It is at most 100 and at most the budget. The last step,
    relative to the first, is 30 divided by the number of comparisons per object, at most 1.
    """
    n, n_objects = objective.n_comparisons, objective.n_objects
    wanted = max(passes * n, (200 + 150 * objective.n_components) * n_objects)
    epochs = max(min(-(-wanted // n), _EPOCHS, budget // n), 1)
    return epochs, min(30 * n_objects / (epochs * n), 1.0)


@compiled
def _run_batches(
    loss, X, comparisons, weights, first, last, step, decay, axes, rates, vectors, room, found
):
    """Move X by mini-batch gradient steps on some comparisons, and by steps on a penalty.

    Write the mean loss and the root mean square of the slopes to `found`.
    """
    values, slopes, parameter = loss
    a, b, da, db = room
    total = squares = weight = time = 0.0
    shrunk = first
    for start in range(first, last, a.size):
        count = min(a.size, last - start)
        for t in range(0, count, FOUR):
            distances_of_four(X, comparisons, start + t, a, b, t, vectors)
        fill_values(values, a, b, parameter, da)
        for t in range(count):
            w = weights[start + t] if weights.size else 1.0
            weight += w
            total += w * da[t]
        fill_slopes(slopes, a, b, parameter, da, db)
        for t in range(count):
            twice = -2.0 * step
            if weights.size:
                twice *= weights[start + t]
            slope = abs(da[t]) + abs(db[t])
            squares += slope * slope
            add_differences(X, twice * da[t], twice * db[t], X, comparisons, start + t, vectors)
        time += step * count
        step *= decay
        if rates.size and (
            start + count - shrunk >= SHRINK_EVERY * len(X) or start + count == last
        ):
            shrink(X, axes, rates, time)
            shrunk, time = start + count, 0.0
    found[0] = total / weight if weight > 0.0 else 0.0
    found[1] = np.sqrt(squares / (last - first))
