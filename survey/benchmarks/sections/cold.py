"""Cold starts

A new process imports a package and fits a small problem. The times are in seconds, without the
start of Python. The packages take turns. closerthan compiles its functions at the first fit.
Later processes find them in numba's cache.
"""

from tempfile import TemporaryDirectory

import problems
from tables import spread
from workers import OURS, PEERS, Worker

PROBLEMS = {
    "ordinal": {"n": 60, "triplets": 3_000, "p": 2},
    "mds": {"n": 100, "data": "swiss_roll"},
    "RCA": {"n": 200, "data": "mixture"},
}


def cases(size, peers):
    rounds = 1 if size == "tiny" else 3
    return [{"round": number, "peers": " ".join(peers)} for number in range(rounds)]


def measure(case):
    with TemporaryDirectory() as empty:
        rows = [_start(OURS, "empty cache", NUMBA_CACHE_DIR=empty)]
        rows.append(_start(OURS, "cached", NUMBA_CACHE_DIR=empty))
    return rows + [_start(PEERS / peer, "") for peer in case["peers"].split()]


def _start(folder, cache, **variables):
    with Worker(folder, "stock", **variables) as worker:
        tasks = worker.ask("contenders")
        task = next(iter(tasks))
        contender = tasks[task][0]
        with problems.written(**PROBLEMS[task]) as path:
            fit = worker.ask("fit", task=task, contender=contender, path=path, seed=0)
        first = {"fit_cpu": fit["cpu"], "fit_wall": fit["wall"]}
        return {"package": worker.name, "cache": cache, "task": task, **worker.imported, **first}


def show(rows):
    table = []
    for (package, cache, task), times in rows.fillna({"cache": ""}).groupby(
        ["package", "cache", "task"], sort=False
    ):
        line = {"package": package, "numba's cache": cache, "first fit of": task}
        for name, column in {"import": "import_{}", "first fit": "fit_{}"}.items():
            for clock in ("cpu", "wall"):
                line[f"{name}, {clock} s"] = spread(times[column.format(clock)])
        table.append(line)
    yield "Seconds in a new process: median, and range over the turns", table


def headline(rows):
    ours = rows[rows.package == OURS.name]
    for cache, times in ours.groupby("cache", sort=False):
        seconds = f"{spread(times.import_wall)} s + {spread(times.fit_wall)} s"
        yield f"Import and first fit in a new process, {cache}", seconds
