"""Check stochastic gradient descent on the problem of SDCA beside a loop in numpy."""

import numpy as np

from closerthan.similarity import SDCA
from closerthan_study.baselines.descent import objectives_of_descent

REG = 0.2


def _problem():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(15, 3))
    return X, np.array([rng.choice(15, 3, replace=False) for _ in range(40)])


def _objective(M, X, triplets):
    hinges = [max(0.0, 1 - X[i] @ M @ (X[j] - X[k])) for i, j, k in triplets]
    return np.mean(np.square(hinges)) + REG / 2 * np.sum(M**2)


def test_the_descent_is_the_loop_of_its_formula():
    X, triplets = _problem()
    outer = np.array([np.outer(X[i], X[j] - X[k]) for i, j, k in triplets])
    first = 2 * max(np.sum(outer**2, axis=(1, 2))) / REG  # 1 / (reg gamma)
    rng, M, expected, t = np.random.default_rng(1), np.zeros((3, 3)), [], 0
    for _ in range(4):
        for n in rng.integers(40, size=40):
            t += 1
            gradient = REG * M - 2 * max(0.0, 1 - np.vdot(M, outer[n])) * outer[n]
            M = M - gradient / (REG * (first + t))
        expected.append(_objective(M, X, triplets))
    found = objectives_of_descent(X, triplets, REG, 4, np.random.default_rng(1))
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_the_descent_nears_the_minimum_from_above():
    X, triplets = _problem()
    history = SDCA(REG, n_epochs=400, random_state=0).fit(X, triplets).history_
    above = objectives_of_descent(X, triplets, REG, 400, np.random.default_rng(2))
    above -= history.dual.max()
    assert above.min() > 0 and above[-1] < 0.1 * above[0]
