"""Keep the small files of studies, to be committed: `python -m closerthan_study.publish`.

results/published/ gets the figures and tables of each study, its rows of the files `ROWS`, and
their provenance. The scoreboard is drawn again from all published rows.
"""

import argparse
import json
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from closerthan.files.writing import locked
from closerthan_study.configuration import Spec
from closerthan_study.files import write_json
from closerthan_study.reports import make_page
from closerthan_study.spec import ROOT, ConfigError

ROWS = ("scoreboard.csv", "parts.csv", "printed.csv")  # of all studies, told apart by `study`
KEPT = {"figures": "*.png", "tables": "*.csv"}
STATIONS = ("trials", "fits", "scores")


class Unpublishable(ValueError):
    """The results of a study are not from one whole run. The message says why."""


def publish(results, studies=(), *, root=ROOT):
    """Publish some or all studies of the last run. If one is `Unpublishable`, nothing changes."""
    reports = Path(results, "reports")
    end = reports / "provenance.json"  # the last file that a run writes
    _need(end.exists(), f"{end} is missing: no run has ended; make reproduce makes one")
    record = json.loads(end.read_text(encoding="utf-8"))
    spec = Spec({**record["config"], "results": str(results)}, root, trusted=True)
    studies = list(studies or spec.studies)
    known = ", ".join(spec.studies)
    for study in studies:
        _need(study in spec.studies, f"the last run does not have {study!r}; it has {known}")
        _check(spec, study, record["drawn"].get(study), end)
    with _replacing(Path(results, "published")) as new:
        for study in studies:
            _copy_page(reports, new, study)
            write_json(new / f"provenance-{study}.json", _of_study(record, study, results))
        for name in ROWS:
            _merge(reports / name, new / name, studies)
        with TemporaryDirectory() as folder:
            shutil.copytree(new, f"{folder}/reports", ignore=shutil.ignore_patterns(*KEPT))
            config = {**spec.config.model_dump(), "results": folder}
            make_page(Spec(config, root, trusted=True), "scoreboard", f"{folder}/log.ipynb")
            _copy_page(Path(folder, "reports"), new, "scoreboard")


def _need(holds, message):
    if not holds:
        raise Unpublishable(message)


def _check(spec, study, drawn, end):
    """Refuse a study that is incomplete, has mixed scales, or is newer than the end of the run."""
    _need(drawn, f"the last run could not get any data of {study!r}")
    pages = [f"notebooks/{study}.html", *(f"{kind}/{study}" for kind in KEPT)]
    made = [end.parent / name for name in (*ROWS, *pages)]
    for name, datasets in drawn.items():
        experiment = spec.experiment(study, name)
        for dataset, counts in datasets.items():
            n, wanted = counts["trials"], experiment.trials
            where = f"{study}/{name}/{dataset}"
            _need(n == wanted, f"{where} has {n} trials, and the scale {spec.scale} has {wanted}")
            made += [spec.folder(station, experiment, dataset) for station in ("trials", "scores")]
            for method in experiment.methods:
                made += spec.fits(experiment, dataset, method)
    for path in made:
        _need(path.exists(), f"{path} is missing; make reproduce makes it")
        older = path.stat().st_mtime_ns <= end.stat().st_mtime_ns
        _need(older, f"{path} has changed since the last run ended; make reproduce ends a new one")


def _of_study(record, study, results):
    """Return the record of one study in a run, and the seconds of its jobs."""
    config, drawn = {**record["config"], "studies": [study]}, record["drawn"][study]
    used = set().union(*drawn.values())
    datasets = {name: of for name, of in record["datasets"].items() if name in used}
    logs = {s: sorted(Path(results, "logs", s, study).rglob("*.tsv")) for s in STATIONS}
    taken = {s: sum(pd.read_csv(p, sep="\t").s.sum() for p in logs[s]) for s in STATIONS if logs[s]}
    seconds = {station: round(float(each), 1) for station, each in taken.items()}
    changed = {"config": config, "datasets": datasets, "drawn": {study: drawn}, "seconds": seconds}
    return {**record, **changed}


def _copy_page(reports, new, page):
    """Replace the figures and tables of a page."""
    for kind, pattern in KEPT.items():
        shutil.rmtree(new / kind / page, ignore_errors=True)
        (new / kind / page).mkdir(parents=True)
        for path in sorted((reports / kind / page).glob(pattern)):
            shutil.copyfile(path, new / kind / page / path.name)


def _merge(made, published, studies):
    """Replace the rows of some studies; rows with other columns are not mixed."""
    rows = pd.read_csv(made, dtype=str, keep_default_na=False)
    rows = rows[rows.study.isin(studies)]
    if published.exists():
        others = pd.read_csv(published, dtype=str, keep_default_na=False)
        others = others[~others.study.isin(studies)]
        same = others.empty or list(others) == list(rows)
        _need(same, f"{published.name} had other columns before; publish all studies at once")
        rows = pd.concat([rows, others]) if len(others) else rows
    rows.sort_values("study", kind="stable").to_csv(published, index=False, lineterminator="\n")


@contextmanager
def _replacing(folder):
    """Yield a copy of a folder that takes its place when the block succeeds; one call at a time.

    A killed call leaves the old folder or the new one. Between the two renames the old folder has
    another name, and the next call brings it back.
    """
    new, old = (folder.with_name(f".{folder.name}-{word}") for word in ("new", "old"))
    with locked(folder.with_name(f".{folder.name}.lock")):
        if old.exists() and not folder.exists():
            old.rename(folder)
        folder.mkdir(exist_ok=True)
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(folder, new)
        yield new
        folder.rename(old)
        new.rename(folder)
        shutil.rmtree(old)


def main(arguments=None):
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("studies", nargs="*", metavar="study", help="all of the last run's")
    parser.add_argument("--results", default="results", type=Path, help="the folder of the run")
    options = parser.parse_args(arguments)
    try:
        publish(options.results, options.studies)
    except (Unpublishable, ConfigError) as error:
        sys.exit(f"closerthan: {error}.")


if __name__ == "__main__":
    main()
