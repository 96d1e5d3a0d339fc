"""A kernel that is updated by one comparison at a time and stays positive semidefinite.

A step is K' = K - gamma G. G has three nonzero rows and columns, and the eigenvalues e, 0 and -e.
Let u and w be the unit eigenvectors of e and -e. Then K' = M - gamma e uu' and M = K + gamma e ww'.
By Weyl's inequality, at most one eigenvalue of K' is negative. Removing it gives the nearest
positive semidefinite matrix (Theorem 4.1 of Heim et al., 2015). It is found exactly, in a dozen
passes over half a matrix:

- Each object has a bound, and K minus the diagonal matrix of the bounds stays positive
  semidefinite. A step lowers the bounds of its three objects by gamma e. While no bound is
  negative, no eigenvalue is. The paper has a single bound, which every step lowers.
- If a bound is used up before the first projection, K is still a sum of few sparse steps. Lanczos
  steps on this sum give a lower bound on the smallest eigenvalue, which renews all bounds. It holds
  except with a probability below one in a million.
- After the first projection K is dense and mostly singular. An eigenvector v with K'v = lambda v
  and lambda < 0 is (M - lambda)^-1 u, up to its length, and 1 = gamma e u'(M - lambda)^-1 u. With
  P = (M + shift)^-1, Lanczos steps on P from u turn this into an equation of a tridiagonal matrix.
  P is updated together with K, and computed anew when rounding errors have grown. The residual of
  every eigenvector is checked against K itself.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, eigh
from scipy.linalg.lapack import dpotrf, dpotri

from closerthan._core.compiled import compiled
from closerthan._core.threads import one_blas_thread
from closerthan.kernels.lanczos import bound_from_inverse, bound_from_steps, negative_eigenpair
from closerthan.kernels.triangle import (
    add_at,
    add_gathered,
    add_multiple,
    add_three,
    dot_three,
    enlarge,
    enlarge_triangle,
    fast_dot,
    gather_term,
    has_room,
    make_triangle,
    multiply,
    multiply_three,
    squared_kernel_distance,
    squared_kernel_distances,
    to_dense,
)

_EXACT = 1e-12  # residual of an eigenvector, in units of the largest entry of the kernel
_DONE, _PAUSE, _ADD_GATHERED, _REFRESH = range(4)  # why `_follow` returns
_ENTRIES = 10**8  # entries of kernels whose eigenpairs are computed between pauses: a second
_PASSIVE_AGGRESSIVE, _HINGE, _LOGISTIC = range(3)
RULES = {"passive-aggressive": _PASSIVE_AGGRESSIVE, "gnmds": _HINGE, "ste": _LOGISTIC}


class Gradient(NamedTuple):
    """The matrix G of a step, at the three rows and columns of its triplet.

    Its eigenvalues are `eigenvalue`, 0 and -`eigenvalue`. `u` and `w` are the eigenvectors of the
    first and the last. `slope` is the growth of d^2(i, k) - d^2(i, j) along -G.
    """

    matrix: np.ndarray
    u: np.ndarray
    w: np.ndarray
    eigenvalue: float
    slope: float


def _make_gradient(off_diagonal):
    a = off_diagonal
    matrix = np.array([[0.0, -a, a], [-a, 1.0, 0.0], [a, 0.0, -1.0]])
    values, vectors = np.linalg.eigh(matrix)
    u, w = vectors[:, 2].copy(), vectors[:, 0].copy()
    return Gradient(matrix, u, w, float(values[2]), 2.0 + 4.0 * a)


GRADIENTS = {"symmetric": _make_gradient(1.0), "paper": _make_gradient(2.0)}  # (4.10) as printed
BOUNDS = ("objects", "paper")


class Log(NamedTuple):
    """The steps before the first projection, as many as fit."""

    triplets: np.ndarray
    sizes: np.ndarray


_STATE = np.dtype(
    [
        ("n_eigenpairs", np.int64),
        ("n_steps", np.int64),  # before the first projection, with those not in the log
        # State of the inverse: its shift, and the kernel's largest entry when it was computed. Then
        # counts of eigenpairs since: all, the number that triggers a refresh, and the negative ones
        # with the sum of their logarithms.
        ("shift", np.float64),
        ("largest", np.float64),
        ("age", np.int64),
        ("most_age", np.int64),
        ("n_negative", np.int64),
        ("sum_of_logarithms", np.float64),
    ]
)


class ProjectedKernel:
    """A kernel that starts as a multiple of the identity; see `OnlineKernel` for the arguments."""

    def __init__(self, n_objects, scale, gradient, bound="objects"):
        self.scale = float(scale)
        self.gradient = gradient
        self._states = np.zeros(1, dtype=_STATE).view(np.recarray)
        self._bounds = np.empty(0)  # K minus their diagonal matrix is positive semidefinite
        self._one_bound = bound == "paper"
        self._log = Log(np.empty((0, 3), dtype=np.int64), np.empty(0))
        self._kernel = make_triangle()
        self._inverse = make_triangle()
        self.grow(n_objects)

    @property
    def n_objects(self):
        """Number of objects."""
        return len(self._kernel.lower)

    @property
    def _state(self):
        # Part of an array, because compiled functions cannot write to an unpickled record.
        return self._states[0]

    @property
    def n_eigenpairs(self):
        """How often the smallest eigenvalue was computed or bounded."""
        return int(self._state.n_eigenpairs)

    def grow(self, n_objects):
        """Add objects that are unrelated to the others."""
        new = np.arange(self.n_objects, n_objects)
        # BLAS adds many gathered terms at once, which is faster the more there are. But they should
        # cost less than a pass over the triangle.
        room = max(4, min(n_objects // 8, 48))
        self._kernel = enlarge_triangle(self._kernel, n_objects, room)
        self._kernel.lower[new, new] = self.scale
        if len(self._inverse.lower):
            self._inverse = enlarge_triangle(self._inverse, n_objects, 3 * room)
            self._inverse.lower[new, new] = 1.0 / (self.scale + self._state.shift)
        if self._state.n_steps <= len(self._log.sizes):  # else it lacks some, and stays as it is
            n_logged = max(64, n_objects**2 // 64)  # more would cost more than the kernel itself
            triplets = enlarge(self._log.triplets, (n_logged, 3))
            self._log = Log(triplets, enlarge(self._log.sizes, (n_logged,)))
        # A seed that users are unlikely to choose for their data.
        rng = np.random.default_rng(4_201_547)
        self._start = rng.standard_normal(n_objects) / np.sqrt(n_objects)
        self._bounds = np.append(self._bounds, np.full(len(new), self.scale))
        if self._one_bound:
            self._bounds[:] = self._bounds.min()

    def follow(self, triplets, rule, deltas, margin, asked_to_stop=lambda: False):
        """Make a projected step for each triplet in turn; stop early if `asked_to_stop()`.

        Returns a record of each step: d^2(i, k) - d^2(i, j) before it, its size, and the removed
        eigenvalue.
        """
        records = np.zeros((len(triplets), 3))
        done, reason = 0, _PAUSE
        at_once = max(1, _ENTRIES // self.n_objects**2)
        while reason != _DONE and not asked_to_stop():
            matrices = self._kernel, self._inverse, self._log, self._state, self._start
            bounds = self._bounds, self._one_bound
            steps = GRADIENTS[self.gradient], triplets, RULES[rule], deltas, margin
            done, reason = _follow(*matrices, *bounds, *steps, records, done, at_once)
            if reason in (_ADD_GATHERED, _REFRESH):
                with one_blas_thread(self.n_objects):
                    done += self._prepare(reason, triplets[done], records[done])
        return records[:done]

    def squared_distances(self, i, j):
        """Return the squared distances of pairs of objects, given as arrays of ids."""
        return squared_kernel_distances(self._kernel, i, j)

    def to_dense(self):
        """Return the kernel as a full matrix."""
        return to_dense(self._kernel)

    def _prepare(self, reason, triplet, record):
        """Prepare the next step; return the number of steps made on the way (0 or 1)."""
        if reason == _ADD_GATHERED:
            add_gathered(self._kernel)
            add_gathered(self._inverse)
        elif not len(self._inverse.lower) or self._state.age:
            self._refresh(record[1])
        else:  # a fresh inverse did not help: the last resort, never needed in our runs
            self._project_fully(triplet, record)
            return 1
        return 0

    def _refresh(self, size):
        """Recompute the inverse, with a shift that suits the eigenvalues met so far.

        Lanczos needs the fewest steps if the shift is about their geometric mean. This mean drifts,
        so the first refreshes come early, and later ones after n_objects updates.
        """
        add_gathered(self._kernel)
        n, state = self.n_objects, self._state
        largest = max(self._kernel.lower.diagonal().max(), size)
        shift = 1e-3 * largest
        if state.n_negative:
            shift = max(np.exp(state.sum_of_logarithms / state.n_negative), 1e-4 * largest)
        state.shift, state.largest = shift, largest
        state.age, state.n_negative, state.sum_of_logarithms = 0, 0, 0.0
        state.most_age = np.clip(2 * state.most_age or n // 16, 4, n)
        if not len(self._inverse.lower):
            self._inverse = enlarge_triangle(self._inverse, n, 3 * len(self._kernel.signs))
        self._inverse.n_gathered[0] = 0
        self._inverse.lower[:] = self._kernel.lower
        self._inverse.lower[np.diag_indices(n)] += shift
        # In the order of LAPACK, which then writes to it in place; so it is the upper triangle.
        transposed = self._inverse.lower.T
        _, failed = dpotrf(transposed, lower=0, clean=0, overwrite_a=1)
        if not failed:
            _, failed = dpotri(transposed, lower=0, overwrite_c=1)
        if failed:
            raise LinAlgError("the kernel is not positive semidefinite")

    def _project_fully(self, triplet, record):
        K = self.to_dense()
        K[np.ix_(triplet, triplet)] -= record[1] * GRADIENTS[self.gradient].matrix
        values, vectors = eigh(K, subset_by_index=[0, 0])
        if values[0] < 0.0:
            record[2] = values[0]
            K -= values[0] * np.outer(vectors, vectors)
        self._kernel.lower[:] = K
        self._kernel.n_gathered[0] = 0
        self._bounds[:] = 0.0
        self._state.n_eigenpairs += 1
        self._refresh(record[1])


@compiled
def _follow(
    kernel, inverse, log, state, start_vector, bounds, one_bound,
    gradient, triplets, rule, deltas, margin, records, first, at_once,
):  # fmt: skip
    """Make steps until all are done, or until the caller must add or refresh something."""
    last_eigenpair = state.n_eigenpairs + at_once
    for t in range(first, len(triplets)):
        if state.n_eigenpairs >= last_eigenpair:
            return t, _PAUSE
        triplet = triplets[t]
        i, j, k = triplet
        held = squared_kernel_distance(kernel, i, k) - squared_kernel_distance(kernel, i, j)
        size = _step_size(rule, held, deltas[t], margin, gradient.slope)
        records[t, 0], records[t, 1] = held, size
        if size <= 0.0:
            continue
        force, bound = size * gradient.eigenvalue, 0.0
        certain = min(bounds[i], bounds[j], bounds[k]) >= force
        if len(inverse.lower) == 0:
            if not certain:
                bound = bound_from_steps(
                    kernel, log, state.n_steps, gradient, triplet, size, start_vector
                )
                if bound < 0.0:
                    return t, _REFRESH
                state.n_eigenpairs += 1
            if state.n_steps < len(log.sizes):
                log.triplets[state.n_steps] = triplet
                log.sizes[state.n_steps] = size
            state.n_steps += 1
        elif certain:
            # To update the inverse would cost a pass over it. Instead, the next step that needs it
            # finds it too old, unless the step was as small as the rounding errors in it.
            if force > _EXACT * state.largest:
                state.age = state.most_age + 1
        else:
            if state.age > state.most_age:
                return t, _REFRESH
            if not (has_room(kernel, 1) and has_room(inverse, 3)):
                return t, _ADD_GATHERED
            found, eigenvalue = _remove_negative(kernel, inverse, state, gradient, triplet, size)
            if not found:
                return t, _REFRESH
            state.n_eigenpairs += 1
            state.age += 1
            records[t, 2] = eigenvalue
            if eigenvalue == 0.0:
                bound = bound_from_inverse(inverse, state.shift, start_vector)
        add_at(kernel, triplet, -size, gradient.matrix)
        if not certain:
            bounds[:] = bound
        elif one_bound:
            bounds -= force
        else:
            for p in range(3):
                bounds[triplet[p]] -= force
    return len(triplets), _DONE


@compiled
def _step_size(rule, held, delta, margin, slope):
    """Return the step size: delta times f(K, t) of (4.11) to (4.13), or times (4.18)."""
    if rule == _LOGISTIC:
        return delta / (1.0 + np.exp(held))
    if held >= margin:
        return 0.0
    return delta if rule == _HINGE else delta * (margin - held) / slope


@compiled
def _remove_negative(kernel, inverse, state, gradient, triplet, size):
    """Remove the negative eigenvalue that a step is about to cause, if any.

    Gathers its term for the kernel, and for the inverse also the terms of the step. Returns whether
    the inverse was accurate enough (if not, nothing is changed), and the eigenvalue or zero.
    """
    n = len(kernel.lower)
    u, w, force = gradient.u, gradient.w, size * gradient.eigenvalue
    tolerance = _EXACT * state.largest
    n_gathered = inverse.n_gathered[0]
    p_w, p_u, m_v, p_v = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    multiply_three(inverse, triplet, w, p_w)
    _update_inverse(inverse, force, p_w, dot_three(p_w, triplet, w))  # now it is that of M
    multiply_three(inverse, triplet, u, p_u)
    found, v, eigenvalue = negative_eigenpair(
        inverse, state.shift, triplet, u, p_u, force, tolerance
    )
    if found:
        multiply(kernel, v, m_v)
        add_three(m_v, force * dot_three(v, triplet, w), triplet, w)
        found = _is_solution(m_v, v, eigenvalue, triplet, u, 100.0 * tolerance)
    if not found:
        inverse.n_gathered[0] = n_gathered
        return False, 0.0
    norm2 = fast_dot(v, v)
    if eigenvalue < 0.0:
        # The Rayleigh quotient of K' is more accurate than the root of the equation.
        eigenvalue = (fast_dot(v, m_v) - force * dot_three(v, triplet, u) ** 2) / norm2
    if eigenvalue < 0.0:
        v *= 1.0 / np.sqrt(norm2)
        gather_term(kernel, -eigenvalue, v)
        multiply(inverse, v, p_v)
        weight = _update_inverse(inverse, -eigenvalue, p_v, fast_dot(v, p_v))
        add_multiple(p_u, weight * dot_three(p_v, triplet, u), p_v)  # now P u of the new P
        state.n_negative += 1
        state.sum_of_logarithms += np.log(max(-eigenvalue, 1e-6 * state.largest))
    _update_inverse(inverse, -force, p_u, dot_three(p_u, triplet, u))
    return True, min(eigenvalue, 0.0)


@compiled
def _is_solution(product, x, eigenvalue, triplet, u, tolerance):
    """Return whether (M - eigenvalue) x = u, where `product` is M x."""
    residual = product - eigenvalue * x
    add_three(residual, -1.0, triplet, u)
    return fast_dot(residual, residual) <= tolerance**2 * fast_dot(x, x)


@compiled
def _update_inverse(inverse, weight, product, along):
    """Update the inverse for the addition of weight * x x' (Sherman-Morrison formula).

    `product` is the inverse times x, and `along` is its inner product with x.
    """
    weight = -weight / (1.0 + weight * along)
    gather_term(inverse, weight, product)
    return weight
