"""Whole fits compared with the peers

The packages take turns. Each fits the same data with its defaults in its own environment: as
installed ("stock", without settings for threads), and with one thread. closerthan's solvers have no
penalty, because the peers have none. "default" is closerthan without settings: it chooses a loss
and has a prior and its own start. Comparisons are answered by Gaussian points. The target is a test
error of 0.15 on 10,000 other comparisons without noise. With the start "same" all begin at the same
points. A ratio is the peer's time divided by ours: the median with the range over the turns. A long
fit is timed once. A fit that was stopped at the time limit is marked.
"""

import numpy as np
import problems
from race import lined_up, race
from tables import ratios, short, spread
from workers import ENVIRONMENTS, OURS, PEERS

TARGET = 0.15
DEFAULT = "default"  # closerthan without any setting
OUR, THEIRS = "our", "peer's"  # as columns of the tables say it
LIMITS = {"ours": 10.0, "theirs": 90.0}  # seconds after which a first fit is stopped
# Objects and comparisons of the data sets of cblearn-benchmark: car, food, musicians, ImageNet
# (its 25,273 trials), THINGS.
DATASETS = [(60, 7_097), (100, 190_376), (448, 131_970), (1_000, 25_273), (1_854, 146_012)]


def cases(size, peers):
    return [
        {"peer": peer, **case}
        for peer, tasks in peers.items()
        for case in {"tiny": _tiny, "full": _full}[size]()
        if case["task"] in tasks
    ]


def _full():
    every, auto = {"task": "ordinal", "ours": "every"}, {"task": "ordinal", "ours": "auto"}
    small = {"n": 100, "triplets": 10_000, "p": 10}
    return [
        *({**every, **small, "noise": 0.0, "start": start} for start in ("same", "own")),
        {**every, **small, "noise": 0.1, "start": "same"},
        {**every, "n": 10_000, "triplets": 1_000_000, "p": 10, "noise": 0.0, "start": "same"},
        *(
            {**auto, "n": n, "triplets": triplets, "p": 2, "noise": noise, "start": "same"}
            for n, triplets in DATASETS
            for noise in (0.0, 0.1)
        ),
        *({"task": "mds", "data": "swiss_roll", "n": n} for n in (300, 1_000)),
        {"task": "mds", "data": "digits", "n": 1_797},
        *({"task": task, "data": "mixture", "n": 1_000} for task in ("RCA", "ITML", "LMNN")),
    ]


def _tiny():
    small = {"task": "ordinal", "n": 20, "triplets": 1_000, "p": 2, "start": "same"}
    return [
        {**small, "ours": "every", "noise": 0.0},
        {"task": "mds", "data": "swiss_roll", "n": 60},
        {"task": "RCA", "data": "mixture", "n": 200},
    ]


def measure(case):
    task, kind = case["task"], {"peer", "task", "ours"}
    problem = {key: value for key, value in case.items() if key not in kind}
    wanted = ["auto", DEFAULT] if case.get("ours") == "auto" else None
    target_of = (lambda ends: TARGET) if task == "ordinal" else None
    with (
        problems.written(**problem) as path,
        lined_up([OURS, PEERS / case["peer"]], ENVIRONMENTS, task, wanted) as contenders,
    ):
        return race(contenders, path, target_of, rounds=7, limits=LIMITS)


_PROBLEM = {"ordinal": ["n", "triplets", "p", "noise", "start"]}


def pairs(rows):
    """Yield each problem, environment and pair of contenders (ours, a peer's), with their rows.

    closerthan without settings comes first, because it is what people run.
    """
    for task, of_task in rows.groupby("task", sort=False):
        keys = [*_PROBLEM.get(task, ["data", "n"]), "environment"]
        for (_, *values), cell in of_task.convert_dtypes().groupby(["peer", *keys], sort=False):
            labels = dict(zip(keys, values, strict=True))
            by_name = dict(list(cell.groupby(["package", "contender"], sort=False)))
            by_name = dict(sorted(by_name.items(), key=lambda found: found[0][1] != DEFAULT))
            for (package, name), ours in by_name.items():
                for (other, their_name), theirs in by_name.items():
                    if package == OURS.name != other:
                        names = {"ours": name, "peer": f"{other} {their_name}"}
                        yield labels | names, ours, theirs


def show(rows):
    for task, of_task in rows.groupby("task", sort=False):
        table = []
        for line, ours, theirs in pairs(of_task):
            for what in ("to target", "whole"):
                line |= _times(ours[ours.what == what], theirs[theirs.what == what], what)
            table.append(line | _ends(ours, theirs))
        yield f"{task}: CPU milliseconds, and the peer's time divided by ours", table
    yield "Whole fits: stock environment compared with one thread, ratio of times", _threads(rows)


def _threads(rows):
    whole, table = rows[rows.what == "whole"].convert_dtypes(), []
    cases = ["data", *_PROBLEM["ordinal"]]
    by = ["task", *whole.columns.intersection(cases), "package", "contender"]
    for labels, fits in whole.groupby(by, dropna=False, sort=False):
        line = dict(zip(by, labels, strict=True))
        stock, one = (fits[fits.environment == kind] for kind in ENVIRONMENTS)
        for column in ("cpu", "wall"):
            line[f"{column}, stock / one thread"] = spread(ratios(one, stock, column))
        table.append(line)
    return table


def _times(ours, theirs, what):
    if ours.empty and theirs.empty:
        return {}
    times = {
        f"{what}: {OUR} CPU ms": 1e3 * ours.cpu.median(),
        f"{what}: {THEIRS} CPU ms": 1e3 * theirs.cpu.median(),
    }
    for column in ("cpu", "wall"):
        found = "" if ours.empty or theirs.empty else spread(ratios(ours, theirs, column))
        times[f"{what}: {column} ratio"] = found or "-"
    return times


def _ends(ours, theirs):
    """Return the quality of whole fits, whether they ended, and their memory."""
    line = {}
    for whose, rows in ((OUR, ours), (THEIRS, theirs)):
        if "failed" in set(rows.what):
            return {f"{OUR} end": "-", f"{THEIRS} end": "failed"}
        whole = rows[rows.what == "whole"].iloc[-1]
        stopped = "" if whole.ended else ", stopped"
        line[f"{whose} end"] = short(float(whole.quality)) + stopped
        line[f"{whose} MB"] = short(float(whole.peak_mb))
    return line


def headline(rows):
    """Yield the lines for the README: fits from the same start, and closerthan without settings.

    If all solvers ran, the lines have the default solver and the fastest. Otherwise they have the
    default solver over all sizes.
    """
    ordinal = rows[(rows.task == "ordinal") & (rows.start == "same")]
    yield from _at_each(ordinal[ordinal.ours == "every"])
    yield from _over_sizes(ordinal[ordinal.ours == "auto"])


def _at_each(rows):
    found = {}
    for case, ours, theirs, ends in _reached(rows):
        swapped = f", {case['noise']:.0%} swapped" if case["noise"] else ""
        sizes = f"{case['n']:,} objects, {case['triplets']:,} triplets{swapped}"
        key = f"{case['peer']} / closerthan, {sizes}, {case['environment']}"
        found.setdefault(key, {})[case["ours"]] = ours.cpu.median(), _sentence(ours, theirs, ends)
    for key, solvers in found.items():
        fastest = min(solvers.keys() - {DEFAULT}, key=solvers.get, default=DEFAULT)
        for name in dict.fromkeys([DEFAULT, "auto", fastest]):
            if name in solvers:
                yield f"{key}: `{name}`", solvers[name][1]


def _over_sizes(rows):
    found = {}
    for case, ours, theirs, _ in _reached(rows):
        what = f"sizes of data sets, {case['environment']}: `{case['ours']}`"
        key = f"{case['peer']} / closerthan, {what}"
        found.setdefault(key, []).append(np.nanmedian(ratios(ours, theirs, "cpu")))
    for key, medians in found.items():
        yield key, f"to {TARGET} {spread(medians)} x CPU over {len(medians)} problems"


def _reached(rows):
    """The pairs that both reach the target, with those rows of both, and with their ends."""
    for case, *both in pairs(rows):
        reached = [fits[fits.what == "to target"] for fits in both]
        if not any(fits.empty for fits in reached):
            yield case, *reached, _ends(*both)


def _sentence(ours, theirs, ends):
    cpu, wall = (spread(ratios(ours, theirs, clock)) for clock in ("cpu", "wall"))
    times = f"to {TARGET} {cpu} x CPU, {wall} x wall"
    ended = f"ends at {ends[OUR + ' end']}, the peer at {ends[THEIRS + ' end']}"
    return f"{times}; {ended}; {ends[OUR + ' MB']} MB, the peer {ends[THEIRS + ' MB']}"
