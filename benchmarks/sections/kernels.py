"""Gradients compared with the limit of the machine

The limit is a compiled loop that only moves memory: for each triplet it reads three random rows and
adds them to three rows of another array. The share is the CPU time of this loop divided by the CPU
time of the batch gradient, on one thread and in the same turn.
"""

import time

import numpy as np

from closerthan.discovery import short_names
from closerthan.losses import make_loss
from closerthan.optimize import Objective
from limits import row_updates
from tables import spread

SIZES = {"tiny": [50], "full": [100, 10_000, 1_000_000]}
LIMIT = "limit"
TURN = 0.1  # seconds


def cases(size, peers):
    return [{"n": n, "p": p, "triplets": _count(n, size)} for n in SIZES[size] for p in (2, 10)]


def _count(n, size):
    """Return enough triplets to make clearing the gradient a small part of the work."""
    return 10_000 if size == "tiny" else max(200_000, 5 * n)


def measure(case, rounds=7):
    triplets, points = _random(**case)
    runs = {LIMIT: _limit(triplets, points)}
    runs |= {name: _gradient(name, triplets, points) for name in short_names("closerthan.losses")}
    for run in runs.values():
        run()
    return [
        {"what": name, "round": number, "cpu": _cpu_seconds(run)}
        for number in range(rounds)
        for name, run in runs.items()
    ]


def _random(n, p, triplets):
    rng = np.random.default_rng(0)
    drawn = rng.integers(n, size=(triplets * 11 // 10, 3))
    i, j, k = drawn.T
    different = (i != j) & (i != k) & (j != k)
    return drawn[different][:triplets], rng.normal(scale=0.3, size=(n, p))


def _limit(triplets, points):
    X = Objective.pad(points)
    G, ids = np.zeros_like(X), triplets.astype(np.int32)
    loop = row_updates(X.shape[1])
    return lambda: loop(X, G, ids)


def _gradient(loss, triplets, points):
    objective = Objective(make_loss(loss), triplets, points.shape)
    objective.sort()  # like the solvers that sum over all comparisons
    X = Objective.pad(points)
    G = np.empty_like(X)
    return lambda: objective.gradient(X, G)


def _cpu_seconds(run):
    """Return the CPU seconds of the fastest call; repeated calls keep small arrays in the cache."""
    seconds = []
    while sum(seconds) < TURN and len(seconds) < 5:
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)


def shares(rows):
    """Yield each size, the limit in triplets per second, and the share of each loss by turn."""
    for (n, p, triplets), cell in rows.groupby(["n", "p", "triplets"]):
        seconds = cell.pivot(index="round", columns="what", values="cpu")
        limit = seconds.pop(LIMIT)
        yield {"n": n, "p": p}, triplets / limit.min(), 100 * seconds.rdiv(limit, axis=0)


def show(rows):
    table = [
        {**size, "limit, million triplets / s": limit / 1e6}
        | {f"{name}, % of it": spread(share[name]) for name in share}
        for size, limit, share in shares(rows)
    ]
    yield "Shares of the limit: median, and range over the turns", table


def headline(rows):
    for size, _, share in shares(rows):
        where = f"n = {size['n']:,}, p = {size['p']}"
        yield f"STE gradient, {where}: share of the machine's limit", f"{spread(share['ste'])} %"
