"""The losses and their mean gradient in plain numpy, written from the formulas and nothing else."""

import numpy as np


def _gnmds(a, b, p):
    active = (1 + a - b > 0).astype(float)
    return np.maximum(0, 1 + a - b), active, -active


def _ckl(a, b, p, mu=0.1):
    slope = 1 / (2 * mu + a + b)
    return -np.log((mu + b) / (2 * mu + a + b)), slope, slope - 1 / (mu + b)


def _ste(a, b, p):
    wrong = np.exp(a - b) / (1 + np.exp(a - b))
    return np.log(1 + np.exp(a - b)), wrong, -wrong


def _tste(a, b, p):
    alpha = max(p - 1, 1)
    s_a, s_b = (1 + a / alpha) ** (-(alpha + 1) / 2), (1 + b / alpha) ** (-(alpha + 1) / 2)
    wrong = s_b / (s_a + s_b) * (alpha + 1) / 2
    return -np.log(s_a / (s_a + s_b)), wrong / (alpha + a), -wrong / (alpha + b)


def _soe(a, b, p, delta=0.1):
    short = np.maximum(0, np.sqrt(a) + delta - np.sqrt(b))
    return short**2, short / np.sqrt(a), -short / np.sqrt(b)


# Value and both slopes of l(a, b) in p dimensions.
LOSSES = {"gnmds": _gnmds, "ckl": _ckl, "ste": _ste, "t-ste": _tste, "soe": _soe}


def value_and_gradient(loss, X, quadruplets, weights=None):
    """Mean loss at the points X and its gradient, one comparison after the other."""
    weights = np.ones(len(quadruplets)) if weights is None else weights / np.mean(weights)
    total, gradient = 0.0, np.zeros_like(X)
    for (i, j, l, k), weight in zip(quadruplets, weights, strict=True):
        near, far = X[i] - X[j], X[l] - X[k]
        value, da, db = LOSSES[loss](near @ near, far @ far, X.shape[1])
        total += weight * value
        gradient[i] += 2 * weight * da * near
        gradient[j] -= 2 * weight * da * near
        gradient[l] += 2 * weight * db * far
        gradient[k] -= 2 * weight * db * far
    return total / len(quadruplets), gradient / len(quadruplets)


def random_triplets(rng, n_objects, n_triplets):
    """Quadruplets (i, j, i, k) of three different objects each."""
    rows = [rng.choice(n_objects, 3, replace=False) for _ in range(n_triplets)]
    return np.array(rows)[:, [0, 1, 0, 2]]


def random_quadruplets(rng, n_objects, n_quadruplets):
    """Comparisons of two pairs that share no object, or one in any place."""
    rows = []
    while len(rows) < n_quadruplets:
        i, j, l, k = rng.integers(n_objects, size=4)
        if i != j and l != k and {i, j} != {l, k}:
            rows.append((i, j, l, k))
    return np.array(rows)
