"""A kernel that is updated by one comparison at a time and stays positive semidefinite.

An update is K' = K - gamma G with G of three rows and columns and eigenvalues +e, 0 and -e: with
the unit eigenvectors u and w of the outer two, K' = M - gamma e uu', M = K + gamma e ww'. By Weyl's
inequality at most one eigenvalue of K' is negative, and taking it away is the nearest positive
semidefinite matrix (Theorem 4.1 of Heim et al., 2015). How it is found, exactly, at the cost of a
dozen passes over half a matrix:

* As long as a running lower bound on the smallest eigenvalue stays positive, nothing is negative.
* When it is used up and nothing has been projected yet, K is the sum of few sparse updates, and
  Lanczos steps on that sum renew the bound.
* After the first projection K is dense and singular, and the bound stays zero. An eigenvector v
  with K'v = lambda v < 0 is (M - lambda)^-1 u, up to its length, and lambda solves
  1 = gamma e u'(M - lambda)^-1 u. With P = (M + shift)^-1, Lanczos steps on P from u turn this into
  an equation of a tridiagonal matrix. P is never computed anew but updated with K, until it is
  refreshed for its rounding. The residual of every eigenvector is checked against K itself.

Both matrices are kept as their lower triangles, and rank-one updates are gathered and added many at
a time.
"""

import numpy as np
from numba import njit
from scipy.linalg import LinAlgError, eigh
from scipy.linalg.lapack import dpotrf, dpotri

_LOOSE = 0.01  # share of the smallest eigenvalue that its bound may lack
_EXACT = 1e-12  # residual of an eigenvector, in units of the largest entry of the kernel
_STEPS = 80  # Lanczos steps on the inverse before it is refreshed
_DONE, _GATHER, _REFRESH = range(3)
_N_VECTORS, _N_INVERSE, _N_LOGGED, _N_EIGENPAIRS, _N_NEGATIVE, _AGE, _MOST_AGE = range(7)
_BOUND, _SHIFT, _TOLERANCE, _LOG_SUM = range(4)
_PASSIVE_AGGRESSIVE, _HINGE, _LOGISTIC = range(3)
RULES = {"passive-aggressive": _PASSIVE_AGGRESSIVE, "gnmds": _HINGE, "ste": _LOGISTIC}
GRADIENTS = {
    "symmetric": np.array([[0.0, -1.0, 1.0], [-1.0, 1.0, 0.0], [1.0, 0.0, -1.0]]),
    "paper": np.array([[0.0, -2.0, 2.0], [-2.0, 1.0, 0.0], [2.0, 0.0, -1.0]]),  # (4.10)
}
_fast = {"reassoc", "contract"}  # sums in any order: vectors, not one number at a time


class ProjectedKernel:
    """A multiple of the identity that follows comparisons.

    Parameters
    ----------
    n_objects : int
    scale : float
        Diagonal of the kernel before any comparison, not negative.
    gradient : {"symmetric", "paper"}
        Which G.

    Attributes
    ----------
    n_eigenpairs : int
        How often the smallest eigenvalue had to be computed.
    """

    def __init__(self, n_objects, scale, gradient):
        self.scale = float(scale)
        self.gradient = gradient
        self._counts = np.zeros(7, dtype=np.int64)
        self._floats = np.array([scale, 0.0, 0.0, 0.0])
        self._logged = np.empty((0, 3), dtype=np.int64)
        self._logged_sizes = np.empty(0)
        self._kernel = np.zeros((0, 0))
        self._inverse = np.zeros((0, 0))
        self._vectors = np.zeros((0, 0))
        self._inverse_vectors = np.zeros((0, 0))
        self._signs = np.zeros(0)
        self.grow(n_objects)

    @property
    def n_objects(self):
        """Number of objects."""
        return len(self._kernel)

    @property
    def n_eigenpairs(self):
        """How often the smallest eigenvalue had to be computed."""
        return int(self._counts[_N_EIGENPAIRS])

    def grow(self, n_objects):
        """Add objects, unrelated to the others so far."""
        old = self.n_objects
        self._kernel = _enlarged(self._kernel, (n_objects, n_objects))
        new = np.arange(old, n_objects)
        self._kernel[new, new] = self.scale
        if len(self._inverse):
            self._inverse = _enlarged(self._inverse, (n_objects, n_objects))
            self._inverse[new, new] = 1.0 / (self.scale + self._floats[_SHIFT])
        self._floats[_BOUND] = min(self._floats[_BOUND], self.scale)
        # A pass over the triangle is to cost more than the gathered vectors, and they are added in
        # one go by BLAS: the more, the faster that is.
        n_gathered = max(4, min(n_objects // 8, 48))
        self._vectors = _enlarged(self._vectors, (n_gathered, n_objects))
        self._inverse_vectors = _enlarged(self._inverse_vectors, (3 * n_gathered, n_objects))
        self._signs = _enlarged(self._signs, (3 * n_gathered,))
        n_logged = max(64, n_objects**2 // 64)  # more would cost more than the kernel itself
        self._start = np.random.default_rng(0).standard_normal(n_objects) / np.sqrt(n_objects)
        self._logged = _enlarged(self._logged, (n_logged, 3))
        self._logged_sizes = _enlarged(self._logged_sizes, (n_logged,))

    def follow(self, triplets, rule, deltas, margin):
        """Take a step for each triplet in turn, and project.

        Parameters
        ----------
        triplets : ndarray of shape (n, 3), int64
        rule : str
            A key of RULES.
        deltas : ndarray of shape (n,)
            Step sizes; "passive-aggressive" has its own.
        margin : float

        Returns
        -------
        records : ndarray of shape (n, 3)
            d^2(i, k) - d^2(i, j) before each step, its size, and the eigenvalue taken away.
        """
        G = GRADIENTS[self.gradient]
        values, vectors = np.linalg.eigh(G)
        slope = np.vdot(GRADIENTS["symmetric"], G)  # of d^2(i, j) - d^2(i, k) along G
        records = np.zeros((len(triplets), 3))
        done = 0
        while True:
            done, reason = _follow(
                *(self._kernel, self._inverse, self._vectors, self._inverse_vectors, self._signs),
                *(self._logged, self._logged_sizes, self._counts, self._floats),
                *(
                    self.scale,
                    self._start,
                    G,
                    vectors[:, 2].copy(),
                    vectors[:, 0].copy(),
                    values[2],
                    slope,
                ),
                *(triplets, RULES[rule], deltas, margin, records, done),
            )
            if reason == _DONE:
                return records
            if reason == _GATHER:
                self._add_gathered()
            elif not len(self._inverse) or self._counts[_AGE]:
                self._refresh(records[done, 1])
            else:  # the last resort, which no run of ours has needed
                self._project_fully(triplets[done], records[done], G)
                done += 1

    def squared_distances(self, i, j):
        """Squared distances of pairs of objects.

        Parameters
        ----------
        i, j : ndarray of shape (n,), int

        Returns
        -------
        ndarray of shape (n,)
        """
        out = np.empty(len(i))
        _squared_distances(self._kernel, self._vectors, self._counts[_N_VECTORS], i, j, out)
        return out

    def dense(self):
        """Return the kernel as a full matrix."""
        K = self._kernel.copy()
        _add_products(K, self._vectors[: self._counts[_N_VECTORS]])
        return _mirror(K)

    def _add_gathered(self):
        n_vectors, n_inverse = self._counts[[_N_VECTORS, _N_INVERSE]]
        _add_products(self._kernel, self._vectors[:n_vectors])
        _add_products(self._inverse, self._inverse_vectors[:n_inverse], self._signs[:n_inverse])
        self._counts[[_N_VECTORS, _N_INVERSE]] = 0

    def _refresh(self, size):
        """Compute the inverse anew, with a shift that suits the eigenvalues met so far.

        Fewest Lanczos steps are needed where the shift is about their geometric mean, which drifts:
        so the first refreshes come early, the later ones after n_objects updates. All is in units
        of the kernel's largest entry, or the size of the next step where the kernel is zero.
        """
        _add_products(self._kernel, self._vectors[: self._counts[_N_VECTORS]])
        n_negative, log_sum = self._counts[_N_NEGATIVE], self._floats[_LOG_SUM]
        largest = max(self._kernel.diagonal().max(), size)
        shift = np.exp(log_sum / n_negative) if n_negative else 1e-3 * largest
        shift = max(shift, 1e-4 * largest)
        self._floats[:] = 0.0, shift, _EXACT * largest, 0.0
        self._counts[[_N_VECTORS, _N_INVERSE, _N_NEGATIVE, _AGE]] = 0
        most = 2 * self._counts[_MOST_AGE] or self.n_objects // 16
        self._counts[_MOST_AGE] = np.clip(most, 4, self.n_objects)
        if not len(self._inverse):
            self._inverse = np.empty_like(self._kernel)
        self._inverse[:] = self._kernel
        self._inverse[np.diag_indices(self.n_objects)] += shift
        transposed = self._inverse.T  # in the order of LAPACK, and so its upper triangle
        _, failed = dpotrf(transposed, lower=0, clean=0, overwrite_a=1)
        if not failed:
            _, failed = dpotri(transposed, lower=0, overwrite_c=1)
        if failed:
            raise LinAlgError("the kernel is not positive semidefinite")

    def _project_fully(self, triplet, record, G):
        K = self.dense()
        K[np.ix_(triplet, triplet)] -= record[1] * G
        values, vectors = eigh(K, subset_by_index=[0, 0])
        if values[0] < 0.0:
            record[2] = values[0]
            K -= values[0] * np.outer(vectors, vectors)
        self._kernel[:] = np.tril(K)
        self._counts[_N_EIGENPAIRS] += 1
        self._refresh(record[1])


def _enlarged(array, shape):
    """Return a copy with more rows and columns, zero where they are new."""
    larger = np.zeros(np.maximum(array.shape, shape), dtype=array.dtype)
    larger[tuple(map(slice, array.shape))] = array
    return larger


def _add_products(matrix, vectors, signs=None):
    """Add the products of vectors with themselves to the lower triangle of a matrix."""
    signed = vectors if signs is None else vectors * signs[:, None]
    for start in range(0, len(matrix) if len(vectors) else 0, 256):
        rows = slice(start, start + 256)
        matrix[rows, : start + 256] += signed[:, rows].T @ vectors[:, : start + 256]


@njit(cache=True)
def _mirror(K):
    """Copy the lower triangle of a matrix to its upper one."""
    for i in range(len(K)):
        for j in range(i):
            K[j, i] = K[i, j]
    return K


@njit(cache=True, error_model="numpy")
def _follow(
    kernel, inverse, vectors, inverse_vectors, signs,
    logged, logged_sizes, counts, floats,
    scale, start_vector, G, u3, w3, largest, slope,
    triplets, rule, deltas, margin, records, start,
):  # fmt: skip
    """Take steps until they are done, or until the caller has to add or refresh something."""
    for t in range(start, len(triplets)):
        i, j, k = triplets[t]
        held = _squared_distance(kernel, vectors, counts[_N_VECTORS], i, k)
        held -= _squared_distance(kernel, vectors, counts[_N_VECTORS], i, j)
        size = _step_size(rule, held, deltas[t], margin, slope)
        records[t, 0], records[t, 1] = held, size
        if size <= 0.0:
            continue
        n_logged = counts[_N_LOGGED]
        if len(inverse) == 0 and n_logged < len(logged):
            logged[n_logged] = triplets[t]
            logged_sizes[n_logged] = size
            counts[_N_LOGGED] += 1
        bound = floats[_BOUND] - size * largest
        if bound < 0.0 and len(inverse) == 0:
            saved = _add_step(kernel, triplets[t], -size, G)
            bound = _renewed_bound(
                *(kernel, logged, logged_sizes, counts[_N_LOGGED], scale),
                *(start_vector, G, triplets[t], u3),
            )
            if bound < 0.0:
                _restore(kernel, triplets[t], saved)
                return t, _REFRESH
            counts[_N_EIGENPAIRS] += 1
            floats[_BOUND] = bound
            continue
        if bound < 0.0:
            if counts[_AGE] > counts[_MOST_AGE]:
                return t, _REFRESH
            if counts[_N_INVERSE] + 3 > len(inverse_vectors) or counts[_N_VECTORS] == len(vectors):
                return t, _GATHER
            removed = _project(
                *(kernel, inverse, vectors, inverse_vectors, signs, counts, floats),
                *(G, u3, w3, largest, triplets[t], size),
            )
            if removed > 0.0:
                return t, _REFRESH
            counts[_N_EIGENPAIRS] += 1
            counts[_AGE] += 1
            records[t, 2] = removed
            bound = 0.0
        _add_step(kernel, triplets[t], -size, G)
        floats[_BOUND] = bound
    return len(triplets), _DONE


@njit(cache=True, error_model="numpy")
def _step_size(rule, held, delta, margin, slope):
    """Size of the step: delta f(K, t) of (4.11) to (4.13), or the step of (4.18)."""
    if rule == _LOGISTIC:
        return delta / (1.0 + np.exp(held))
    if held >= margin:
        return 0.0
    return delta if rule == _HINGE else (margin - held) / slope


@njit(cache=True, error_model="numpy")
def _entry(triangle, i, j):
    return triangle[i, j] if i >= j else triangle[j, i]


@njit(cache=True, error_model="numpy")
def _squared_distance(kernel, vectors, n_vectors, i, j):
    d2 = kernel[i, i] + kernel[j, j] - 2.0 * _entry(kernel, i, j)
    for r in range(n_vectors):
        d2 += (vectors[r, i] - vectors[r, j]) ** 2
    return max(0.0, d2)  # rounding may leave the square just below zero


@njit(cache=True, error_model="numpy")
def _squared_distances(kernel, vectors, n_vectors, i, j, out):
    for t in range(len(out)):
        out[t] = _squared_distance(kernel, vectors, n_vectors, i[t], j[t])


@njit(cache=True, error_model="numpy")
def _add_step(kernel, triplet, size, G):
    """Add size * G to the rows and columns of a triplet; return what was there."""
    saved = np.empty((3, 3))
    for p in range(3):
        for q in range(3):
            saved[p, q] = _entry(kernel, triplet[p], triplet[q])
    for p in range(3):
        for q in range(3):
            if triplet[p] >= triplet[q]:
                kernel[triplet[p], triplet[q]] += size * G[p, q]
    return saved


@njit(cache=True, error_model="numpy")
def _restore(kernel, triplet, saved):
    for p in range(3):
        for q in range(3):
            if triplet[p] >= triplet[q]:
                kernel[triplet[p], triplet[q]] = saved[p, q]


@njit(cache=True, error_model="numpy", fastmath=_fast)
def _dot(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


@njit(cache=True, error_model="numpy", fastmath=_fast)
def _add_multiple(y, a, x):
    for i in range(len(x)):
        y[i] += a * x[i]


@njit(cache=True, error_model="numpy", fastmath=_fast)
def _multiply(triangle, x, out):
    """Product of a symmetric matrix, known by its lower triangle, with a vector.

    Four rows at a time, so that `out` is read and written four times less.
    """
    n = len(x)
    out[:] = 0.0
    for i in range(n % 4):
        _multiply_row(triangle, x, out, 0, i)
    for i in range(n % 4, n, 4):
        row0, row1, row2, row3 = (
            triangle[i, :i],
            triangle[i + 1, :i],
            triangle[i + 2, :i],
            triangle[i + 3, :i],
        )
        x0, x1, x2, x3 = x[i], x[i + 1], x[i + 2], x[i + 3]
        sum0, sum1, sum2, sum3 = 0.0, 0.0, 0.0, 0.0
        for j in range(i):
            sum0 += row0[j] * x[j]
            sum1 += row1[j] * x[j]
            sum2 += row2[j] * x[j]
            sum3 += row3[j] * x[j]
            out[j] += row0[j] * x0 + row1[j] * x1 + row2[j] * x2 + row3[j] * x3
        out[i] += sum0
        out[i + 1] += sum1
        out[i + 2] += sum2
        out[i + 3] += sum3
        for row in range(i, i + 4):
            _multiply_row(triangle, x, out, i, row)


@njit(cache=True, error_model="numpy")
def _multiply_row(triangle, x, out, first, i):
    """Add what the entries of row i from column `first` to the diagonal contribute."""
    for j in range(first, i):
        out[i] += triangle[i, j] * x[j]
        out[j] += triangle[i, j] * x[i]
    out[i] += triangle[i, i] * x[i]


@njit(cache=True, error_model="numpy")
def _multiply_inverse(inverse, inverse_vectors, signs, n_inverse, x, out):
    _multiply(inverse, x, out)
    for r in range(n_inverse):
        _add_multiple(out, signs[r] * _dot(inverse_vectors[r], x), inverse_vectors[r])


@njit(cache=True, error_model="numpy")
def _columns_of_inverse(inverse, inverse_vectors, signs, n_inverse, triplet, x3, out):
    """Product of the inverse with a vector that is x3 at a triplet's objects and else zero."""
    out[:] = 0.0
    for p in range(3):
        column = triplet[p]
        for i in range(column):
            out[i] += x3[p] * inverse[column, i]
        for i in range(column, len(out)):
            out[i] += x3[p] * inverse[i, column]
    for r in range(n_inverse):
        z = inverse_vectors[r]
        _add_multiple(out, signs[r] * _at(z, triplet, x3), z)


@njit(cache=True, error_model="numpy")
def _at(x, triplet, x3):
    """Inner product of x with a vector that is x3 at a triplet's objects and else zero."""
    return x[triplet[0]] * x3[0] + x[triplet[1]] * x3[1] + x[triplet[2]] * x3[2]


@njit(cache=True, error_model="numpy")
def _gather_inverse(inverse_vectors, signs, counts, weight, vector):
    """Gather weight * vector vector' for the inverse."""
    n_inverse = counts[_N_INVERSE]
    inverse_vectors[n_inverse] = np.sqrt(abs(weight)) * vector
    signs[n_inverse] = np.sign(weight)
    counts[_N_INVERSE] += 1


@njit(cache=True, error_model="numpy")
def _project(
    kernel, inverse, vectors, inverse_vectors, signs, counts, floats,
    G, u3, w3, largest, triplet, size,
):  # fmt: skip
    """Take away the negative eigenvalue that a step is about to cause, if it does.

    Gathers its vector for the kernel, and the whole update for the inverse. Returns the eigenvalue,
    zero where none is negative, or 1.0 where the inverse must be refreshed first.
    """
    n = len(kernel)
    shift, force = floats[_SHIFT], size * largest
    tolerance = floats[_TOLERANCE]
    first_gathered = counts[_N_INVERSE]
    p_w, p_u = np.empty(n), np.empty(n)
    parts = inverse, inverse_vectors, signs
    _columns_of_inverse(*parts, counts[_N_INVERSE], triplet, w3, p_w)
    weight = -force / (1.0 + force * _at(p_w, triplet, w3))
    _gather_inverse(inverse_vectors, signs, counts, weight, p_w)  # now it is that of M
    _columns_of_inverse(*parts, counts[_N_INVERSE], triplet, u3, p_u)
    found, v, eigenvalue = _lanczos_of_inverse(
        *parts, counts[_N_INVERSE], triplet, u3, p_u, shift, force, tolerance
    )
    if found:
        product = np.empty(n)
        found = _is_accurate(
            *(kernel, vectors, counts[_N_VECTORS], triplet, u3, w3, force),
            *(v, eigenvalue, product, 100.0 * tolerance),
        )
    if not found:
        counts[_N_INVERSE] = first_gathered
        return 1.0
    if eigenvalue < 0.0:
        # The Rayleigh quotient of K' is more accurate than the root of the equation.
        norm2 = _dot(v, v)
        eigenvalue = (_dot(v, product) - force * _at(v, triplet, u3) ** 2) / norm2
    if eigenvalue < 0.0:
        v *= 1.0 / np.sqrt(norm2)
        _multiply_inverse(*parts, counts[_N_INVERSE], v, product)
        weight = eigenvalue / (1.0 - eigenvalue * _dot(v, product))
        _gather_inverse(inverse_vectors, signs, counts, weight, product)
        _add_multiple(p_u, weight * _at(product, triplet, u3), product)
        vectors[counts[_N_VECTORS]] = np.sqrt(-eigenvalue) * v
        counts[_N_VECTORS] += 1
        counts[_N_NEGATIVE] += 1
        floats[_LOG_SUM] += np.log(max(-eigenvalue, 1e-6 * tolerance / _EXACT))
    weight = force / (1.0 - force * _at(p_u, triplet, u3))
    _gather_inverse(inverse_vectors, signs, counts, weight, p_u)
    return min(eigenvalue, 0.0)


@njit(cache=True, error_model="numpy")
def _is_accurate(
    kernel, vectors, n_vectors, triplet, u3, w3, force, x, eigenvalue, product, tolerance
):  # fmt: skip
    """Whether (M - eigenvalue) x = u; the product M x is written to `product`."""
    _multiply(kernel, x, product)
    for r in range(n_vectors):
        _add_multiple(product, _dot(vectors[r], x), vectors[r])
    along = force * _at(x, triplet, w3)
    for p in range(3):
        product[triplet[p]] += along * w3[p]
    residual = product - eigenvalue * x
    for p in range(3):
        residual[triplet[p]] -= u3[p]
    return _dot(residual, residual) <= tolerance**2 * _dot(x, x)


@njit(cache=True, error_model="numpy")
def _lanczos_of_inverse(
    inverse, inverse_vectors, signs, n_inverse, triplet, u3, p_u, shift, force, tolerance
):  # fmt: skip
    """Solve (M - lambda) x = u and 1 = force u'x for lambda < 0 by Lanczos steps on the inverse.

    Returns whether that has converged, x, and lambda, zero where there is none below zero.
    """
    n = len(p_u)
    most = min(n, _STEPS)
    basis = np.empty((most + 1, n))
    alpha, beta, z, q = np.empty(most), np.zeros(most + 1), np.empty(most), np.empty(most)
    basis[0] = 0.0
    for p in range(3):
        basis[0, triplet[p]] = u3[p]
    new = p_u.copy()
    s = shift
    for m in range(most):
        if m > 0:
            _multiply_inverse(inverse, inverse_vectors, signs, n_inverse, basis[m], new)
        alpha[m] = _dot(basis[m], new)
        for _ in range(2):
            for r in range(m + 1):
                _add_multiple(new, -_dot(basis[r], new), basis[r])
        beta[m + 1] = np.sqrt(_dot(new, new))
        s = _root(alpha, beta, m + 1, shift, force, s, z, q)
        tail = beta[m + 1] * z[m]
        norm = np.sqrt(_dot(q[: m + 1], q[: m + 1]) + tail**2)
        exhausted = beta[m + 1] <= 1e-14 * alpha[0]
        if not exhausted:
            basis[m + 1] = new / beta[m + 1]
        if exhausted or abs(s * tail) <= tolerance * norm:
            x = np.zeros(n)
            for r in range(m + 1):
                _add_multiple(x, q[r], basis[r])
            if not exhausted:
                _add_multiple(x, tail, basis[m + 1])
            return True, x, s - shift
    return False, new, 0.0


@njit(cache=True, error_model="numpy")
def _root(alpha, beta, m, shift, force, s, z, q):
    """Solve 1 = force g(s), g(s) = e1' T (1 - s T)^-1 e1, for s in (shift - force, shift].

    T is tridiagonal, with the diagonal alpha and beta[1:] beside it. Newton's method on 1 / g,
    which is concave, within a bracket; the largest s where there is no root.
    Leaves z = (1 - s T)^-1 e1 and q = T z.
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
            step = q[0] * above / _dot(q[:m], q[:m])
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


@njit(cache=True, error_model="numpy")
def _resolvent(alpha, beta, m, s, z, q):
    """Solve (1 - s T) z = e1 and set q = T z; False where 1 - s T is not positive definite."""
    pivot = 1.0 - s * alpha[0]
    if pivot <= 0.0:
        return False
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


@njit(cache=True, error_model="numpy")
def _renewed_bound(
    kernel, logged, logged_sizes, n_logged, scale, start_vector, G, triplet, u3
):  # fmt: skip
    """Lower bound on the smallest eigenvalue of a kernel that was never projected.

    Lanczos steps from the last update's own eigenvector plus a random one, on the sum of the logged
    updates while they are few, else on the kernel. They end when the smallest Ritz value is known
    to a hundredth of itself, and its residual is subtracted. Negative where none is found.
    """
    n = len(kernel)
    most = min(n, 400)
    alpha, beta = np.empty(most), np.zeros(most + 1)
    v = start_vector.copy()
    for p in range(3):
        v[triplet[p]] += u3[p]
    v /= np.sqrt(_dot(v, v))
    before, new = np.zeros(n), np.empty(n)
    for m in range(most):
        if n_logged < len(logged):
            _multiply_logged(logged, logged_sizes, n_logged, scale, G, v, new)
        else:
            _multiply(kernel, v, new)
        _add_multiple(new, -beta[m], before)
        alpha[m] = _dot(v, new)
        _add_multiple(new, -alpha[m], v)
        beta[m + 1] = np.sqrt(_dot(new, new))
        before, v, new = v, new / beta[m + 1], before
        if m % 5 == 4 or m == most - 1 or beta[m + 1] < 1e-12 * scale:
            smallest, last = _smallest_ritz(alpha, beta, m + 1)
            residual = beta[m + 1] * last
            if smallest <= 0.0:
                return -1.0
            if residual <= _LOOSE * smallest:
                return smallest - residual
    return -1.0


@njit(cache=True, error_model="numpy")
def _smallest_ritz(alpha, beta, m):
    """Smallest eigenvalue of a tridiagonal matrix, and the last entry of its unit eigenvector."""
    T = np.zeros((m, m))
    for i in range(m):
        T[i, i] = alpha[i]
        if i > 0:
            T[i, i - 1] = T[i - 1, i] = beta[i]
    values, vectors = np.linalg.eigh(T)
    return values[0], abs(vectors[m - 1, 0])


@njit(cache=True, error_model="numpy")
def _multiply_logged(logged, logged_sizes, n_logged, scale, G, x, out):
    for i in range(len(x)):
        out[i] = scale * x[i]
    for t in range(n_logged):
        i, j, k = logged[t]
        xi, xj, xk, size = x[i], x[j], x[k], logged_sizes[t]
        out[i] -= size * (G[0, 1] * xj + G[0, 2] * xk)
        out[j] -= size * (G[1, 0] * xi + G[1, 1] * xj)
        out[k] -= size * (G[2, 0] * xi + G[2, 2] * xk)
