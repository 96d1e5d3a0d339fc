"""How many triplet gradients a second the batch gradient of each loss does, in 10 dimensions.

Beside them the same gradient in plain numpy, and, where it can be imported, cblearn's for STE.
cblearn forms an n x n matrix and so runs at the smaller n only.
"""

import numpy as np

from relsim._discovery import class_names
from relsim._simd.rows import pad
from relsim.comparisons import to_quadruplets
from relsim.losses import make_loss
from relsim.optimize import Objective
from timing import best_of

N_TRIPLETS = 200_000
N_COMPONENTS = 10
SIZES = (100, 10_000)


def numpy_gradient(loss, X, quadruplets):
    """Gradient of the mean loss, written as one would without a compiler."""
    i, j, l, k = quadruplets.T
    near, far = X[i] - X[j], X[l] - X[k]
    slopes = loss.slopes((near**2).sum(axis=1), (far**2).sum(axis=1), X.shape[1])
    gradient = np.zeros_like(X)
    for rows, sign, slope, difference in (
        (i, 2, slopes[0], near),
        (j, -2, slopes[0], near),
        (l, 2, slopes[1], far),
        (k, -2, slopes[1], far),
    ):
        np.add.at(gradient, rows, (sign * slope)[:, None] * difference)
    return gradient / len(quadruplets)


def random_triplets(n_objects, rng):
    """Triplets of three different objects each."""
    triplets = rng.integers(n_objects, size=(N_TRIPLETS * 11 // 10, 3))
    i, j, k = triplets.T
    return triplets[(i != j) & (i != k) & (j != k)][:N_TRIPLETS]


def peer_seconds(triplets, X):
    """CPU seconds of cblearn's gradient of the summed STE loss, or None without cblearn."""
    try:
        from cblearn.embedding._ste import _ste_x_grad
    except ImportError:
        return None
    return best_of(lambda: _ste_x_grad(X.ravel(), X.shape, triplets, False), repeats=3)


def main():
    rng = np.random.default_rng(0)
    print(f"million triplet gradients a CPU second, p = {N_COMPONENTS}, one thread")
    print(f"{'loss':<8}" + "".join(f"{f'n = {n:,}':>14}{'numpy':>10}" for n in SIZES))
    for name in class_names("relsim.losses"):
        line = f"{name:<8}"
        for n_objects in SIZES:
            loss = make_loss(name)
            quadruplets = to_quadruplets(random_triplets(n_objects, rng))
            X = rng.normal(scale=0.3, size=(n_objects, N_COMPONENTS))
            objective = Objective(loss, quadruplets, n_objects, N_COMPONENTS)
            padded, out = pad(X), pad(X)
            ours = best_of(lambda o=objective, x=padded, g=out: o.gradient(x, g))
            plain = best_of(lambda a=loss, x=X, q=quadruplets: numpy_gradient(a, x, q), repeats=3)
            assert np.allclose(out[:, :N_COMPONENTS], numpy_gradient(loss, X, quadruplets))
            line += f"{N_TRIPLETS / ours / 1e6:>14.1f}{N_TRIPLETS / plain / 1e6:>10.2f}"
        print(line, flush=True)
    X = rng.normal(scale=0.3, size=(SIZES[0], N_COMPONENTS))
    peer = peer_seconds(random_triplets(SIZES[0], rng), X)
    if peer is not None:
        print(f"cblearn's STE at n = {SIZES[0]}: {N_TRIPLETS / peer / 1e6:.2f}")


if __name__ == "__main__":
    main()
