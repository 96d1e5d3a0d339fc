"""How SPoSE learns: Adam on mini-batches of odd ones out, with no coordinate below zero."""

import numpy as np

from closerthan._core.vectors import pad
from closerthan_lab.spose.passes import fill_gradient, step_of_adam

_PASSES, _STEPS = 20, 3000  # at least so many of each
_ANSWERS, _OF_EACH = 8192, 2  # answers a step, and of each object if that is more
_SELDOM = 500  # at least so many steps a pass, unless an object would have too few answers
_PARTS = 4
_SIZE, _DECAY = 0.03, 0.02  # the first size of a step, and the last one relative to it
_SMALL = 0.1  # a dimension whose largest coordinate is not above it is dropped
_RAMP = 0.3  # share of the steps in which the strength grows, so that dimensions form first
_EARLY = 0.15  # share of the passes after which dimensions are dropped for the first time


class Descent:
    """Mini-batch Adam on the log loss of odd ones out; an objective for `Trace`.

    `triples` are uint32, the odd one last, in random order. `strength` is sparsity and ridge, and
    `most` the largest number of passes, of which there are `shorter` times fewer.
    """

    def __init__(self, triples, start, strength, most, team, shorter=1):
        self.n_comparisons = n = len(triples)
        self._triples, self._strength, self._team = triples, np.divide(strength, n), team
        self._keep(start, np.zeros_like(start), np.zeros_like(start))
        fewest = _OF_EACH * len(start)
        steps = n // min(n, max(fewest, min(_ANSWERS, n // _SELDOM)))
        self._bounds = np.linspace(0, n, steps + 1).astype(np.int64)
        self.n_passes = min(most, -(-max(_PASSES, -(-_STEPS // steps)) // shorter))
        self._n_steps = steps * self.n_passes

    def run(self, trace, rng):
        """Learn until the passes are done or the trace asks to stop; return the points."""
        step, loss = 0, np.nan
        for done in range(1, self.n_passes + 1):
            losses = 0.0
            for block in rng.permutation(len(self._bounds) - 1):
                step += 1
                size = _SIZE * _DECAY ** (step / self._n_steps)
                losses += self._step(*self._bounds[block : block + 2], size, step)
            if done == int(_EARLY * self.n_passes):
                self._drop_small()
            loss = losses / self.n_comparisons
            if trace(self._X, done * self.n_comparisons, size, loss):
                break
        self._drop_small()
        return self.points(self._X)

    def points(self, X):
        """Return the padded X without its padding."""
        return X[:, : self._n_used]

    def _step(self, first, last, size, number):
        """Make a step on the answers from `first` to `last`; return their summed log loss."""
        bounds = np.linspace(first, last, _PARTS + 1).astype(np.int64)
        losses = np.empty(_PARTS)

        def sum_gradient(part):
            rows = bounds[part], bounds[part + 1]
            losses[part] = fill_gradient(self._X, self._triples, *rows, self._gradients[part])

        places = np.linspace(0, self._X.size, _PARTS + 1).astype(np.int64)
        gradients = self._gradients.reshape(_PARTS, -1)
        flat = [array.reshape(-1) for array in (self._X, self._mean, self._square)]
        flat.insert(1, gradients)

        def move(part):
            rows = places[part], places[part + 1]
            step_of_adam(*flat, *rows, 1.0 / (last - first), *strength, size, number)

        strength = self._strength * min(1.0, number / (_RAMP * self._n_steps))
        self._team.each(sum_gradient, range(_PARTS))
        self._team.each(move, range(_PARTS))
        return losses.sum()

    def _drop_small(self):
        kept = self.points(self._X).max(axis=0) > _SMALL
        self._keep(*(self.points(array)[:, kept] for array in (self._X, self._mean, self._square)))

    def _keep(self, points, mean, square):
        self._n_used = points.shape[1]
        self._X, self._mean, self._square = pad(points), pad(mean), pad(square)
        self._gradients = np.zeros((_PARTS, *self._X.shape))
