"""Check that a study is published whole, from one run, and leaves other studies unchanged."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import nbformat
import pandas as pd
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook

from closerthan_study import publish as module
from closerthan_study.claims.scoreboard import judge_all, scores_of_run
from closerthan_study.configuration import Spec
from closerthan_study.files import write_json
from closerthan_study.publish import ROWS, Unpublishable, judge_again, main, publish
from closerthan_study.reports import write_rows
from planted import scores, write_scores
from toy_study import config, write_study

METHODS = {
    "batch": {"label": "batch", "solver": "Batch", "variants": {"default": {}}},
    "random": {"label": "random points", "control": "random"},
}
EXPERIMENT = {
    "task": "ordinal",
    "shows": "Fig. 1",
    "datasets": ["eurodist"],
    "comparisons": {"source": "distances", "n_train": 100},
    "n_components": 2,
    "methods": METHODS,
    "scales": {"smoke": {"trials": 2, "epochs": 1}, "paper": {"trials": 3, "epochs": 1}},
}
LOSSES = {"ste": {"class": "STE"}}
STUDIES = ["heim", "ma", "wu"]  # wu claims nothing
COLUMNS = {"scoreboard.csv": "verdict", "parts.csv": "outcome"}
COLUMNS |= {"readings.csv": "reading", "printed.csv": "status"}


@pytest.fixture
def run(tmp_path, git):
    """Make the results of a run that has just ended; return their folder."""
    git("init", "-q")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text(yaml.safe_dump({"studies": STUDIES}))
    for study in STUDIES:
        write_study(tmp_path, {"cities": EXPERIMENT}, LOSSES, study)

    def make(word="first", studies=STUDIES, scale="smoke"):
        git("add", "config")
        git("commit", "-q", "--allow-empty", "-m", word)
        results = tmp_path / "results"
        settings = config(tmp_path, scale=scale, studies=list(studies))
        spec = Spec(settings, tmp_path, trusted=True)
        reports = results / "reports"
        drawn = {}
        for (study, name), experiment in spec.experiments.items():
            counts = {"trials": experiment.trials, "comparisons": {"train": 100}}
            drawn[study] = {name: {"eurodist": counts}}
            made = [spec.fits(experiment, "eurodist", method)[0] for method in METHODS]
            made += spec.scores(experiment, "eurodist")
            folders = [spec.folder("trials", experiment, "eurodist"), *(p.parent for p in made)]
            for folder in (*folders, reports / "figures" / study, reports / "tables" / study):
                folder.mkdir(parents=True, exist_ok=True)
            for path in made:
                path.touch()
            for method in METHODS:
                (path,) = spec.fits(experiment, "eurodist", method, "seconds.parquet")
                head = git("rev-parse", "--short=12", "HEAD")
                pd.DataFrame({"seconds": [1.0], "commit": [head]}).to_parquet(path)
            for batch in "01":
                log(results, f"fits/{study}/{name}/eurodist/{batch}", 60.0)
            for suffix in ("png", "pdf", "json"):
                (reports / "figures" / study / f"curves.{suffix}").write_text(f"{study} {word}")
            for suffix in ("csv", "html"):
                (reports / "tables" / study / f"errors.{suffix}").write_text(f"{study} {word}")
            write_notebook(reports, study, word)
        for name, column in COLUMNS.items():
            rows = [{"study": s, "claim": c, column: word} for s in ("heim", "ma") for c in "ab"]
            pd.DataFrame(rows).to_csv(reports / name, index=False)
        record = {"date": word, "commit": "c7be7d2", "config": settings, "drawn": drawn}
        record["datasets"] = {"eurodist": {"title": "roads"}, "music": {"title": "artists"}}
        write_json(reports / "provenance.json", record)
        return results

    return make


def write_notebook(reports, name, word):
    """Write an executed notebook, whose cell of parameters has a path of this machine."""
    injected = new_code_cell("folder = '/here'", metadata={"tags": ["injected-parameters"]}, id="a")
    notebook = new_notebook(cells=[injected, new_code_cell(f"show('{name} {word}')", id="b")])
    (reports / "notebooks").mkdir(exist_ok=True)
    nbformat.write(notebook, reports / "notebooks" / f"{name}.ipynb")


def log(results, name, seconds):
    path = Path(results, "logs", f"{name}.tsv")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"s\tmax_rss\n{seconds}\t-\n")


@pytest.fixture(autouse=True)
def scoreboard(monkeypatch):
    """Replace the scoreboard's notebook by one that names the rows it drew, by study."""

    def make_page(spec, name):
        reports = Path(spec.results, "reports")
        rows = pd.read_csv(reports / "scoreboard.csv")
        rows = rows.sort_values("study", key=lambda s: s.map(list(spec.studies).index))
        for kind, suffixes in {"figures": ("png", "pdf"), "tables": ("csv", "html")}.items():
            (reports / kind / name).mkdir(parents=True)
            for suffix in suffixes:
                path = reports / kind / name / f"scoreboard.{suffix}"
                path.write_text(" ".join(rows.study + rows.verdict.fillna("")))
        write_notebook(reports, name, "drawn")

    monkeypatch.setattr(module, "make_page", make_page)


def change(path):
    """Make a file or a folder newer than all others."""
    os.utime(path, (4e9, 4e9))


def files_in(folder):
    """Return the text of every file by its path."""
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in paths}


def test_small_files_of_the_run_are_published(run, tmp_path):
    results = run()
    publish(results, root=tmp_path)
    found = files_in(results / "published")
    pages = {f"figures/{study}/curves.png" for study in STUDIES}
    pages |= {f"tables/{study}/errors.csv" for study in STUDIES}
    pages |= {"figures/scoreboard/scoreboard.png", "tables/scoreboard/scoreboard.csv"}
    pages |= {f"notebooks/{page}.ipynb" for page in (*STUDIES, "scoreboard")}
    pages |= {*ROWS}
    assert set(found) == pages | {f"provenance-{study}.json" for study in STUDIES}
    for name in ROWS:
        assert found[name] == (results / "reports" / name).read_text()
    assert "show('ma first')" in found["notebooks/ma.ipynb"]
    assert "/here" not in found["notebooks/ma.ipynb"]


def test_other_studies_stay_as_they_are(run, tmp_path):
    results = run("first")
    publish(results, root=tmp_path)
    (results / "published" / "figures" / "ma" / "gone.png").touch()
    before = files_in(results / "published")
    run("second", studies=["ma"])
    publish(results, ["ma"], root=tmp_path)
    after = files_in(results / "published")
    assert {name for name in before if before[name] != after.get(name)} == {
        *ROWS,
        *("figures/ma/curves.png", "tables/ma/errors.csv", "provenance-ma.json"),
        *("notebooks/ma.ipynb",),
        *("figures/ma/gone.png",),
        *("figures/scoreboard/scoreboard.png", "tables/scoreboard/scoreboard.csv"),
    }
    assert "figures/ma/gone.png" not in after
    for name, column in COLUMNS.items():
        rows = pd.read_csv(results / "published" / name)
        assert rows.study.tolist() == ["heim", "heim", "ma", "ma"]
        assert rows[column].tolist() == ["first", "first", "second", "second"]
    drawn = after["figures/scoreboard/scoreboard.png"]
    assert drawn == "heimfirst heimfirst masecond masecond", "from the published rows"


def test_rows_are_kept_letter_by_letter(run, tmp_path):
    results = run()
    text = 'study,claim,verdict\nheim,a,"0.10, NA"\nheim,b,\nma,a,1e-07\n'
    (results / "reports" / "scoreboard.csv").write_text(text)
    change(results / "reports" / "provenance.json")  # a run writes it last
    publish(results, ["heim", "ma"], root=tmp_path)
    publish(results, ["ma"], root=tmp_path)
    assert (results / "published" / "scoreboard.csv").read_text() == text


def test_a_provenance_is_that_of_its_study(run, tmp_path):
    results = run()
    publish(results, ["ma"], root=tmp_path)
    record = json.loads((results / "published" / "provenance-ma.json").read_text())
    assert record["config"]["studies"] == ["ma"] and record["config"]["scale"] == "smoke"
    assert (record["commit"], record["date"]) == ("c7be7d2", "first")
    assert list(record["datasets"]) == ["eurodist"]
    counts = {"trials": 2, "comparisons": {"train": 100}}
    assert record["drawn"] == {"ma": {"cities": {"eurodist": counts}}}
    assert record["seconds"] == {"fits": 120.0}


LOW = {"part": "a low error", "kind": "within", "who": "batch", "measure": "final_error"}
LOW |= {"at_most": 0.2, "unit": "count", "threshold_by": "ours, 2026-01-31"}
CLAIM = {"statement": "It is so.", "where": "Fig. 1", "artefact": "figures/ma/curves"}
CLAIM |= {"experiment": "cities", "settings": "ours", "data": {"eurodist": "same"}}


def test_published_claims_are_judged_again_without_a_run(run, tmp_path):
    claims = tmp_path / "config" / "studies" / "ma" / "claims.yaml"
    claims.write_text(yaml.safe_dump({"it": CLAIM | {"parts": [LOW]}}))
    names = {
        "paper": "ma",
        "experiments": {"table-1": "cities"},
        "measures": {"error": "final_error"},
    }
    write_study(tmp_path, {"cities": EXPERIMENT}, LOSSES, "ma", printed=names)
    printed = "paper,artefact,dataset,loss,method,metric,unit,mean\n"
    claims.with_name("reported.csv").write_text(
        printed + "ma,table-1,eurodist,ste,random,error,,0.5\n"
    )
    results = run(studies=["ma"])
    spec = Spec(config(tmp_path, studies=["ma"]), tmp_path, trusted=True)
    (experiment,) = spec.experiments.values()
    errors = {("batch", "default", pd.NA): [0.1, 0.15], ("random", "control", pd.NA): [0.5, 0.5]}
    place = {"study": "ma", "experiment": "cities", "dataset": "eurodist", "epoch": 1.0}
    table = scores(errors, "final_error", ["ste"], **place)
    write_scores(spec, experiment, "eurodist", table)
    judged = judge_all(spec, scores_of_run(spec, [(experiment, "eurodist")]))
    for name, rows in zip(("scoreboard.csv", "parts.csv", "readings.csv"), judged, strict=True):
        write_rows(rows, results / "reports" / name)
    (results / "reports" / "printed.csv").write_text("study,status\n")
    change(results / "reports" / "provenance.json")
    publish(results, root=tmp_path)
    kept = pd.read_parquet(results / "published" / "scores" / "ma.parquet")
    assert sorted(kept.value) == [0.1, 0.15, 0.5, 0.5], "of a claim and of a printed number"
    shutil.rmtree(results / "scores")
    shutil.rmtree(results / "reports")

    def judged_by():
        record = json.loads((results / "published" / "provenance-ma.json").read_text())
        return record.get("judged again", {}).get("claims", {}).get("sha256")

    record = json.loads((results / "published" / "provenance-ma.json").read_text())
    record["claims"] = {"ma": {"sha256": hashlib.sha256(claims.read_bytes()).hexdigest()}}
    write_json(results / "published" / "provenance-ma.json", record)
    assert judge_again(results, root=tmp_path).empty and judged_by() is None
    stricter = {"it": CLAIM | {"parts": [LOW | {"at_most": 0.12}]}}
    claims.write_text(yaml.safe_dump(stricter | {"new": CLAIM | {"parts": None}}))
    changed = judge_again(results, root=tmp_path).verdict
    assert changed.loc[("ma", "it")].to_dict() == {"now": "open", "before": "reproduced"}
    assert changed.loc[("ma", "new"), "now"] == "not yet judged"
    (part,) = pd.read_csv(results / "published" / "parts.csv").to_dict("records")
    assert (part["threshold"], part["outcome"]) == (0.12, "open")
    assert judged_by() == hashlib.sha256(claims.read_bytes()).hexdigest()


@pytest.mark.parametrize("origin", ["0123456789ab", "HEAD with uncommitted changes", None])
def test_fits_that_the_history_does_not_have_are_refused(run, tmp_path, origin):
    results = run(studies=["ma"])
    (path,) = (results / "fits/ma").rglob("batch.seconds.parquet")
    pd.DataFrame({"seconds": [1.0], "commit": [origin]}).to_parquet(path)
    change(results / "reports/provenance.json")
    made = (
        f"made at {origin or 'an unknown commit'}, which is not in the history. Commit all, remove"
    )
    with pytest.raises(Unpublishable, match=made):
        publish(results, root=tmp_path)


def test_a_smaller_run_does_not_replace_a_larger_one(run, tmp_path):
    results = run(studies=["ma"])
    assert publish(results, root=tmp_path) == [
        "ma is published at scale smoke; nothing of it was before"
    ]
    run("second", studies=["ma"], scale="paper")
    replaced = "ma at scale paper replaces the one of first, commit c7be7d2, scale smoke"
    assert publish(results, root=tmp_path) == [replaced]
    before = files_in(results / "published/tables")
    run("third", studies=["ma"])
    with pytest.raises(Unpublishable, match="at scale paper, the run is smoke") as error:
        publish(results, root=tmp_path)
    assert files_in(results / "published/tables") == before
    Path(str(error.value).split("or remove ")[1].split(" to give")[0]).unlink()
    publish(results, root=tmp_path)


def test_claims_are_not_judged_again_without_scores(run, tmp_path):
    results = run()
    publish(results, root=tmp_path)
    with pytest.raises(Unpublishable, match=r"published/scores is missing; make publish makes it"):
        judge_again(results, root=tmp_path)


def test_rows_with_other_columns_are_not_mixed(run, tmp_path):
    results = run()
    board = results / "published" / "scoreboard.csv"
    board.parent.mkdir()
    before = "study,claim,evidence\nheim,a,old\nma,a,old\n"
    board.write_text(before)
    with pytest.raises(Unpublishable, match=r"scoreboard.csv had other columns"):
        publish(results, ["ma"], root=tmp_path)
    assert board.read_text() == before
    publish(results, root=tmp_path)
    assert board.read_text() == (results / "reports" / "scoreboard.csv").read_text()


def draw(results, trials):
    record = json.loads((results / "reports/provenance.json").read_text())
    record["drawn"]["ma"]["cities"]["eurodist"]["trials"] = trials
    write_json(results / "reports/provenance.json", record)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda r: (r / "reports/provenance.json").unlink(), "provenance.json is missing"),
        (lambda r: (r / "reports/parts.csv").unlink(), "parts.csv is missing"),
        (lambda r: shutil.rmtree(r / "reports/figures/ma"), "figures/ma is missing"),
        (lambda r: (r / "reports/notebooks/ma.ipynb").unlink(), "ma.ipynb is missing"),
        (
            lambda r: (r / "scores/ma/cities/eurodist/seconds.parquet").unlink(),
            "seconds.parquet is missing. To make it again, run snakemake with the same --config",
        ),
        (lambda r: shutil.rmtree(r / "trials/ma"), "trials/ma/cities/eurodist is missing"),
        (lambda r: draw(r, 3), "eurodist has 3 trials, and the scale smoke has 2"),
        (
            lambda r: change(r / "fits/ma/cities/eurodist/0/batch.parquet"),
            "changed since the last run ended",
        ),
        (lambda r: change(r / "reports/printed.csv"), "changed since the last run ended"),
    ],
)
def test_a_study_that_is_not_whole_or_not_of_one_scale_is_refused(run, tmp_path, spoil, words):
    results = run()
    publish(results, root=tmp_path)
    before = files_in(results / "published")
    run("second")
    spoil(results)
    for studies in (["ma"], []):
        with pytest.raises(Unpublishable, match=r"^[^\n]+$") as error:
            publish(results, studies, root=tmp_path)
        assert words in str(error.value)
    assert files_in(results / "published") == before


def test_a_study_none_of_whose_data_were_to_be_had_is_refused(run, tmp_path):
    results = run()
    record = json.loads((results / "reports" / "provenance.json").read_text())
    write_json(results / "reports" / "provenance.json", {**record, "drawn": {}})
    with pytest.raises(Unpublishable, match="could not get any data of 'ma'"):
        publish(results, ["ma"], root=tmp_path)
    assert not (results / "published").exists()


def test_nothing_is_half_published_when_it_is_stopped(run, tmp_path, monkeypatch):
    results = run("first")
    publish(results, root=tmp_path)
    before = files_in(results / "published")
    run("second")

    def stop(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(module, "make_page", stop)
        publish(results, root=tmp_path)
    assert files_in(results / "published") == before
    publish(results, root=tmp_path)
    assert (results / "published/figures/ma/curves.png").read_text() == "ma second"
    assert not list(results.glob(".published*"))


def test_the_command_says_in_one_sentence_what_is_amiss(run, monkeypatch, tmp_path):
    results = run(studies=["heim"])
    monkeypatch.setattr(module, "publish", lambda r, s: publish(r, s, root=tmp_path))
    main(["heim", "--results", str(results)])
    assert (results / "published" / "provenance-heim.json").exists()
    with pytest.raises(SystemExit) as stopped:
        main(["ma", "--results", str(results)])
    assert stopped.value.code == "closerthan: the last run does not have 'ma'; it has heim."
