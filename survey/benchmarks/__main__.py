"""Measure the speed of closerthan: `make benchmark`, or python benchmarks --peers cblearn.

A measured case is not measured again. Remove the folder of results to start from nothing.
"""

import argparse
import json
import os
import platform
import subprocess
from datetime import date
from importlib import import_module
from pathlib import Path

import pandas as pd
from page import write_page
from tqdm import tqdm
from workers import HERE, OURS, PEERS, Failed, Worker

from closerthan._core.writing import replacing

SECTIONS = ["compare", "grid", "cold", "questions"]


class Rows:
    """The rows of a section, saved case by case, so that a stopped run can continue."""

    def __init__(self, path):
        self.path = path
        self.table = pd.read_csv(path) if path.exists() else pd.DataFrame()

    def has(self, case):
        """Return whether a case has been measured."""
        if not set(case) <= set(self.table.columns):
            return False
        same = pd.Series(True, index=self.table.index)
        for key, value in case.items():
            same &= self.table[key].isna() if value == "" else self.table[key] == value
        return bool(same.any())

    def add(self, case, rows):
        """Keep the rows of a case."""
        new = pd.DataFrame([{**case, **row} for row in rows])
        self.table = pd.concat([self.table, new], ignore_index=True)
        with replacing(self.path) as unfinished:
            self.table.to_csv(unfinished, index=False)


def facts():
    """Return the date, the machine and the revision of the code."""
    cpus = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [line.partition(": ")[2] for line in cpus.splitlines() if "model name" in line]
    git = ["git", "-C", HERE, "describe", "--always", "--dirty"]
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "date": str(date.today()),
        "processor": models[0] if models else platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(pages / 2**30),
        "system": platform.system(),
        "revision": subprocess.run(git, capture_output=True, text=True).stdout.strip(),
    }


def able(names):
    """Return tasks and versions of the packages that can be installed and started."""
    tasks, versions = {}, {}
    for name in names:
        try:
            with Worker(PEERS / name) as worker:
                tasks[name] = list(worker.ask("contenders"))
                versions[name] = worker.ask("versions")
        except (Failed, subprocess.CalledProcessError) as why:
            tqdm.write(f"{name} is left out, because it cannot run here: {why}")
    return tasks, versions


def remember(path, versions):
    """Record the machine and versions at the start of a run, and of packages added later."""
    before = json.loads(path.read_text()) if path.exists() else {"versions": {}}
    run = {**facts(), **before, "versions": {**before["versions"], **versions}}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run, indent=2))
    return run


def measure(names, size, peers, folder):
    """Measure all cases that have no rows yet; return the rows of each section by its module."""
    rows = {import_module(f"sections.{name}"): Rows(folder / f"{name}.csv") for name in names}
    todo = [(section, case) for section in rows for case in section.cases(size, peers)]
    todo = [(section, case) for section, case in todo if not rows[section].has(case)]
    with tqdm(todo, unit="case") as bar:
        for section, case in bar:
            bar.set_postfix_str(" ".join(map(str, case.values())))
            rows[section].add(case, section.measure(case))
    return {section: kept.table for section, kept in rows.items() if len(kept.table)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", default=SECTIONS, help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--peers", nargs="*", default=[], help="folders of benchmarks/peers")
    parser.add_argument("--size", choices=["tiny", "full"], default="full")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    asked = parser.parse_args()
    tasks, versions = able([OURS.name, *asked.peers])
    run = remember(asked.results / "run.json", versions)
    del tasks[OURS.name]
    rows = measure(asked.sections, asked.size, tasks, asked.results)
    write_page(rows, run, asked.results)
    print(asked.results / "index.html")


if __name__ == "__main__":
    main()
