"""Write problems with a known answer to files, so that all contenders read the same data."""

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from closerthan.comparisons import sample_from_points, swap_answers

N_TEST = 10_000


@contextmanager
def written(n, data="comparisons", **settings):
    """Yield the path of a file with the arrays of a problem, named by its function."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "data.npz")
        np.savez(path, **globals()[data](n, **settings))
        yield str(path)


def comparisons(n, triplets, p, noise=0.0, start="same", loss="ste", seed=0):
    """Return triplets of Gaussian points with a share swapped, and test triplets without noise.

    With the start "own", each contender uses its own start. Otherwise all start from the same
    points.
    """
    # A spawned seed: no random start of a package repeats the numbers that made the points.
    seeds = np.random.SeedSequence([seed, n, triplets, p]).spawn(4)
    points = np.random.default_rng(seeds[0]).normal(size=(n, p))
    train = sample_from_points(points, triplets, replace=True, random_state=seeds[1])
    test = sample_from_points(points, N_TEST, replace=True, random_state=seeds[2])
    rng = np.random.default_rng(seeds[3])
    train, _ = swap_answers(train, noise, random_state=rng)
    arrays = {"train": train, "test": test, "n": n, "p": p, "loss": loss}
    if start == "same":
        arrays["start"] = rng.normal(scale=np.sqrt(0.5 / p), size=(n, p))
    return arrays


def swiss_roll(n):
    """Return the geodesic distances of points on a Swiss roll."""
    from sklearn.datasets import make_swiss_roll

    from closerthan.mds import geodesic_distances

    points, _ = make_swiss_roll(n, random_state=0)
    distances = geodesic_distances(points, 12, bridge=True)
    return {"distances": (distances + distances.T) / 2}


def digits(n):
    """Return the distances of scikit-learn's digits."""
    from scipy.spatial.distance import pdist, squareform
    from sklearn.datasets import load_digits

    return {"distances": squareform(pdist(load_digits().data[:n]))}


def mixture(n, n_features=16, n_classes=10):
    """Return overlapping classes; some features are pure noise, as strong as the signal."""
    from closerthan.comparisons import sample_from_labels
    from closerthan_study.baselines import pairs_from_triplets

    rng = np.random.default_rng(0)
    centers = rng.normal(scale=0.3, size=(n_classes, n_features))
    y = rng.integers(n_classes, size=2 * n)
    X = rng.normal(scale=np.linspace(0.2, 1.0, n_features), size=(2 * n, n_features)) + centers[y]
    triplets = sample_from_labels(y[:n], 5 * n // 2, replace=True, random_state=0)
    pairs, sides = pairs_from_triplets(triplets)
    known = {"X": X[:n], "y": y[:n], "pairs": pairs, "sides": sides}
    return {**known, "X_test": X[n:], "y_test": y[n:]}
