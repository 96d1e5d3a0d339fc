"""Compiled loops of SPoSE on rows (a, b, odd): probabilities, gradients and steps of Adam."""

import numpy as np
from numba import njit

from closerthan._core.compiled import compiled
from closerthan._core.elementary import exp, log1p
from closerthan._core.vectors import FOUR, fma, load_lanes, store, total, zeros

_MEAN, _SQUARE = 0.9, 0.999  # Adam's decay rates of the mean gradient and of its square
_LEAST = 1e-8


@njit(forceinline=True, error_model="numpy")
def _shares(W, a, b, c):
    """Return log(sum / exp(a.b)) and the shares of the three: exp(a.b), exp(a.c), exp(b.c)."""
    ab, ac, bc = zeros(FOUR), zeros(FOUR), zeros(FOUR)
    for p in range(0, W.shape[1], FOUR):
        x, y, z = load_lanes(W, a + p, FOUR), load_lanes(W, b + p, FOUR), load_lanes(W, c + p, FOUR)
        ab, ac, bc = fma(x, y, ab), fma(x, z, ac), fma(y, z, bc)
    first, second, third = total(ab), total(ac), total(bc)
    most = max(first, second, third)
    e, f, g = exp(first - most), exp(second - most), exp(third - most)
    whole = e + f + g
    return (most - first) + log1p(whole - 1.0), e / whole, f / whole, g / whole


@compiled
def fill_probabilities(W, triples, out):
    """Write the probability that each object of a triple is the odd one to `out`."""
    width = W.shape[1]
    for t in range(len(triples)):
        a, b, c = triples[t, 0] * width, triples[t, 1] * width, triples[t, 2] * width
        _, out[t, 2], out[t, 1], out[t, 0] = _shares(W, a, b, c)


@compiled
def fill_gradient(W, triples, first, last, out):
    """Write the gradient of the summed log loss of some triples to `out`; return the log loss."""
    width, loss = W.shape[1], 0.0
    out[:] = 0.0
    for t in range(first, last):
        a, b, c = triples[t, 0] * width, triples[t, 1] * width, triples[t, 2] * width
        surprise, ab, ac, bc = _shares(W, a, b, c)
        loss += surprise
        ab -= 1.0
        for p in range(0, width, FOUR):
            x, y = load_lanes(W, a + p, FOUR), load_lanes(W, b + p, FOUR)
            z = load_lanes(W, c + p, FOUR)
            store(out, a + p, fma(y, ab, fma(z, ac, load_lanes(out, a + p, FOUR))))
            store(out, b + p, fma(x, ab, fma(z, bc, load_lanes(out, b + p, FOUR))))
            store(out, c + p, fma(x, ac, fma(y, bc, load_lanes(out, c + p, FOUR))))
    return loss


@compiled
def step_of_adam(W, gradients, mean, square, first, last, scale, sparsity, ridge, size, n_steps):
    """Make a step of Adam for some coordinates, and replace negative ones by zero.

    The arrays are flat; each row of `gradients` is one. The gradient is their sum times `scale`,
    plus `sparsity`, plus `ridge` times the coordinate.
    """
    size /= 1.0 - _MEAN**n_steps
    fresh = 1.0 / (1.0 - _SQUARE**n_steps)
    for t in range(first, last):
        gradient = 0.0
        for part in range(len(gradients)):
            gradient += gradients[part, t]
        gradient = scale * gradient + sparsity + ridge * W[t]
        mean[t] = _MEAN * mean[t] + (1.0 - _MEAN) * gradient
        square[t] = _SQUARE * square[t] + (1.0 - _SQUARE) * gradient * gradient
        W[t] = max(W[t] - size * mean[t] / (np.sqrt(square[t] * fresh) + _LEAST), 0.0)
