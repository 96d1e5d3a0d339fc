"""Compare the cost of an update of OnlineKernel with projections by eigendecomposition.

The updates are passive-aggressive steps for random questions about normal points in 50 dimensions.
Times are CPU seconds of one thread. Name a table to run it alone. The exponent is the slope of a
line through the logarithms.
"""

import argparse
import tracemalloc
from itertools import product

import numpy as np
from scipy.sparse.linalg import eigsh

from closerthan import OnlineKernel
from closerthan.comparisons import sample_from_points
from timing import best_of, cpu_seconds

LARGEST = 5000
SIZES = (200, 400, 800, 1600, 3200, 6400, 10_000)


def random_triplets(n_objects, n_triplets):
    """Return answers to random questions about points."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n_objects, 50))
    return sample_from_points(points, n_triplets, replace=True, random_state=rng)


def project_fully(n_objects, triplets):
    """Run passive-aggressive steps with a full eigendecomposition in each projection."""
    K = np.eye(n_objects)
    G = np.array([[0.0, -1.0, 1.0], [-1.0, 1.0, 0.0], [1.0, 0.0, -1.0]])
    for i, j, k in triplets:
        held = K[k, k] - 2 * K[i, k] - K[j, j] + 2 * K[i, j]
        if held < 1.0:
            K[np.ix_((i, j, k), (i, j, k))] -= (1.0 - held) / 6.0 * G
            values, vectors = np.linalg.eigh(K)
            if values[0] < 0.0:
                K -= values[0] * np.outer(vectors[:, 0], vectors[:, 0])
    return K


def time_steps(model, triplets, size):
    """Return the median and mean CPU milliseconds per triplet, and the eigenpairs.

    The median is over pieces of the stream. The piece in which the inverse is refreshed takes
    longer; this happens at least once in n updates.
    """
    seconds, eigenpairs = [], []
    for start in range(0, len(triplets), size):
        before = model.n_eigenpairs_
        piece = triplets[start : start + size]
        seconds.append(cpu_seconds(lambda piece=piece: model.partial_fit(piece)) / len(piece))
        eigenpairs.append((model.n_eigenpairs_ - before) / len(piece))
    return 1e3 * np.median(seconds), 1e3 * np.mean(seconds), np.mean(eigenpairs)


def print_small():
    """Compare 100 objects with `eigh`."""
    triplets = random_triplets(100, 3000)
    ours = best_of(lambda: OnlineKernel(n_objects=100).fit(triplets), repeats=5)
    full = best_of(lambda: project_fully(100, triplets), repeats=2)
    K = OnlineKernel(n_objects=100).fit(triplets).kernel_
    assert np.allclose(K, project_fully(100, triplets), atol=1e-9)
    ms = 1e3 / len(triplets)
    print("n = 100, K0 = I: ms a triplet")
    print(f"ours {ours * ms:.3f}, eigh {full * ms:.3f}, ratio {full / ours:.1f}", flush=True)


def print_sparse():
    """Measure 5,000 objects without negative eigenvalues, with a bound for each and for all."""
    print(f"n = {LARGEST:,}, 10,000 triplets, nothing negative")
    print(f"{'K0':>6}{'bound':>10}{'ms a triplet':>16}{'eigenpairs':>14}{'projected':>12}")
    triplets = random_triplets(LARGEST, 10_000)
    for scale, bound in product((50, 5), ("objects", "paper")):
        options = {"n_objects": LARGEST, "initial_scale": scale, "bound": bound}
        seconds = []
        for _ in range(3):
            model = OnlineKernel(**options).partial_fit(triplets[:1])
            seconds.append(cpu_seconds(lambda model=model: model.partial_fit(triplets[1:])))
        projected = (model.history_.eigenvalue < 0).sum()
        ms = 1e3 * min(seconds) / len(triplets)
        shown = f"{f'{scale} I':>6}{bound:>10}{ms:>16.4f}{model.n_eigenpairs_:>14,}"
        print(f"{shown}{projected:>12,}", flush=True)


def print_dense():
    """Measure 5,000 objects and the memory, if nearly every triplet needs an eigenpair."""
    triplets = random_triplets(LARGEST, 6000)
    model = OnlineKernel(n_objects=LARGEST)
    tracemalloc.start()
    first = cpu_seconds(lambda: model.partial_fit(triplets[:5000]))
    median, mean, eigenpairs = time_steps(model, triplets[5000:5100], 10)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    K = model.kernel_
    one = 1e3 * cpu_seconds(lambda: eigsh(K, 1, which="SA"))
    print(f"n = {LARGEST:,}, K0 = I, after 5,000 triplets ({first:.0f} s)")
    print(f"ms an update {median:.1f} (mean {mean:.1f}), eigenpairs an update {eigenpairs:.2f}")
    print(f"ms of dense eigsh {one:.0f}, ratio {one / mean:.0f}")
    print(f"peak memory {peak / (8 * LARGEST**2):.2f} n x n arrays", flush=True)


def print_growth(plot):
    """Measure the cost of an update over the number of objects, once kernels are dense."""
    print(f"{'n':>8}{'ms an update':>16}{'eigenpairs an update':>24}")
    costs = []
    for n in SIZES:
        n_steps = int(np.clip(400_000 // n, 40, 500))
        # From a small multiple of the identity kernels are dense after few triplets. The passes of
        # an update become more with the triplets so far: these are the same share of every n.
        first = n // 4
        triplets = random_triplets(n, first + n_steps)
        model = OnlineKernel(n_objects=n, initial_scale=0.05).partial_fit(triplets[:first])
        median, _, eigenpairs = time_steps(model, triplets[first:], n_steps // 10)
        costs.append(median)
        print(f"{n:>8,}{median:>16.3f}{eigenpairs:>24.2f}", flush=True)
    exponent, _ = np.polyfit(np.log(SIZES), np.log(costs), 1)
    upper, _ = np.polyfit(np.log(SIZES[3:]), np.log(costs[3:]), 1)
    print(f"exponent {exponent:.2f}, from n = {SIZES[3]:,} {upper:.2f}")
    if plot:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(5, 4), layout="constrained")
        axes.loglog(SIZES, costs, "o-", label=f"OnlineKernel, exponent {exponent:.2f}")
        axes.set(xlabel="objects", ylabel="CPU ms an update")
        axes.legend()
        figure.savefig(plot, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=["small", "sparse", "dense", "growth"])
    parser.add_argument("--plot", help="file for the plot of cost over the number of objects")
    arguments = parser.parse_args()
    tables = {
        "small": print_small,
        "sparse": print_sparse,
        "dense": print_dense,
        "growth": lambda: print_growth(arguments.plot),
    }
    OnlineKernel(initial_scale=0.1).fit(random_triplets(5, 50))  # compiles
    for name in arguments.tables:
        tables[name]()


if __name__ == "__main__":
    main()
