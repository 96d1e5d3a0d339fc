"""Check the average of the matrices of SDCA beside one that is summed step by step."""

import numpy as np

from closerthan.similarity import SDCA
from closerthan_study.tasks.similarity.averaged import AveragedSDCA


def _matrices(X, triplets, reg, n_epochs):
    """Return the matrix after each step of Algorithm 1, and the triplets' order of SDCA."""
    rng, n = np.random.default_rng(0), len(triplets)
    M, alphas, found = np.zeros((X.shape[1],) * 2), np.zeros(n), []
    for t in np.concatenate([rng.integers(n, size=n) for _ in range(n_epochs)]):
        i, j, k = triplets[t]
        outer = np.outer(X[i], X[j] - X[k])
        change = 1 - np.vdot(M, outer) - alphas[t] / 2
        change /= 0.5 + np.sum(outer**2) / (reg * n)
        change = max(change, -alphas[t])
        alphas[t] += change
        M = M + change * outer / (reg * n)
        found.append(M)
    return np.array(found)


def test_the_average_is_of_the_matrices_of_the_second_half():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(12, 4))
    triplets = np.array([rng.choice(12, 3, replace=False) for _ in range(25)])
    matrices = _matrices(X, triplets, 0.3, 8)  # 200 steps: one between two looks
    settings = {"reg": 0.3, "n_epochs": 8, "random_state": 0}
    average = AveragedSDCA(average=True, **settings).fit(X, triplets)
    np.testing.assert_allclose(average.similarity_, matrices[100:].mean(axis=0), atol=1e-12)
    last = AveragedSDCA(**settings).fit(X, triplets)
    np.testing.assert_array_equal(last.similarity_, SDCA(**settings).fit(X, triplets).similarity_)
    np.testing.assert_allclose(last.similarity_, matrices[-1], atol=1e-12)
    again = average.fit(X, triplets).similarity_
    np.testing.assert_allclose(again, matrices[100:].mean(axis=0), atol=1e-12)
