"""Keep the small files of studies, to be committed: `python -m closerthan_study.publish`.

results/published/ gets the figures and tables of each study, its rows of the files `ROWS`, their
provenance, and the scores of each trial behind its claims and its printed numbers. The scoreboard
is drawn again from all published rows.

Fits are published only if the history has their commits.

`python -m closerthan_study.publish --judge` judges the published claims again from the published
scores, without a run: for example after a threshold has changed.
"""

import argparse
import shutil
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pandas as pd

from closerthan_study.claims import scoreboard
from closerthan_study.configuration import Spec
from closerthan_study.files import replacing_folder, write_json
from closerthan_study.origin import git
from closerthan_study.reading import how_to_make, read_json
from closerthan_study.report.provenance import read_claims_files, read_origins
from closerthan_study.reported import read_reported
from closerthan_study.reports import make_page, write_rows
from closerthan_study.spec import ConfigError
from closerthan_study.spec.scales import SCALES
from closerthan_study.spec.validation import read_yaml

# Of all studies, told apart by the column `study`.
ROWS = ("scoreboard.csv", "parts.csv", "readings.csv", "printed.csv")
KEPT = {"figures": "*.png", "tables": "*.csv"}
STATIONS = ("trials", "fits", "scores")
_PARAMETERS = {"parameters", "injected-parameters"}  # tags of cells


class Unpublishable(ValueError):
    """The results of a study are not from one whole run. The message says why."""


def publish(results, studies=(), *, root=None):
    """Publish some or all studies of the last run, and return what they replace, in words.

    If one is `Unpublishable`, nothing changes. That is also a study of which more is published.
    """
    reports = Path(results, "reports")
    end = reports / "provenance.json"  # the last file that a run writes
    _need(end.exists(), f"{end} is missing: no run has ended; make reproduce makes one")
    record = read_json(end)
    spec = Spec({**record["config"], "results": str(results)}, root, trusted=True)
    studies = list(studies or spec.studies)
    known = ", ".join(spec.studies)
    for study in studies:
        _need(study in spec.studies, f"the last run does not have {study!r}; it has {known}")
        _check(spec, study, record["drawn"].get(study), end)
    replaced = [_say_replaced(spec, study, Path(results, "published")) for study in studies]
    with _replacing(Path(results, "published")) as new:
        for study in studies:
            _copy_page(reports, new, study)
            drawn = record["drawn"][study]
            kept = _of_study(record, study, results) | {"fits": _check_origins(spec, study, drawn)}
            write_json(new / f"provenance-{study}.json", kept)
            _keep_scores(spec, study, drawn, new / "scores" / f"{study}.parquet")
        for name in ROWS:
            _merge(reports / name, new / name, studies)
        _draw_scoreboard(spec, new)
    return replaced


def _say_replaced(spec, study, published):
    """Say what of a study is published, which must not be larger than the run."""
    path = published / f"provenance-{study}.json"
    if not path.exists():
        return f"{study} is published at scale {spec.scale}; nothing of it was before"
    record = read_json(path)
    scale, sizes = record["config"]["scale"], list(SCALES)
    smaller = sizes.index(spec.scale) < sizes.index(scale)
    again = f"Run make reproduce SCALE={scale}; or remove {path} to give the larger one up"
    _need(not smaller, f"{study} is published at scale {scale}, the run is {spec.scale}. {again}")
    made = f"of {record['date']}, commit {record['commit']}, scale {scale}"
    return f"{study} at scale {spec.scale} replaces the one {made}"


def judge_again(results, *, root=None):
    """Judge the published claims from the published scores; return each verdict that changes."""
    with _replacing(Path(results, "published")) as new:
        kept = sorted((new / "scores").glob("*.parquet"))
        _need(kept, f"{new.parent / 'published' / 'scores'} is missing; make publish makes it")
        before, judged = _verdicts(new), []
        for path in kept:
            provenance = new / f"provenance-{path.stem}.json"
            record = read_json(provenance)
            spec = Spec(record["config"] | {"results": str(results)}, root, trusted=True)
            tables = scoreboard.judge_all(spec, scoreboard.scores_of_table(pd.read_parquet(path)))
            judged.append([table[table.study == path.stem] for table in tables])
            write_json(provenance, _judged_again(record, path.stem, spec))
        with TemporaryDirectory() as folder:
            for name, tables in zip(ROWS, zip(*judged, strict=True), strict=False):
                write_rows(pd.concat(tables), Path(folder, name))
                _merge(Path(folder, name), new / name, [path.stem for path in kept])
        _draw_scoreboard(spec, new)
        after = _verdicts(new)
    return after.compare(before.reindex(after.index), result_names=("now", "before"))


def _judged_again(record, study, spec):
    """Return the record of a study; it names the claims if they are not those of the run."""
    record.pop("judged again", None)
    now = read_claims_files([study], spec).get(study, {})
    if now.get("sha256") != record.get("claims", {}).get(study, {}).get("sha256"):
        record["judged again"] = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "claims": now}
    return record


def _verdicts(published):
    board = pd.read_csv(published / "scoreboard.csv", index_col=["study", "claim"])
    return board.sort_index()[["verdict", "verdict_fair"]]


def _keep_scores(spec, study, drawn, path):
    """Keep the scores behind the claims of a study and its printed numbers, if it has claims."""
    if not (spec.folder_of(study) / "claims.yaml").exists():
        return
    path.parent.mkdir(exist_ok=True)
    printed = spec.folder_of(study) / "reported.csv"
    printed = read_reported(printed, spec) if printed.exists() else None
    scores_of = scoreboard.scores_of_run(spec, _places(spec, study, drawn))
    scores = scoreboard.scores_to_judge(spec, study, scores_of, printed)
    scores.to_parquet(path, index=False, compression="zstd")


def _draw_scoreboard(spec, new):
    """Draw the figures and tables of the scoreboard from the published rows."""
    studies = read_yaml(spec.root / "config" / "config.yaml")["studies"]
    with TemporaryDirectory() as folder:
        shutil.copytree(
            new, f"{folder}/reports", ignore=shutil.ignore_patterns(*KEPT, "scores", "notebooks")
        )
        config = {**spec.config.model_dump(), "results": folder, "studies": studies}
        make_page(Spec(config, spec.root, trusted=True), "scoreboard")
        _copy_page(Path(folder, "reports"), new, "scoreboard")


def _need(holds, message):
    if not holds:
        raise Unpublishable(message)


def _check(spec, study, drawn, end):
    """Refuse a study that is incomplete, has mixed scales, or is newer than the end of the run."""
    _need(drawn, f"the last run could not get any data of {study!r}")
    pages = [f"notebooks/{study}.ipynb", *(f"{kind}/{study}" for kind in KEPT)]
    made = [end.parent / name for name in (*ROWS, *pages)]
    for name, datasets in drawn.items():
        experiment = spec.experiment(study, name)
        for dataset, counts in datasets.items():
            n, wanted = counts["trials"], experiment.trials
            where = f"{study}/{name}/{dataset}"
            _need(n == wanted, f"{where} has {n} trials, and the scale {spec.scale} has {wanted}")
            made += [spec.folder("trials", experiment, dataset), *spec.scores(experiment, dataset)]
            for method in experiment.methods:
                made += spec.fits(experiment, dataset, method)
    for path in made:
        _need(path.exists(), f"{path} is missing. {how_to_make(path)}")
        older = path.stat().st_mtime_ns <= end.stat().st_mtime_ns
        _need(older, f"{path} has changed since the last run ended; make reproduce ends a new one")


def _check_origins(spec, study, drawn):
    """Return what made the fits; the history must have the commits."""
    origins = read_origins(spec, _places(spec, study, drawn))
    for commit in dict.fromkeys(made_by["commit"] or "an unknown commit" for made_by in origins):
        made = f"the fits of {study} were made at {commit}, which is not in the history"
        again = f"Commit all, remove {spec.results}/fits/{study}, and make reproduce"
        known = git(spec.clone, "merge-base", "--is-ancestor", commit, "HEAD")
        _need(known is not None, f"{made}. {again}")
    return origins


def _places(spec, study, drawn):
    return [(spec.experiment(study, name), dataset) for name in drawn for dataset in drawn[name]]


def _of_study(record, study, results):
    """Return the record of one study in a run, and the seconds of its jobs."""
    config, drawn = {**record["config"], "studies": [study]}, record["drawn"][study]
    used = set().union(*drawn.values())
    datasets = {name: of for name, of in record["datasets"].items() if name in used}
    logs = {s: sorted(Path(results, "logs", s, study).rglob("*.tsv")) for s in STATIONS}
    taken = {s: sum(pd.read_csv(p, sep="\t").s.sum() for p in logs[s]) for s in STATIONS if logs[s]}
    seconds = {station: round(float(each), 1) for station, each in taken.items()}
    claims = {name: file for name, file in record.get("claims", {}).items() if name == study}
    changed = {"config": config, "datasets": datasets, "drawn": {study: drawn}, "seconds": seconds}
    return {**record, **changed, "claims": claims}


def _copy_page(reports, new, page):
    """Replace the figures and tables of a page, and its executed notebook."""
    for kind, pattern in KEPT.items():
        shutil.rmtree(new / kind / page, ignore_errors=True)
        (new / kind / page).mkdir(parents=True)
        for path in sorted((reports / kind / page).glob(pattern)):
            shutil.copyfile(path, new / kind / page / path.name)
    (new / "notebooks").mkdir(exist_ok=True)
    notebook = nbformat.read(reports / "notebooks" / f"{page}.ipynb", nbformat.NO_CONVERT)
    # The cells of parameters have the paths of this machine.
    notebook.cells = [
        cell for cell in notebook.cells if not _PARAMETERS & {*cell.metadata.get("tags", ())}
    ]
    nbformat.write(notebook, new / "notebooks" / f"{page}.ipynb")


def _merge(made, published, studies):
    """Replace the rows of some studies; rows with other columns are not mixed."""
    rows = pd.read_csv(made, dtype=str, keep_default_na=False)
    rows = rows[rows.study.isin(studies)]
    rows.loc[:, rows.columns == "published"] = ""  # the label that these rows replace
    if published.exists():
        others = pd.read_csv(published, dtype=str, keep_default_na=False)
        others = others[~others.study.isin(studies)]
        same = others.empty or list(others) == list(rows)
        _need(same, f"{published.name} had other columns before; publish all studies at once")
        rows = pd.concat([rows, others]) if len(others) else rows
    rows.sort_values("study", kind="stable").to_csv(published, index=False, lineterminator="\n")


@contextmanager
def _replacing(folder):
    """Yield a copy of a folder that takes its place when the block succeeds."""
    folder.mkdir(exist_ok=True)
    with replacing_folder(folder) as new:
        shutil.copytree(folder, new, dirs_exist_ok=True)
        yield new


def main(arguments=None):
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("studies", nargs="*", metavar="study", help="all of the last run's")
    parser.add_argument("--results", default="results", type=Path, help="the folder of the run")
    again = "judge the published claims again, from the published scores"
    parser.add_argument("--judge", action="store_true", help=again)
    options = parser.parse_args(arguments)
    try:
        if options.judge:
            changed = judge_again(options.results)
            print(changed.to_string() if len(changed) else "No verdict changes.")
        else:
            print(*publish(options.results, options.studies), sep=".\n", end=".\n")
    except (Unpublishable, ConfigError) as error:
        sys.exit(f"closerthan: {error}.")


if __name__ == "__main__":
    main()
