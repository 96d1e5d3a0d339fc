"""How much faster SVRG's inner loop is with the mean gradient applied lazily than densely.

One mini-batch is one triplet, so the dense loop, compiled too, moves all n points for each.
"""

import numpy as np
from numba import njit

from relsim._simd.rows import add_difference, pad, squared_distance
from relsim.comparisons import to_quadruplets
from relsim.losses import STE
from relsim.optimize import Objective
from relsim.optimize.svrg import inner_steps
from timing import best_of

N_COMPONENTS = 10
STEP_SIZE = 1e-4
LAZY_STEPS, DENSE_STEPS = 100_000, 1_000


@njit(error_model="numpy")
def dense_steps(slopes, X, anchor, gradient, anchor_slopes, quadruplets, draws, step_size):
    """Algorithm 1 as printed: every step moves every point by the mean gradient."""
    a, b, da, db = np.empty(1), np.empty(1), np.empty(1), np.empty(1)
    change = np.zeros_like(X)
    for q in draws:
        i, j, l, k = quadruplets[q]
        a[0], b[0] = squared_distance(X, i, j), squared_distance(X, l, k)
        slopes(a, b, 0.0, da, db)
        add_difference(change, 2.0 * da[0], X, i, j)
        add_difference(change, 2.0 * db[0], X, l, k)
        add_difference(change, -2.0 * anchor_slopes[0, q], anchor, i, j)
        add_difference(change, -2.0 * anchor_slopes[1, q], anchor, l, k)
        for r in (i, j, l, k):
            X[r] -= step_size * change[r]
            change[r] = 0.0
        for r in range(len(X)):
            for d in range(X.shape[1]):
                X[r, d] -= step_size * gradient[r, d]


def compare(n_objects, rng):
    """CPU seconds of a lazy and of a dense inner step."""
    triplets = np.argsort(rng.random((LAZY_STEPS, 4)), axis=1)[:, :3]
    triplets = (triplets + rng.integers(n_objects, size=(LAZY_STEPS, 1))) % n_objects
    objective = Objective(STE(), to_quadruplets(triplets), n_objects, N_COMPONENTS)
    anchor = pad(rng.normal(scale=0.3, size=(n_objects, N_COMPONENTS)))
    gradient, slopes = np.empty_like(anchor), np.empty((2, LAZY_STEPS))
    objective.gradient(anchor, gradient, slopes)
    draws = rng.integers(LAZY_STEPS, size=LAZY_STEPS)

    def lazy(X, draws):
        inner_steps(
            STE._slopes.pointer, 0.0, X, anchor, gradient, slopes,
            objective.quadruplets, objective.weights, draws[:, None], STEP_SIZE,
        )  # fmt: skip

    def dense(X, draws):
        dense_steps(
            STE._slopes.pointer, X, anchor, gradient, slopes,
            objective.quadruplets, draws, STEP_SIZE,
        )  # fmt: skip

    few = draws[:DENSE_STEPS]
    one, other = anchor.copy(), anchor.copy()
    lazy(one, few)
    dense(other, few)
    assert np.allclose(one, other, rtol=1e-10, atol=1e-12)
    X = anchor.copy()
    return (
        best_of(lambda: lazy(X, draws), repeats=5) / LAZY_STEPS,
        best_of(lambda: dense(X, few), repeats=3) / DENSE_STEPS,
    )


def main():
    rng = np.random.default_rng(0)
    print(f"CPU microseconds an inner step, b = 1, p = {N_COMPONENTS}, one thread")
    print(f"{'n':>8}{'lazy':>10}{'dense':>10}{'dense/lazy':>12}")
    for n_objects in (100, 1_000, 10_000):
        lazy, dense = compare(n_objects, rng)
        print(f"{n_objects:>8,}{1e6 * lazy:>10.3f}{1e6 * dense:>10.2f}{dense / lazy:>12.1f}")


if __name__ == "__main__":
    main()
