"""Compute the smallest eigenvalue of a kernel after a step, by Lanczos steps.

The vector of a triplet is zero outside its three rows, so it is given as these rows and the three
entries.
"""

import numpy as np

from closerthan._core.compiled import compiled
from closerthan.kernels.triangle import add_multiple, add_three, fast_dot, multiply

_STEPS = 80  # largest number on an inverse; more mean that it is inaccurate
_MOST = 1000  # largest number on a kernel
_LOOSE = 0.02  # a bound is lower than the smallest Ritz value by this share
_CHANCE = 1e-6  # probability that a bound does not hold


@compiled
def negative_eigenpair(inverse, shift, rows, u3, p_u, force, tolerance):
    """Solve (M - lambda) x = u and 1 = force u'x for lambda < 0, given P = (M + shift)^-1.

    The unit vector u is u3 at three rows, p_u is P u. With s = shift + lambda the first equation is
    x = (1 - s P)^-1 P u. In the basis of the Lanczos steps on P from u, P is tridiagonal, and the
    second is an equation in s alone. In plain numpy:

        values, vectors = np.linalg.eigh(M - force * np.outer(u, u))
        return True, vectors[:, 0], values[0]

    Returns whether the steps have converged, x with a residual of `tolerance` times its norm, and
    lambda. If no eigenvalue is negative, lambda is zero and x is the solution for zero.
    """
    n = len(p_u)
    most = min(n, _STEPS)
    basis = np.empty((most + 1, n))
    alpha, beta, z, q = np.empty(most), np.zeros(most + 1), np.empty(most), np.empty(most)
    basis[0] = 0.0
    add_three(basis[0], 1.0, rows, u3)
    new = p_u.copy()
    s = shift
    for m in range(most):
        if m > 0:
            multiply(inverse, basis[m], new)
        alpha[m] = fast_dot(basis[m], new)
        for _ in range(2):  # twice is enough to be orthogonal
            for r in range(m + 1):
                add_multiple(new, -fast_dot(basis[r], new), basis[r])
        beta[m + 1] = np.sqrt(fast_dot(new, new))
        s = _root(alpha, beta, m + 1, shift, force, s, z, q)
        # With the vectors so far as columns of Q, x = P Q z = Q q + tail * new / beta[m + 1]. The
        # residual of the first equation is -s * tail times the same unit vector.
        tail = beta[m + 1] * z[m]
        norm = np.sqrt(fast_dot(q[: m + 1], q[: m + 1]) + tail**2)
        exhausted = beta[m + 1] <= 1e-14 * alpha[0]
        if not exhausted:
            basis[m + 1] = new / beta[m + 1]
        if exhausted or abs(s * tail) <= tolerance * norm:
            x = np.zeros(n)
            for r in range(m + 1):
                add_multiple(x, q[r], basis[r])
            if not exhausted:
                add_multiple(x, tail, basis[m + 1])
            return True, x, s - shift
    return False, new, 0.0


@compiled
def _root(alpha, beta, m, shift, force, s, z, q):
    """Solve 1 = force g(s), g(s) = e1' T (1 - s T)^-1 e1, for s in (shift - force, shift].

    T is tridiagonal, with the diagonal alpha and beta[1:] beside it. This is Newton's method on
    1 / g, which is concave, within a bracket. If there is no root, return the largest s. The arrays
    z = (1 - s T)^-1 e1 and q = T z are set.
    """
    if _resolvent(alpha, beta, m, shift, z, q) and force * q[0] <= 1.0:
        return shift
    low, high = shift - force, shift
    if not low < s < high:
        s = 0.5 * (low + high)
    for _ in range(100):
        if _resolvent(alpha, beta, m, s, z, q):
            above = 1.0 - force * q[0]
            if above > 0.0:
                low = s
            else:
                high = s
            step = q[0] * above / fast_dot(q[:m], q[:m])
        else:
            high, step = s, np.inf
        new = s + step
        if not low < new < high:
            new = 0.5 * (low + high)
        if abs(new - s) <= 1e-15 * (abs(shift) + force):
            break
        s = new
    _resolvent(alpha, beta, m, s, z, q)
    return s


@compiled
def _resolvent(alpha, beta, m, s, z, q):
    """Solve (1 - s T) z = e1 and set q = T z; return False if 1 - s T is not positive definite."""
    pivot = 1.0 - s * alpha[0]
    if pivot <= 0.0:
        return False
    # On the way down, q holds the pivots and z the right-hand side; on the way up, z is solved for.
    z[0] = 1.0
    q[0] = pivot
    for i in range(1, m):
        ratio = -s * beta[i] / pivot
        pivot = 1.0 - s * alpha[i] + s * beta[i] * ratio
        if pivot <= 0.0:
            return False
        z[i] = -ratio * z[i - 1]
        q[i] = pivot
    z[m - 1] /= q[m - 1]
    for i in range(m - 2, -1, -1):
        z[i] = (z[i] + s * beta[i + 1] * z[i + 1]) / q[i]
    for i in range(m):
        q[i] = alpha[i] * z[i]
        if i > 0:
            q[i] += beta[i] * z[i - 1]
        if i < m - 1:
            q[i] += beta[i + 1] * z[i + 1]
    return True


@compiled
def bound_from_steps(kernel, log, n_steps, gradient, rows, size, start):
    """Return a lower bound on a kernel's smallest eigenvalue after a step; negative if not found.

    The kernel before the step was never projected. If the log has all `n_steps` steps, products
    with the kernel need only them and its diagonal. Lanczos starts from the step's eigenvector plus
    `start`, which has independent normal entries of variance 1 / n. In plain numpy:

        return np.linalg.eigvalsh(to_dense(kernel) - size * G)[0]
    """
    diagonal = np.diag(kernel.lower).copy()
    largest = diagonal.max()
    before, v, new = np.zeros(len(start)), start.copy(), np.empty(len(start))
    add_three(v, 1.0, rows, gradient.u)
    norm2 = fast_dot(v, v)
    v /= np.sqrt(norm2)
    alpha, beta = np.empty(_MOST), np.zeros(_MOST + 1)
    for m in range(_MOST):
        if n_steps <= len(log.sizes):
            _multiply_log(diagonal, log, n_steps, gradient.matrix, v, new)
        else:
            multiply(kernel, v, new)
        _add_block_times(new, -size, rows, gradient.matrix, v)
        before, v, new = _finish_step(before, v, new, alpha, beta, m)
        exhausted = beta[m + 1] <= 1e-12 * largest
        if m % 5 == 4 or exhausted:
            ritz = _smallest_ritz(alpha, beta, m + 1)
            bound = (1.0 - _LOOSE) * ritz
            if ritz <= 0.0:
                return -1.0
            if exhausted or _is_certain(alpha, beta, m + 1, bound, len(v), norm2):
                return bound
    return -1.0


@compiled
def bound_from_inverse(inverse, shift, start):
    """Return a lower bound on the smallest eigenvalue of a positive semidefinite kernel.

    This works like `bound_from_steps`, with the inverse P = (K + shift)^-1. Zero means no bound.
    """
    before, v, new = np.zeros(len(start)), start.copy(), np.empty(len(start))
    norm2 = fast_dot(v, v)
    v /= np.sqrt(norm2)
    alpha, beta = np.empty(_STEPS), np.zeros(_STEPS + 1)
    for m in range(_STEPS):
        multiply(inverse, v, new)
        new *= -1.0  # the smallest eigenvalue of -P corresponds to the smallest one of K
        before, v, new = _finish_step(before, v, new, alpha, beta, m)
        exhausted = beta[m + 1] * shift <= 1e-12
        if m % 5 == 4 or exhausted:
            ritz = -1.0 / _smallest_ritz(alpha, beta, m + 1) - shift
            bound = (1.0 - _LOOSE) * ritz
            if ritz <= 1e-3 * shift:
                return 0.0
            a = -1.0 / (bound + shift)
            if exhausted or _is_certain(alpha, beta, m + 1, a, len(v), norm2):
                return bound
    return 0.0


@compiled
def _multiply_log(diagonal, log, n_logged, block, x, out):
    """Write to `out`: x times a diagonal plus what the logged steps have off the diagonal."""
    out[:] = diagonal * x
    for t in range(n_logged):
        i, j, k = log.triplets[t]
        near, far = log.sizes[t] * block[0, 1], log.sizes[t] * block[0, 2]
        out[i] -= near * x[j] + far * x[k]
        out[j] -= near * x[i]
        out[k] -= far * x[i]


@compiled
def _add_block_times(y, size, rows, block, x):
    """Add the product of x with size * block (at three rows and columns) to y."""
    for p in range(3):
        for q in range(3):
            y[rows[p]] += size * block[p, q] * x[rows[q]]


@compiled
def _finish_step(before, v, new, alpha, beta, m):
    """Finish Lanczos step m; `new` is the product with v. Return v, the next one, and room."""
    add_multiple(new, -beta[m], before)
    alpha[m] = fast_dot(v, new)
    add_multiple(new, -alpha[m], v)
    beta[m + 1] = np.sqrt(fast_dot(new, new))
    new *= 1.0 / beta[m + 1]
    return v, new, before


@compiled
def _is_certain(alpha, beta, m, bound, n, norm2):
    """Return whether no eigenvalue is smaller than a bound below all Ritz values.

    Let c be the component of the start along the unit eigenvector of an eigenvalue, and p_r the
    polynomials of the Lanczos steps. The vector of step r has the component c p_r(eigenvalue). The
    vectors are orthonormal, so the squares of the components sum to at most one. Below the Ritz
    values, the sum of the p_r^2 grows with the distance. No eigenvalue lies beyond the point where
    it reaches 1 / c^2.

    The start is a fixed vector plus independent normal entries of variance 1 / n, divided by its
    norm. For any eigenvector, |c| is less than _CHANCE / (norm * sqrt(n)) with a probability below
    _CHANCE.
    """
    wanted = norm2 * n / _CHANCE**2
    p_before, p, total = 0.0, 1.0, 1.0
    for r in range(m):
        p_before, p = p, ((bound - alpha[r]) * p - beta[r] * p_before) / beta[r + 1]
        total += p * p
        if total >= wanted:
            return True
    return False


@compiled
def _smallest_ritz(alpha, beta, m):
    """Return the smallest eigenvalue of the tridiagonal Lanczos matrix, by bisection."""
    low = high = alpha[0]
    for r in range(m):
        high = min(high, alpha[r])
        low = min(low, alpha[r] - beta[r] - (beta[r + 1] if r < m - 1 else 0.0))
    for _ in range(50):
        middle = 0.5 * (low + high)
        pivot = 1.0
        for r in range(m):
            pivot = alpha[r] - middle - beta[r] ** 2 / pivot
            if pivot <= 0.0:
                break
        if pivot > 0.0:
            low = middle
        else:
            high = middle
    return high
