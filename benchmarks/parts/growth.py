"""How the cost grows

CPU time of a step of each solver on one thread, the median of a dozen, as one size grows and the
others stay: a step is one gradient of all comparisons, or as many steps as there are comparisons.
The last sweep is of whole fits, at 100 comparisons an object. The exponent is the slope of the line
through the logarithms from the third size on, with its standard error.
"""

import numpy as np
from scipy.stats import linregress

import planted
from page import figure
from race import lined_up
from tables import short
from workers import OURS, PEERS, Failed

STEPS = 12
BASE = {"n": 1_000, "triplets": 100_000, "p": 10}
SWEEPS = {
    "n": [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000],
    "triplets": [3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000],
    "p": [2, 4, 8, 16, 32, 64, 128],
    "n, whole fits": [100, 300, 1_000, 3_000, 10_000],
}
# A peer that forms an n x n matrix is not asked for more than this.
MOST_OF_PEERS = 3_000


def cases(size, peers):
    beside = [peer for peer, tasks in peers.items() if "ordinal" in tasks]
    for sweep, values in SWEEPS.items():
        for value in values[:2] if size == "tiny" else values:
            base = dict.fromkeys(BASE, 10) | {"triplets": 1_000} if size == "tiny" else BASE
            case = {**base, sweep[:1] if "whole" in sweep else sweep: value}
            if "whole" in sweep:
                case["triplets"] = 100 * value
            asked = beside if case["n"] <= MOST_OF_PEERS else []
            yield {"sweep": sweep, **case, "peers": " ".join(asked)}


def measure(case, rounds=3):
    asked = {name: case[name] for name in BASE}
    folders = [OURS, *(PEERS / peer for peer in case["peers"].split())]
    whole = "whole" in case["sweep"]
    wanted = ["auto"] if whole else None
    with (
        planted.written(planted.comparisons(**asked)) as path,
        lined_up(folders, ["one thread"], "ordinal", path, wanted) as contenders,
    ):
        for contender in contenders:
            contender.pace(2)
        return [
            {**contender.labels, "round": number, "cpu": _seconds(contender, whole)}
            for number in range(rounds)
            for contender in contenders
        ]


def _seconds(contender, whole):
    try:
        return contender.fit()["cpu"] if whole else contender.pace(STEPS)
    except Failed:
        return np.nan


def exponent(sizes, seconds):
    """Slope of the logarithms, and its standard error; NaN where there are too few sizes."""
    if len(sizes) < 3:
        return np.nan, np.nan
    line = linregress(np.log(sizes), np.log(seconds))
    return line.slope, line.stderr


def curves(rows):
    """Each sweep, and the sizes and best seconds of each contender."""
    for sweep, of_sweep in rows.groupby("sweep", sort=False):
        size = sweep.split(",")[0]
        best = of_sweep.groupby(["package", "contender", size], as_index=False).cpu.min()
        best["name"] = best.package + " " + best.contender
        yield sweep, size, best.dropna()


def show(rows):
    for sweep, size, best in curves(rows):
        yield figure(best, x=size, y="cpu", hue="name", title=sweep)
        table = []
        for name, line in best.groupby("name", sort=False):
            slope, error = exponent(line[size][2:], line.cpu[2:])
            milliseconds = {f"{v:,}": 1e3 * c for v, c in zip(line[size], line.cpu, strict=True)}
            table.append({"": name, "exponent": f"{short(slope)} ± {short(error)}", **milliseconds})
        yield f"CPU milliseconds, growing: {sweep}", table


def headline(rows):
    for sweep, size, best in curves(rows):
        ours = best[best.name == f"{OURS.name} auto"]
        slope, error = exponent(ours[size][2:], ours.cpu[2:])
        yield f"Exponent of the cost in {sweep}", f"{short(slope)} ± {short(error)}"
