"""Compare learning curves with the bounds in the theorems of Ma et al. (2019).

We estimate unknown constants from a learning curve: the smoothness at the end of a solver, and the
Polyak-Lojasiewicz constant at the points of its curve. Both estimates are lenient. The least loss
of all methods makes a bound stricter than in the theorem.
"""

import numpy as np

_AT_ONCE = 1000  # triplets whose Hessians are in memory at once
_LEAST = 1e-12  # relative to the first excess loss; smaller excesses are rounding


def smoothness(loss, points, triplets):
    """Return the largest absolute eigenvalue of the Hessians of triplets, below L of eq. (18)."""
    parts = np.array_split(triplets, 1 + len(triplets) // _AT_ONCE)
    eigenvalues = [np.linalg.eigvalsh(hessians(loss, points, part)) for part in parts]
    return float(max(np.abs(values).max() for values in eigenvalues))


def hessians(loss, points, triplets):
    """Return the Hessians of the losses of triplets, shape (n, 3 p, 3 p), by the chain rule."""
    p = points.shape[1]
    signs_near, signs_far = np.array([1, -1, 0]), np.array([1, 0, -1])
    x_i, x_j, x_k = points[triplets.T]
    near, far = x_i - x_j, x_i - x_k
    a, b = (near**2).sum(axis=1), (far**2).sum(axis=1)
    toward_near, toward_far = 2 * np.kron(signs_near, near), 2 * np.kron(signs_far, far)
    slope_a, slope_b = loss.slopes(a, b, p)
    (aa, ab), (_, bb) = _second_derivatives(loss, a, b, p)
    mixed = _outer(ab, toward_near, toward_far)
    curved = [
        slope[:, None, None] * 2 * np.kron(np.outer(signs, signs), np.eye(p))
        for slope, signs in ((slope_a, signs_near), (slope_b, signs_far))
    ]
    return (
        _outer(aa, toward_near, toward_near)
        + _outer(bb, toward_far, toward_far)
        + mixed
        + mixed.transpose(0, 2, 1)
        + sum(curved)
    )


def _outer(weights, left, right):
    """Return the weighted outer products of rows."""
    return np.einsum("n,ni,nj->nij", weights, left, right)


def _second_derivatives(loss, a, b, n_components):
    """Return central differences of the slopes with respect to a and b."""
    step = 1e-5 * np.maximum(np.maximum(a, b), 1e-3)
    rows = []
    for da, db in ((step, 0.0), (0.0, step)):
        below = np.maximum(a - da, 0.0), np.maximum(b - db, 0.0)
        low = np.array(loss.slopes(*below, n_components))
        high = np.array(loss.slopes(a + da, b + db, n_components))
        rows.append((high - low) / (a + da - below[0] + b + db - below[1]))
    return rows


def largest_batch(epsilon, smoothness, n_comparisons):
    """Return the bound (24) on the batch size, for an update frequency of n_comparisons.

    Examples
    --------
    >>> round(largest_batch(0.3, 9.74, 10_000), 1)
    4.6
    """
    ratio = epsilon / smoothness
    first = ratio**2 / (1 + np.sqrt(1 + 4 * ratio))
    second = ratio / (2 * (1 + np.sqrt(1 + 4 / ratio)))
    return float(n_comparisons * min(first, second))


def bound_25(curve, least):
    """Return the bound (25) of Theorem 2 after each complete outer iteration, of three epochs.

    The bound is 4 (f(x_0) - f(x*)) / (T b eta_min). T b is the number of comparisons drawn by the
    inner loops.
    """
    return _bound(curve, least, curve.step_size / 4)


def _bound(curve, least, gains):
    """Return the excess loss over the comparisons drawn times the least gain of one so far."""
    excess = curve.mean_loss.dropna().iloc[0] - least
    whole = curve[(curve.epoch > 0) & (curve.epoch.round() % 3 == 0)]
    return excess / (whole.evaluations / 3 * gains.cummin().ffill().loc[whole.index])


def over_bound_25(curve, least):
    """Return the largest ratio of the mean squared gradient to the bound (25), or infinity."""
    return _over(curve, bound_25(curve, least))


def _over(curve, bounds):
    if not np.isfinite(curve.squared_gradient.iloc[1:]).all():  # diverged
        return np.inf
    return float((curve.mean_squared_gradient.loc[bounds.index] / bounds).max())


def gains_22(step, smoothness, n_steps):
    """Return the left side of (22) and Gamma of (21), at the inner step where they are worst.

    Mini-batches have one comparison, and beta is that of (23). The recursion (20) is a geometric
    sum, which is largest before the first inner step.
    """
    beta = 4 * n_steps * step**2 * smoothness**3
    growth = step * beta + 2 * (step * smoothness) ** 2
    last = step**2 * smoothness**3 * np.expm1((n_steps - 1) * np.log1p(growth)) / growth
    left = step * (smoothness + 2 * last) + last / beta
    return left, step * (1 - left)


def over_bound_22(curve, least, smoothness):
    """Return the largest left side of (22), and the ratio of `over_bound_25` for Theorem 1.

    The bound of the theorem is (f(x_0) - f(x*)) / (T gamma_S). The ratio is NaN if (22) fails.
    """
    n_comparisons = round(curve.evaluations.iloc[-1] / curve.epoch.iloc[-1])
    left, gains = gains_22(curve.step_size, smoothness, n_comparisons)
    holds = left.max() < 1
    return left.max(), _over(curve, _bound(curve, least, gains)) if holds else np.nan


def module_factor(curve, least, n_modules):
    """Return the factor by which each module divides the excess loss (Theorem 3).

    The theorem holds if the factor is above 1. The factor is lambda m S b eta_min / 2. Lambda is
    the least |grad f|^2 / (2 (f - f*)) on the curve, an upper estimate. m S b is the number of
    comparisons that a module draws.
    """
    if not np.isfinite(curve.squared_gradient.iloc[1:]).all():
        return np.nan
    excess = curve.mean_loss - least
    first = excess.dropna().iloc[0]
    far = curve[excess > _LEAST * first]
    constant = (far.squared_gradient / (2 * excess[far.index])).min()
    drawn = curve.evaluations.max() / 3 / n_modules
    return float(constant * drawn * _least_steps(curve).iloc[-1] / 2)


def over_bound_28(curve, least, n_modules):
    """Return the largest ratio of the excess loss after a module to the bound (28) of Theorem 3.

    It is NaN if `module_factor` is at most 1, because the theorem then makes no statement.
    """
    factor = module_factor(curve, least, n_modules)
    if not factor > 1:
        return np.nan
    excess = (curve.mean_loss - least).ffill()
    first = excess.dropna().iloc[0]
    ends = curve.evaluations.max() * np.arange(1, n_modules + 1) / n_modules
    at = np.searchsorted(curve.evaluations, ends, side="right") - 1
    bounds = first * factor ** -np.arange(1.0, n_modules + 1)
    return float((excess.to_numpy()[at] / bounds).max())


def _least_steps(curve):
    """Return the least step size so far, per comparison: eta of eq. (17), which has 1 / m."""
    return curve.step_size.cummin().ffill()
