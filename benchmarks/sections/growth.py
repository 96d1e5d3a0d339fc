"""How the cost grows

Each sweep varies one size and keeps the others. It shows the CPU time of one step of each solver,
on one thread, as the median of eight steps. A step is one gradient of all comparisons, or one pass
of a stochastic solver over as many comparisons. The last sweep shows whole fits with 100
comparisons per object. The exponent is the slope of a line through the logarithms at the four
largest sizes, with its standard error.
"""

import numpy as np
from scipy.stats import linregress

import problems
from closerthan.discovery import short_names
from page import figure
from race import lined_up
from tables import short
from workers import OURS, PEERS, Failed

STEPS = 9
LARGEST = 4
BASE = {"n": 1_000, "triplets": 100_000, "p": 10}
SWEEPS = {
    "n": [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000],
    "triplets": [3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000],
    "p": [2, 4, 8, 16, 32, 64],
    "n, whole fits": [100, 300, 1_000, 3_000, 10_000],
}
PER_OBJECT = 100
_AXES = {"n": "objects", "triplets": "triplets", "p": "dimensions"}
# Largest numbers of objects for peers that form an n x n matrix: for steps, for whole fits.
MOST_STEPS, MOST_WHOLE = 10_000, 3_000


def cases(size, peers):
    beside = " ".join(peer for peer, tasks in peers.items() if "ordinal" in tasks)
    sweeps = {"n": [100, 300], "n, whole fits": [30]} if size == "tiny" else SWEEPS
    for sweep, values in sweeps.items():
        yield {"sweep": sweep, "values": " ".join(map(str, values)), "peers": beside}


def measure(case, rounds=3):
    folders = [OURS, *(PEERS / peer for peer in case["peers"].split())]
    whole = "whole" in case["sweep"]
    wanted = ["auto", "default"] if whole else short_names("closerthan.optimize")
    rows = []
    with lined_up(folders, ["one thread"], "ordinal", wanted) as contenders:
        for value in map(int, case["values"].split()):
            problem = _problem(case["sweep"], value)
            few = problem["n"] <= (MOST_WHOLE if whole else MOST_STEPS)
            able = [c for c in contenders if few or c.whose == "ours"]
            with problems.written(**problem) as path:
                for number in range(rounds):
                    for contender in able:
                        if number and contender.whose == "theirs":
                            continue  # one turn is enough to see the growth
                        seconds = _seconds(contender, path, whole)
                        rows.append({**contender.labels, **problem, "round": number, **seconds})
    return rows


def _problem(sweep, value):
    if "whole" in sweep:
        return BASE | {"n": value, "triplets": PER_OBJECT * value}
    return BASE | {sweep: value}


def _seconds(contender, path, whole):
    try:
        return {"cpu": contender.fit(path)["cpu"] if whole else contender.pace(path, STEPS)}
    except Failed as why:
        return {"cpu": np.nan, "why": str(why)}


def exponent(sizes, seconds):
    """Return the slope of the logarithms and its standard error, or NaN for too few sizes."""
    if len(sizes) < 3:
        return np.nan, np.nan
    line = linregress(np.log(sizes[-LARGEST:]), np.log(seconds[-LARGEST:]))
    return line.slope, line.stderr


def curves(rows):
    """Yield each sweep with the sizes and best seconds of each contender."""
    for sweep, of_sweep in rows.groupby("sweep", sort=False):
        size = sweep.split(",")[0]
        best = of_sweep.groupby(["package", "contender", size], as_index=False).cpu.min()
        best["name"] = best.package + " " + best.contender
        yield sweep, size, best.dropna()


def show(rows):
    for sweep, size, best in curves(rows):
        labels = _AXES[size], "CPU seconds of a fit" if "whole" in sweep else "CPU seconds a step"
        yield figure(best, x=size, y="cpu", hue="name", title=f"Growing: {sweep}", labels=labels)
        table = []
        for name, line in best.groupby("name", sort=False):
            slope, error = exponent(line[size], line.cpu)
            milliseconds = {f"{v:,}": 1e3 * c for v, c in zip(line[size], line.cpu, strict=True)}
            table.append({"": name, "exponent": f"{short(slope)} ± {short(error)}", **milliseconds})
        yield f"CPU milliseconds, growing: {sweep}", table


def headline(rows):
    for sweep, size, best in curves(rows):
        ours = best[best.name == f"{OURS.name} auto"]
        slope, error = exponent(ours[size], ours.cpu)
        yield f"Exponent of the cost in {sweep}", f"{short(slope)} ± {short(error)}"
