"""Measure SDCA updates per second, dense and sparse, and their memory traffic.

The same pass in plain numpy is measured for comparison. An update reads and writes each number of
the matrix once; the traffic counts both.
"""

import numpy as np
from scipy.sparse import csr_array, issparse

from closerthan.similarity.accumulator import Accumulator
from timing import cpu_seconds

REG = 0.005
SIZES = {16: 20_000, 64: 10_000, 256: 1_000, 297: 1_000, 1000: 200}  # triplets, each drawn once
N_ROWS = 2_000
REPEATS = 100


def numpy_pass(X, triplets, order, M):
    """Run Algorithm 1 in plain numpy."""
    divisor, alphas = REG * len(triplets), np.zeros(len(triplets))
    for t in order:
        i, j, k = triplets[t]
        x, v = X[i], X[j] - X[k]
        change = (1 - x @ M @ v - alphas[t] / 2) / (0.5 + (x @ x) * (v @ v) / divisor)
        change = max(change, -alphas[t])
        alphas[t] += change
        M += change / divisor * np.outer(x, v)


def compare(X, n, repeats=REPEATS, with_numpy=True):
    """Return updates per CPU second of closerthan and of numpy: the best of several turns."""
    rng = np.random.default_rng(0)
    triplets = (
        rng.integers(N_ROWS, size=(n, 1)) + [0, 1, 2] * rng.integers(1, 900, (n, 1))
    ) % N_ROWS
    order = rng.integers(n, size=n)
    d, sparse = X.shape[1], issparse(X)
    ours, plain = [], []
    for repeat in range(repeats + 1):
        model, alphas = Accumulator(np.zeros((d, d)), False, REG * n, sparse), np.zeros(n)
        arguments = X, triplets, order, alphas
        ours.append(cpu_seconds(lambda a=arguments, m=model: m.advance(*a)))
        if with_numpy and repeat < 3:
            M = np.zeros((d, d))
            plain.append(cpu_seconds(lambda M=M: numpy_pass(X, triplets, order, M)))
            assert np.allclose(M, model.matrix)
    return n / min(ours[1:]), n / min(plain) if plain else None


def sparse_rows(n_features, nnz, rng):
    """Return CSR rows with exactly `nnz` numbers each."""
    columns = np.sort([rng.choice(n_features, nnz, replace=False) for _ in range(N_ROWS)], axis=1)
    values = rng.normal(size=N_ROWS * nnz) / np.sqrt(nnz)
    starts = np.arange(0, N_ROWS * nnz + 1, nnz)
    return csr_array((values, columns.ravel(), starts), shape=(N_ROWS, n_features))


def main():
    rng = np.random.default_rng(0)
    print("dense rows, one thread: thousand updates a CPU second")
    print(f"{'d':>5}{'closerthan':>10}{'GB/s':>8}{'numpy':>10}{'ratio':>8}")
    for d, n in SIZES.items():
        rate, plain = compare(rng.normal(size=(N_ROWS, d)) / np.sqrt(d), n)
        traffic = 2 * 8 * d * d * rate / 1e9
        print(f"{d:>5}{rate / 1e3:>10.1f}{traffic:>8.0f}{plain / 1e3:>10.2f}{rate / plain:>8.0f}")

    print("\nsparse rows, d = 2,000: thousand updates a CPU second")
    print(f"{'nnz':>5}{'closerthan':>10}{'million products a second':>30}")
    for nnz in (5, 10, 20, 40, 80):
        X = sparse_rows(2_000, nnz, rng)
        rate, _ = compare(X, 200_000 // nnz, repeats=5, with_numpy=False)
        print(f"{nnz:>5}{rate / 1e3:>10.1f}{rate * 4 * nnz**2 / 1e6:>30.0f}")


if __name__ == "__main__":
    main()
