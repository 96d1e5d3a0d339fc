"""Measure the cost of a run of the whole study: CPU seconds of each station and of Snakemake.

    python benchmarks/road.py smoke
    python benchmarks/road.py default --cores 2

The run starts from nothing, in a temporary folder, and leaves the results of the checkout alone.
It compiles all functions again, unless --warm is given.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

ROOT = Path(__file__).parents[1]
STATIONS = ["data", "trials", "compiled", "fits", "scores", "reports"]


def run(scale, cores, folder, warm):
    """Run the study; return the wall-clock seconds and the CPU seconds."""
    environment = dict(os.environ)
    if not warm:
        environment["NUMBA_CACHE_DIR"] = f"{folder}/numba"
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), "--nolock"]
    command += ["--config", f"scale={scale}", f"results={folder}/results"]
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(f"{folder}/log", "w") as log:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    if done.returncode:
        sys.exit(Path(folder, "log").read_text()[-3000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, cpu


def by_station(folder):
    """Return jobs, CPU seconds and longest job of each station, from the records of the jobs."""
    rows = []
    for path in Path(folder, "results", "logs").rglob("*.tsv"):
        station = path.relative_to(Path(folder, "results", "logs")).parts[0]
        record = pd.read_csv(path, sep="\t", na_values="-").iloc[0]
        rows.append({"station": station, "cpu": record.cpu_time, "longest": record.s})
    table = pd.DataFrame(rows).groupby("station")
    table = table.agg(jobs=("cpu", "size"), cpu=("cpu", "sum"), longest=("longest", "max"))
    return table.reindex([name for name in STATIONS if name in table.index])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scale", choices=["smoke", "default", "paper"])
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--warm", action="store_true", help="keep what is compiled")
    arguments = parser.parse_args()
    with TemporaryDirectory(dir=ROOT, prefix=".road-") as folder:
        wall, cpu = run(arguments.scale, arguments.cores, folder, arguments.warm)
        table = by_station(folder)
        steps = re.findall(r"(\d+) of \d+ steps", Path(folder, "log").read_text())[-1]
    table.loc["Snakemake, and starts"] = [float("nan"), cpu - table.cpu.sum(), float("nan")]
    print(table.round(1).to_string())
    print(f"{wall / 60:.1f} minutes, {cpu / 60:.1f} CPU minutes, {steps} jobs")


if __name__ == "__main__":
    main()
