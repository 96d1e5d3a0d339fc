"""Measure the speed of pattern search MDS: evaluations per wall-clock second.

An evaluation computes the distance from a candidate position of a point to another point.
"""

import argparse

import numpy as np

import timing  # noqa: F401  (holds BLAS to one thread)
from closerthan.mds import PatternSearchMDS


def evaluations_a_second(D, start, n_jobs, repeats):
    """Return the best of several searches of two epochs, after one warm-up search."""
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
    """Print the evaluations per second of the search, with one thread and with two."""
    print("billion evaluations a second")
    print(f"{'N':>6}{'L':>4}{'one thread':>12}{'two threads / one':>20}")
    for n_points, n_components in ((300, 2), (1000, 2), (3000, 2), (1000, 10), (1000, 20)):
        rng = np.random.default_rng(0)
        D = rng.uniform(size=(n_points, n_points))
        D, start = (D + D.T) / 2, rng.normal(size=(n_points, n_components))
        np.fill_diagonal(D, 0.0)
        one, two = (evaluations_a_second(D, start, n_jobs, repeats) for n_jobs in (1, 2))
        print(f"{n_points:>6}{n_components:>4}{one / 1e9:>12.2f}{two / one:>20.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    print_speed(parser.parse_args().repeats)


if __name__ == "__main__":
    main()
