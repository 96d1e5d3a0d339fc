"""How fast pattern search MDS moves points, and how it compares with SMACOF, on a Swiss roll.

Times are CPU seconds of one thread, those of threads wall-clock seconds. An evaluation is that of
the distance between one candidate place of a point and one other point.
"""

import argparse
import time

import numpy as np
from sklearn.datasets import make_swiss_roll
from sklearn.manifold import smacof

from relsim.mds import SMACOF, PatternSearchMDS, geodesic_distances
from relsim.mds.problem import Problem, as_columns
from timing import best_of, cpu_seconds


def distances(n_points):
    """Geodesic distances of a Swiss roll."""
    points, _ = make_swiss_roll(n_points, random_state=0)
    D = geodesic_distances(points, 12, bridge=True)
    return (D + D.T) / 2


def wall_seconds(function, repeats):
    """Smallest number of wall-clock seconds of a call, after one call that warms up."""
    function()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def print_speed(repeats):
    """Evaluations a second of one epoch, by one thread and by two."""
    print("billion evaluations a second")
    print(f"{'N':>6}{'L':>4}{'one thread':>12}{'two threads / one':>20}")
    for n_points, n_components in ((300, 2), (1000, 2), (3000, 2), (1000, 10), (1000, 20)):
        rng = np.random.default_rng(0)
        D = rng.uniform(size=(n_points, n_points))
        start, dims = rng.normal(size=(n_points, n_components)), np.arange(n_components)

        def epoch(n_threads, D=D, start=start, dims=dims):
            problem = Problem(D, n_threads=n_threads)
            X = as_columns(start)
            return lambda: problem.epoch(X, dims, 0.1, True)

        evaluations = 2 * n_components * n_points * (n_points - 1)
        rate = evaluations / best_of(epoch(1), repeats) / 1e9
        ratio = wall_seconds(epoch(1), repeats) / wall_seconds(epoch(2), repeats)
        print(f"{n_points:>6}{n_components:>4}{rate:>12.2f}{ratio:>20.2f}", flush=True)


def first_epoch(history, stress):
    """The epoch after which the stress is first at most that, or None."""
    there = np.flatnonzero(history.stress <= stress)
    return there[0] if there.size else None


def print_comparison(sizes, peer_most):
    """Whole fits from one start, their stress over the least, and when they come near it.

    scikit-learn's SMACOF takes the path of ours, so its seconds to a stress within 1.001 of the
    least are those of as many iterations.
    """
    print("\nSwiss roll: whole fits, their stress over the least, and epochs to 1.001 of it")
    print(f"{'N':>6}  {'method':<22}{'CPU s':>9}{'epochs':>8}{'stress':>9}{'to 1.001':>10}")
    for n_points in sizes:
        D = distances(n_points)
        start = np.random.default_rng(0).uniform(size=(n_points, 2))
        settings = {"metric": "precomputed", "init": start}
        models = {
            "pattern search": PatternSearchMDS(**settings),
            "SMACOF": SMACOF(**settings),
            "SMACOF, eps=1e-10": SMACOF(eps=1e-10, max_iter=3000, **settings),
        }
        seconds = {
            name: best_of(lambda m=model, d=D: m.fit(d), repeats=3)
            for name, model in models.items()
        }
        least = models["SMACOF, eps=1e-10"].stress_
        for name, model in models.items():
            near = first_epoch(model.history_, 1.001 * least)
            print(_line(n_points, name, seconds[name], model.n_iter_, model.stress_ / least, near))
        if n_points > peer_most:
            continue
        for name, limits in {
            "scikit-learn": {},
            "scikit-learn to 1.001": {"max_iter": int(near), "eps": 0.0},
        }.items():
            found = []
            taken = cpu_seconds(
                lambda d=D, x=start, limits=limits, out=found: out.extend(
                    smacof(d, init=x, n_init=1, return_n_iter=True, **limits)
                )
            )
            print(_line(n_points, name, taken, found[2], found[1] / least, None), flush=True)


def _line(n_points, name, seconds, n_epochs, stress, near):
    line = f"{n_points:>6}  {name:<22}{seconds:>9.3f}{n_epochs:>8}{stress:>9.4f}"
    return line + f"{'-' if near is None else near:>10}"


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
