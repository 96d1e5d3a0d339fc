"""The default solver compared with the others

All solvers run on one thread to the same test error: 1.05 times the least final error of all
solvers, plus 0.005. Times are CPU milliseconds until this target: medians over turns and data sets.
Small problems have three data sets. "auto / best" is the time of the default divided by the time of
the fastest solver, with its range. A solver that ends at a larger error never reaches the target.
"""

import numpy as np
import pandas as pd
import problems
from race import lined_up, race
from tables import short, spread
from workers import OURS

from closerthan.discovery import short_names

SHARE, SLACK = 1.05, 0.005
NEAR, FAR = 1.3, 2.0
MANY = 1_000  # with at least this many objects there is only one data set
LIMITS = {"ours": 10.0}  # seconds; a solver that is still running counts as ended


def cases(size, peers):
    losses = short_names("closerthan.losses")
    if size == "tiny":
        return [_case(15, 500, 2, 0.0, "ste"), _case(15, 500, 2, 0.1, "soe")]
    sizes = {
        (60, 3_000): losses,
        (100, 10_000): losses,
        (100, 100_000): ["ste", "soe"],
        (1_000, 100_000): ["ste", "soe"],
        (10_000, 1_000_000): ["ste"],
    }
    return [
        _case(*size, p, noise, loss)
        for size, some in sizes.items()
        for p in (2, 10)
        for noise in (0.0, 0.1)
        for loss in some
    ]


def _case(n, triplets, p, noise, loss):
    return {"n": n, "triplets": triplets, "p": p, "noise": noise, "loss": loss}


def measure(case):
    rows = []
    solvers = short_names("closerthan.optimize")
    with lined_up([OURS], ["one thread"], "ordinal", solvers) as contenders:
        for seed in range(3 if case["n"] < MANY else 1):
            with problems.written(**case, seed=seed) as path:
                found = race(contenders, path, target_of, rounds=3, limits=LIMITS, to_end=False)
            rows += [{"seed": seed, **row} for row in found]
    return rows


def target_of(finals):
    """The test error that is near enough to the least."""
    return SHARE * np.nanmin(finals) + SLACK


def cells(rows):
    """Yield each cell, its rows, the seconds of each solver by turn, and the default's ratios."""
    keys = ["n", "triplets", "p", "noise", "loss"]
    for labels, cell in rows.groupby(keys, sort=False):
        times = pd.concat([_turns(of_seed) for _, of_seed in cell.groupby("seed")])
        yield dict(zip(keys, labels, strict=True)), cell, times, times.pop("ratio")


def _turns(rows):
    """Return seconds to the target, one row per turn (infinite if missed), and the ratio."""
    solvers = rows[rows.what == "whole"].contender
    reached = rows[rows.what == "to target"].pivot(index="round", columns="contender", values="cpu")
    times = reached.bfill().ffill().reindex(columns=solvers).fillna(np.inf)
    medians = times.drop(columns="auto").median()
    return times.assign(ratio=times["auto"] / times[medians.idxmin()])


def show(rows):
    table, ratios = [], []
    for labels, cell, times, ratio in cells(rows):
        ends = cell[cell.what == "whole"].groupby("contender", sort=False).quality.median()
        line = labels | {"target": cell.target.median()} | (1e3 * times.median()).to_dict()
        line |= {"auto / best": spread(ratio)}
        table.append(line | {f"{name} ends at": end for name, end in ends.items()})
        ratios.append(ratio.median())
    yield _summary(np.array(ratios)), table


def _summary(ratios):
    return (
        f"In {np.mean(ratios <= NEAR):.0%} of {len(ratios)} cells the default is within {NEAR} "
        f"times the fastest, in {np.mean(ratios > FAR):.0%} it takes more than {short(FAR)} times "
        "as long"
    )


def headline(rows):
    ratios = np.array([ratio.median() for *_, ratio in cells(rows)])
    within = f"{np.mean(ratios <= NEAR):.0%} of {len(ratios)} cells; worst {short(ratios.max())}"
    yield f'`solver="auto"` within {NEAR} times the fastest solver', within
