"""Compute the losses and their mean gradient in plain numpy, directly from the formulas."""

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


def _smooth_soe(a, b, p):
    near, far = np.sqrt(a), np.sqrt(b)
    wrong = np.exp(near - far) / (1 + np.exp(near - far))
    return np.log(1 + np.exp(near - far)), wrong / (2 * near), -wrong / (2 * far)


# Value and both slopes of l(a, b) in p dimensions.
LOSSES = {
    "gnmds": _gnmds,
    "ckl": _ckl,
    "ste": _ste,
    "t-ste": _tste,
    "soe": _soe,
    "smooth-soe": _smooth_soe,
}


def value_and_gradient(loss, X, quadruplets, weights=None):
    """Return the mean loss at the points X and its gradient, in plain numpy."""
    weights = np.ones(len(quadruplets)) if weights is None else weights / np.mean(weights)
    i, j, l, k = np.transpose(quadruplets)
    near, far = X[i] - X[j], X[l] - X[k]
    values, da, db = LOSSES[loss]((near**2).sum(axis=1), (far**2).sum(axis=1), X.shape[1])
    gradient = np.zeros_like(X)
    for first, second, slopes, apart in ((i, j, da, near), (l, k, db, far)):
        pull = 2 * (weights * slopes)[:, None] * apart
        np.add.at(gradient, first, pull)
        np.subtract.at(gradient, second, pull)
    return weights @ values / len(quadruplets), gradient / len(quadruplets)


def random_triplets(rng, n_objects, n_triplets):
    """Return quadruplets (i, j, i, k) of three different objects each."""
    n = n_objects
    i, first, more = (rng.integers(limit, size=n_triplets) for limit in (n, n - 1, n - 2))
    second = (first + 1 + more) % (n - 1)
    return np.column_stack([i, (i + 1 + first) % n, i, (i + 1 + second) % n])


def random_quadruplets(rng, n_objects, n_quadruplets):
    """Return comparisons of two pairs that share no object, or share one in any place."""
    rows = []
    while len(rows) < n_quadruplets:
        i, j, l, k = rng.integers(n_objects, size=4)
        if i != j and l != k and {i, j} != {l, k}:
            rows.append((i, j, l, k))
    return np.array(rows)


def squared_distances(points, comparisons):
    """Return the squared distances of both pairs of each triplet or quadruplet."""
    ends = np.asarray(comparisons)
    ends = ends[:, [0, 1, 0, 2]] if ends.shape[1] == 3 else ends
    i, j, l, k = points[ends].transpose(1, 0, 2)
    return ((i - j) ** 2).sum(axis=1), ((l - k) ** 2).sum(axis=1)


def assert_gradient(objective, X, h, rtol, atol):
    """Compare the gradient at padded points to finite differences, in three coordinates."""
    value, gradient = objective.value_and_gradient(X, np.empty_like(X))
    np.testing.assert_allclose(value, objective.value(X))
    for place in [(0, 0), (3, 2), (7, 1)]:
        step = np.zeros_like(X)
        step[place] = h
        slope = (objective.value(X + step) - objective.value(X - step)) / (2 * h)
        np.testing.assert_allclose(gradient[place], slope, rtol=rtol, atol=atol)
    return gradient
