"""How fast pattern search MDS moves points, and how it compares with SMACOF, on a Swiss roll.

Times are CPU seconds of one thread; the speed of the search is by the clock on the wall. An
evaluation is one of the distance between a candidate place of a point and another point.
"""

import argparse

import numpy as np
from sklearn.datasets import make_swiss_roll
from sklearn.manifold import MDS, ClassicalMDS

from closerthan.mds import SMACOF, PatternSearchMDS, geodesic_distances
from timing import best_of, cpu_seconds


def distances(n_points):
    """Geodesic distances of a Swiss roll."""
    points, _ = make_swiss_roll(n_points, random_state=0)
    D = geodesic_distances(points, 12, bridge=True)
    return (D + D.T) / 2


def evaluations_a_second(D, start, n_jobs, repeats):
    """The best of some searches of two epochs, by their own clock, after one that warms up."""
    two_epochs = {"radius": 0.1, "min_radius": 0.05, "tol": 1.0}
    model = PatternSearchMDS(
        start.shape[1], metric="precomputed", init=start, n_jobs=n_jobs, **two_epochs
    )
    rates = []
    for _ in range(1 + repeats):
        history = model.fit(D).history_
        passed = history.iloc[-1] - history.iloc[0]
        rates.append(passed.evaluations / passed.seconds)
    return max(rates[1:])


def print_speed(repeats):
    """Evaluations a second of the search, by one thread and by two."""
    print("billion evaluations a second")
    print(f"{'N':>6}{'L':>4}{'one thread':>12}{'two threads / one':>20}")
    for n_points, n_components in ((300, 2), (1000, 2), (3000, 2), (1000, 10), (1000, 20)):
        rng = np.random.default_rng(0)
        D = rng.uniform(size=(n_points, n_points))
        D, start = (D + D.T) / 2, rng.normal(size=(n_points, n_components))
        np.fill_diagonal(D, 0.0)
        one, two = (evaluations_a_second(D, start, n_jobs, repeats) for n_jobs in (1, 2))
        print(f"{n_points:>6}{n_components:>4}{one / 1e9:>12.2f}{two / one:>20.2f}", flush=True)


def first_epoch(history, stress):
    """The epoch after which the stress is first at most that, or None."""
    there = np.flatnonzero(history.stress <= stress)
    return there[0] if there.size else None


def print_comparison(sizes, peer_most):
    """Whole fits, their stress over the least, and when they come within 1.001 of it.

    scikit-learn starts from classical MDS, its best setting, and is told how many iterations it
    needs, which are those of a plain SMACOF from the same start.
    """
    print("\nSwiss roll: whole fits, their stress over the least, and seconds to 1.001 of it")
    print(f"{'N':>6}  {'method':<22}{'CPU s':>9}{'epochs':>8}{'stress':>9}{'to 1.001':>10}")
    for n_points in sizes:
        D = distances(n_points)
        least = SMACOF(metric="precomputed", eps=1e-13).fit(D).stress_
        for Model in (PatternSearchMDS, SMACOF):
            model = Model(metric="precomputed")
            seconds = best_of(lambda m=model, d=D: m.fit(d), repeats=3)
            when = model.history_.seconds.to_numpy()
            near = first_epoch(model.history_, 1.001 * least)
            rest = (when[-1] - when[near]) / when[-1]  # the share of the search that comes after
            _print_line(n_points, model, seconds, least, seconds * (1 - rest))
        if n_points <= peer_most:
            start = ClassicalMDS(2, metric="precomputed").fit_transform(D)
            path = SMACOF(metric="precomputed", init=start, accelerate=False, eps=0, max_iter=500)
            near = first_epoch(path.fit(D).history_, 1.001 * least)
            settings = {"metric": "precomputed", "init": "classical_mds", "eps": 0.0}
            peer = MDS(max_iter=int(near) + 1, **settings)
            seconds = cpu_seconds(lambda m=peer, d=D: m.fit(d))
            _print_line(n_points, peer, seconds, least, seconds)


def _print_line(n_points, model, seconds, least, near):
    line = f"{n_points:>6}  {type(model).__name__:<22}{seconds:>9.3f}{model.n_iter_:>8}"
    print(line + f"{model.stress_ / least:>9.4f}{near:>10.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[300, 1000, 3000])
    parser.add_argument("--peer-most", type=int, default=3000, help="largest N for scikit-learn")
    parser.add_argument("--repeats", type=int, default=15)
    arguments = parser.parse_args()
    print_speed(arguments.repeats)
    print_comparison(arguments.sizes, arguments.peer_most)


if __name__ == "__main__":
    main()
