"""Keep the small files of studies, to be committed: `python -m closerthan_study.publish`.

Of each study that it is told, or of all that the last run has, results/published/ gets

    figures/{study}/*.png, tables/{study}/*.csv
    scoreboard.csv, parts.csv, printed.csv     its rows; those of other studies stay
    provenance-{study}.json                    what made them

and the page of the scoreboard is drawn again from all rows that are then there.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from closerthan_study.configuration import Spec
from closerthan_study.data import find_unmade, pairs
from closerthan_study.files import write_json
from closerthan_study.report.provenance import read_drawn
from closerthan_study.reports import make_page
from closerthan_study.spec import ROOT, ConfigError
from closerthan_study.spec.jobs import parts_of

__all__ = ["Unpublishable", "publish"]

ROWS = ("scoreboard.csv", "parts.csv", "printed.csv")  # of all studies, told apart by `study`
KEPT = {"figures": "*.png", "tables": "*.csv"}


class Unpublishable(ValueError):
    """The results of a study are not those of one whole run; the message says why."""


def publish(
    results: str | os.PathLike[str],
    studies: Sequence[str] = (),
    *,
    root: str | os.PathLike[str] = ROOT,
) -> list[str]:
    """Publish the results of studies: all of them or, if something is amiss, nothing.

    Parameters
    ----------
    results : path-like
        The folder of the run; what is published goes to `published/` in it.
    studies : sequence of str, optional
        The studies; all that the last run has, where none is given.
    root : path-like, optional
        The folder that holds config/ and notebooks/.

    Returns
    -------
    list of str
        Studies that lost their rows of some file, because it was written with other columns.

    Raises
    ------
    Unpublishable
        If the run does not have a study, or not all of it, or not of one scale.
    """
    results, root = Path(results), Path(root)
    record = _read_record(results)
    spec = Spec({**record["config"], "results": str(results)}, root, trusted=True)
    studies = list(studies or spec.studies)
    for study in studies:
        _check(spec, study, record)
    lost = []
    with _alone(results / ".published.lock"), _replacing(results / "published") as new:
        for study in studies:
            _copy_page(results / "reports", new, study)
            made = {**_of_study(record, study), "seconds": _seconds(spec, study)}
            write_json(new / f"provenance-{study}.json", made)
        tables = {name: _read(results / "reports" / name) for name in ROWS}
        if any(table.study.isin(studies).any() for table in tables.values()):
            lost = _merge(tables, new, studies)
            _draw_scoreboard(spec, new)
    return lost


def _read_record(results: Path) -> dict[str, Any]:
    """Return the provenance that ends a run."""
    path = results / "reports" / "provenance.json"
    if not path.is_file():
        raise Unpublishable(f"{path} is missing: no run has ended; make reproduce makes one")
    return json.loads(path.read_text(encoding="utf-8"))


# Whether a study is whole


def _check(spec: Spec, study: str, record: Mapping[str, Any]) -> None:
    """Refuse a study that is not whole, or not as it was when the run ended."""
    if study not in spec.studies:
        known = ", ".join(spec.studies)
        raise Unpublishable(f"the last run does not have the study {study!r}; it has {known}")
    places = _places(spec, study)
    if not places:
        names = {name for e in spec.experiments.values() if e.study == study for name in e.datasets}
        raise Unpublishable(
            f"none of the data of the study {study!r}, {', '.join(sorted(names))}, were to be had, "
            "so the last run has no results of it"
        )
    reports = Path(spec.results, "reports")
    made = [*(reports / name for name in ROWS), reports / "notebooks" / f"{study}.html"]
    for path in (*made, *(reports / kind / study for kind in KEPT)):
        if not path.exists():
            raise Unpublishable(f"{path} is missing; make reproduce makes it")
    oldest = min(made, key=lambda path: path.stat().st_mtime)
    for experiment, dataset in places:
        _check_drawn(spec, experiment, dataset, record)
        folder = spec.folder("scores", experiment, dataset)
        for path in (folder / f"{method}.parquet" for method in experiment.methods):
            if not path.exists():
                raise Unpublishable(f"{path} is missing; make reproduce makes it")
            if path.stat().st_mtime > oldest.stat().st_mtime:
                raise Unpublishable(
                    f"{oldest} is older than {path}; remove {reports}, and make reproduce makes "
                    "it anew"
                )


def _check_drawn(spec: Spec, experiment: Any, dataset: str, record: Mapping[str, Any]) -> None:
    """Refuse trials of another run, or of another scale."""
    path = spec.folder("trials", experiment, dataset) / "drawn.json"
    if not path.exists():
        raise Unpublishable(f"{path} is missing; make reproduce makes it")
    drawn = read_drawn([path])
    trials = drawn[experiment.study][experiment.name][dataset]["trials"]
    if trials != experiment.trials:
        raise Unpublishable(
            f"{path} has {trials} trials, and the scale {spec.scale} has {experiment.trials}: "
            "the results are not of one scale"
        )
    then = record["drawn"].get(experiment.study, {}).get(experiment.name, {}).get(dataset)
    if drawn[experiment.study][experiment.name][dataset] != then:
        raise Unpublishable(
            f"{path} has changed since the last run ended; make reproduce ends the one that has "
            "begun since"
        )


def _places(spec: Spec, study: str) -> list[tuple[Any, str]]:
    """The experiments of a study that the run has, each with a data set."""
    return [place for place in pairs(spec, find_unmade(spec)) if place[0].study == study]


# What is kept of it


def _copy_page(reports: Path, new: Path, page: str) -> None:
    """Keep the figures and tables of a page, in the place of those that were there."""
    for kind, pattern in KEPT.items():
        folder = new / kind / page
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path in sorted((reports / kind / page).glob(pattern)):
            shutil.copyfile(path, folder / path.name)


def _of_study(record: Mapping[str, Any], study: str) -> dict[str, Any]:
    """Return of the provenance of a run what concerns one study.

    Examples
    --------
    >>> record = {"commit": "c7be7d2", "config": {"scale": "paper", "studies": ["erkle", "sdca"]}}
    >>> record["datasets"] = {"music": {"title": "artists"}, "vowel": {"title": "vowels"}}
    >>> record["drawn"] = {"erkle": {"music": {"music": {"trials": 5}}}, "sdca": {}}
    >>> of_erkle = _of_study(record, "erkle")
    >>> of_erkle["config"]["studies"], list(of_erkle["datasets"]), list(of_erkle["drawn"])
    (['erkle'], ['music'], ['erkle'])
    """
    drawn = record["drawn"][study]
    used = {dataset for datasets in drawn.values() for dataset in datasets}
    return {
        **record,
        "config": {**record["config"], "studies": [study]},
        "datasets": {name: of for name, of in record["datasets"].items() if name in used},
        "drawn": {study: drawn},
    }


def _seconds(spec: Spec, study: str) -> dict[str, float]:
    """Return what the jobs of each station took, where all of them are recorded."""
    found = {}
    for station in ("trials", "fits", "scores"):
        parts = parts_of(spec, _places(spec, study), station)
        logs = [Path(spec.results, "logs", station, f"{part}.tsv") for part in parts]
        if logs and all(log.exists() for log in logs):
            tables = [pd.read_csv(log, sep="\t", na_values="-") for log in logs]
            found[station] = round(float(pd.concat(tables).s.sum()), 1)
    return found


def _merge(tables: Mapping[str, pd.DataFrame], new: Path, studies: Sequence[str]) -> list[str]:
    """Put the rows of some studies in the place of those that were there; say who loses theirs."""
    lost: set[str] = set()
    for name, table in tables.items():
        rows = [table[table.study.isin(studies)]]
        if (new / name).exists():
            before = _read(new / name)
            before = before[~before.study.isin(studies)]
            if list(before) == list(table):
                rows.append(before)
            else:
                lost |= set(before.study)
        merged = pd.concat(rows).sort_values("study", kind="stable")
        merged.to_csv(new / name, index=False, lineterminator="\n")
    return sorted(lost)


def _read(path: Path) -> pd.DataFrame:
    """Read a CSV file as the text that it is."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def _draw_scoreboard(spec: Spec, new: Path) -> None:
    """Draw the page of the scoreboard from the rows that are published."""
    with TemporaryDirectory() as folder:
        reports = Path(folder, "reports")
        reports.mkdir()
        for name in ROWS:
            shutil.copyfile(new / name, reports / name)
        config = {**spec.config.model_dump(), "results": folder}
        make_page(Spec(config, spec.root, trusted=True), "scoreboard", f"{folder}/log.ipynb")
        _copy_page(reports, new, "scoreboard")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock, for of two calls at once the later would undo what the other has published."""
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("closerthan: waiting for another make publish to end.", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """Yield a copy of a folder, which takes the folder's place when the block succeeds.

    A process that is killed leaves the folder as it was or as it is to be; between the two renames,
    under another name, from which the next call brings it back.
    """
    new, old = (folder.with_name(f".{folder.name}-{word}") for word in ("new", "old"))
    if old.exists() and not folder.exists():
        old.rename(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    try:
        shutil.copytree(folder, new)
        yield new
        folder.rename(old)
        new.rename(folder)
    finally:
        if not folder.exists():
            old.rename(folder)
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="closerthan_study.publish", description=__doc__.partition(":")[0]
    )
    parser.add_argument("studies", nargs="*", metavar="study", help="all of the last run's")
    parser.add_argument("--results", default="results", type=Path, help="the folder of the run")
    options = parser.parse_args(arguments)
    try:
        lost = publish(options.results, options.studies)
    except (Unpublishable, ConfigError) as error:
        sys.exit(f"closerthan: {error}.")
    if lost:
        print(
            f"closerthan: published with other columns, so to be published anew: {', '.join(lost)}."
        )


if __name__ == "__main__":
    main()
