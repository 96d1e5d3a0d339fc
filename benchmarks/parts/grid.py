"""The default solver beside the others

Every solver, on one thread, to the same test error: 1.05 times the least that any of them ends at,
and 0.005. Times are CPU milliseconds of fits that stop there, the median of turns; "auto / best" is
the default's time over that of the fastest, with its range over the turns.
"""

import numpy as np
import pandas as pd

import problems
from race import lined_up, race
from relsim._discovery import short_names
from tables import short, spread
from workers import OURS

SHARE, SLACK = 1.05, 0.005
NEAR, FAR = 1.3, 2.0
LIMITS = {"ours": 10.0}  # seconds after which a solver's end counts as where it is


def cases(size, peers):
    losses = short_names("relsim.losses")
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
    with (
        problems.written(**case) as path,
        lined_up([OURS], ["one thread"], "ordinal") as contenders,
    ):
        return race(contenders, path, target_of, rounds=3, limits=LIMITS, to_end=False)


def target_of(finals):
    """The test error that is near enough to the least."""
    return SHARE * np.nanmin(finals) + SLACK


def cells(rows):
    """A row a cell: each solver's milliseconds, and the default's ratio to the fastest."""
    for labels, cell in rows.groupby(["n", "triplets", "p", "noise", "loss"], sort=False):
        ends = cell[cell.what == "whole"].set_index("contender").quality
        reached = cell[cell.what == "to target"]
        times = reached.pivot(index="round", columns="contender", values="cpu").bfill()
        medians = times.median().reindex(ends.index, fill_value=np.inf)
        others = times.drop(columns="auto", errors="ignore")
        fastest = others.median().idxmin() if len(others.columns) else "auto"
        ratio = times["auto"] / times[fastest] if "auto" in times else pd.Series([np.inf])
        labels = dict(zip(["n", "triplets", "p", "noise", "loss"], labels, strict=True))
        yield labels, cell.target.iloc[0], ends, 1e3 * medians, fastest, ratio


def show(rows):
    table, worst = [], []
    for labels, target, ends, milliseconds, fastest, ratio in cells(rows):
        line = labels | {"target": target} | milliseconds.to_dict()
        line |= {"fastest": fastest, "auto / best": spread(ratio)}
        table.append(line | {f"{name} ends at": end for name, end in ends.items()})
        worst.append(ratio.median())
    yield _summary(np.array(worst)), table


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
