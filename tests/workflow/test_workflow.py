"""Run the workflow: check what runs when, that its bytes repeat, and that faults end well."""

import os
import random
import re
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
import yaml

from closerthan_study.configuration import load_spec
from closerthan_study.reading import how_to_make
from workflow.conftest import NOTEBOOK, REPORTS, ROOT

SCORES = "results/scores/tiny/map/eurodist"


def test_the_shipped_study_plans_every_job_of_its_config(shipped):
    shipped.change("config.yaml", "data.cache", str(shipped.folder / "downloads"))
    shipped.change("config.yaml", "scale", "paper")
    plan = Counter()
    for (rule, _), n in shipped.plan().items():
        plan[rule] += n
    config = yaml.safe_load((shipped.folder / "config" / "config.yaml").read_text())
    experiments = load_spec(config, shipped.folder).pairs([])  # supposing that all can be had
    names = {name for e, dataset in experiments for name in (dataset, *e.also_reads)}
    assert plan["data"] == len(names) > 20
    places = {(*experiment.words, experiment.place(dataset)) for experiment, dataset in experiments}
    assert plan["trials"] == plan["scores"] == len(places)
    batches = {experiment.words: experiment.batches for experiment, _ in experiments}
    assert plan["fits"] == sum(batches[study, name] for study, name, _ in places)
    assert not shipped.results.exists()
    assert not (shipped.folder / "downloads").exists(), "a plan fetches nothing"


def after(edges):
    """Return all pairs of rules in which one follows the other, directly or not."""
    found = set(edges)
    while more := {(a, d) for a, b in found for c, d in edges if b == c} - found:
        found |= more
    return found


def test_the_drawing_of_the_rules_in_the_docs_is_current(fresh):
    _, said = fresh.run("--rulegraph")
    rules = dict(re.findall(r'(\d+)\[label = "(\w+)"', said))
    edges = {(rules[a], rules[b]) for a, b in re.findall(r"(\d+) -> (\d+)", said)}
    drawing = (ROOT / "docs/rulegraph.svg").read_text()
    names = re.findall(r"<title>(\d+)</title>.*?<text[^>]*>(\w+)</text>", drawing, re.DOTALL)
    names = dict(names)
    drawn = re.findall(r"<title>(\d+)&#45;&gt;(\d+)</title>", drawing)
    assert after({(names[a], names[b]) for a, b in drawn}) == after(edges)
    assert {"data", "trials", "fits", "scores", "claims"} <= set(names.values())


def test_snakemake_reports_figures_and_tables_by_category(done):
    status, said = done.run("--report", "report.html")
    assert status == 0, said
    page = (done.folder / "report.html").read_text()
    for words in ('"Figures"', '"Tables"', "errors.png", "errors.html"):
        assert words in page, words


def test_a_complete_run_makes_everything_and_says_what_is_missing(finished):
    checkout, said = finished
    page = (checkout.results / "reports" / "index.html").read_text()
    for text in (said, page):
        assert "1 of 4 data sets could not be had; 1 experiment is missing." in text
        assert text.count("Set CLOSERTHAN_DATA_MIRROR") == 1
    assert "Missing: music." in said and "cache: there is no" in page
    assert "Music artist similarity" in page and "notebooks/tiny.html" in page
    assert str(checkout.folder) not in page
    scores = {path.name for path in (checkout.folder / SCORES).glob("*.parquet")}
    assert {"batch.parquet", "svrg-sbb.parquet", "random.parquet"} <= scores
    assert not list(checkout.results.rglob(".*-*")), "no temporary file is left"


def test_what_only_pages_say_makes_only_them_again_and_edited_words_nothing(done):
    done.change("studies/tiny/study.yaml", "title", "Very tiny")
    package = ("comparisons/sample", "optimize/svrg", "scores/retrieval")
    for module in (*(f"closerthan/{name}" for name in package), "closerthan_study/figures/save"):
        done.edit(module, docstring="Edited: ", code="# a comment\n")
    assert done.plan() == REPORTS
    done.change("studies/tiny/study.yaml", "title", "Tiny")
    template = done.folder / "src/closerthan_study/report/notebooks.html.j2"
    template.write_text(template.read_text() + "<!-- edited -->\n")
    assert done.plan() == REPORTS


def jobs(experiment, n_fits=0, *before):
    """Return the jobs after fitting or scoring an experiment again, by station."""
    plan = {(rule, experiment): 1 for rule in (*before, "scores")}
    return plan | ({("fits", experiment): n_fits} if n_fits else {})


def test_edited_code_makes_again_what_depends_on_it_and_nothing_else(done):
    """Each experiment starts again at another station; see also `test_dependencies`."""
    task = "closerthan_study/tasks"
    for module in (f"{task}/online/fits", f"{task}/similarity/scores"):
        done.edit(module, code="EDITED = 1\n")
    done.edit("closerthan/datasets/eurodist", code="EDITED = 1\n")
    done.change("studies/tiny/study.yaml", "experiments.shape.n_neighbors", 9)  # fits use it
    assert done.plan() == {
        **jobs("stream", 1),
        **jobs("similarity"),
        **jobs("shape", 1),
        **({("data", "eurodist"): 1} | jobs("map", 2, "trials")),
        **REPORTS,
    }


def test_changed_settings_make_again_what_depends_on_them_and_nothing_else(done):
    study, of_map = "studies/tiny/study.yaml", "experiments.map.methods.batch.variants.default"
    done.change(study, of_map, {"parameters": {"step": "fixed"}})  # one batch of two
    done.change(study, "experiments.stream.comparisons.n_train", 101)
    done.change(study, "experiments.similarity.scales.smoke.batches", 3)
    done.change("config.yaml", "words.vectors", "glove.txt")  # no experiment uses words
    path = done.folder / "src/closerthan/datasets/shapes.yaml"  # this file describes all shapes
    entries = yaml.safe_load(path.read_text())
    for name in ("clusters", "swissroll"):
        entries[name]["title"] += " once more"
    path.write_text(yaml.safe_dump(entries, sort_keys=False))
    assert done.plan() == {
        **jobs("map", 1),
        **jobs("stream", 1, "trials"),
        **jobs("similarity", 3),
        **jobs("shape", 1, "trials"),
        **{("data", "swissroll"): 1},
        **REPORTS,
    }


INLINED = {  # a file, and what to change in a function that functions of another file contain
    "kernels/triangle": ("return max(0.0, d2)", "return 1.5 * max(0.0, d2)"),
    "similarity/tiles": ("a + e * number", "a + 2.0 * e * number"),
    "_core/elementary": ("x - k * _LN2_HIGH", "x - k * 1.1 * _LN2_HIGH"),
}


def test_compiled_code_is_never_stale(done, tmp_path):
    """One edit a task, run, compare with a run that compiles everything, and back."""
    places = ["stream/synthetic", "similarity/synthetic", "map/eurodist"]
    scores = [f"results/scores/tiny/{place}" for place in places]
    before = done.contents("scores")
    files = [done.code / "closerthan" / f"{name}.py" for name in INLINED]
    texts = [path.read_text() for path in files]
    for path, text, (old, new) in zip(files, texts, INLINED.values(), strict=True):
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
    other = done.copy(tmp_path / "empty")
    for path in other.code.rglob("*.nb[ic]"):
        path.unlink()
    for checkout in (done, other):
        status, said = checkout.run(*scores)
        assert status == 0, said
    edited = done.contents("scores")
    assert edited == other.contents("scores")
    for place in places:
        found = [name for name in edited if place in name]
        assert found and any(edited[name] != before[name] for name in found), place
    for path, text in zip(files, texts, strict=True):
        path.write_text(text)
    status, said = done.run(*scores)
    assert status == 0 and done.contents("scores") == before, said


def test_a_run_in_another_folder_reads_this_one_and_writes_there(done, tmp_path):
    assert {"trials", "fits", "scores"} <= {rule for rule, _ in done.plan("--config", "seed=5")}
    before = done.contents(".")
    page = "results/reports/notebooks/scoreboard.html"
    status, said = done.run(page, "--directory", str(tmp_path / "elsewhere"))
    assert status == 0 and (tmp_path / "elsewhere" / page).exists(), said
    assert done.contents(".") == before
    status, said = done.run("--config", f"results={tmp_path}")
    assert status != 0 and f"snakemake --directory {tmp_path}" in said


def test_the_remedy_for_a_missing_file_makes_its_folder_again(done):
    lost = "fits/tiny/stream/synthetic/0/refit.parquet", "scores/tiny/map/eurodist/batch.parquet"
    folders = [how_to_make(f"results/{file}").split("--forcerun ")[1] for file in lost]
    plan = jobs("stream", 1) | jobs("map") | REPORTS
    assert done.plan("--forcerun", *folders) == plan, done.said


def assert_same_bytes(checkout, other, *stations):
    expected, found = other.contents(*stations), checkout.contents(*stations)
    assert SCORES.removeprefix("results/") + "/batch.parquet" in found
    for name, content in found.items():
        assert content == expected[name], name


def jobs_of(process, rule):
    """Return the ids of the processes that run a script of the workflow."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            pid = int(path.parent.name)
            if os.getpgid(pid) == process.pid and f".{rule}.py".encode() in path.read_bytes():
                found.append(pid)
        except (ProcessLookupError, FileNotFoundError):
            continue  # the process has ended
    return found


def wait_until(condition, process):
    for _ in range(30_000):
        if condition() or process.poll() is not None:
            break
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()[0]


def test_a_killed_run_and_a_killed_job_leave_no_trace_in_the_results(fresh, finished):
    """Run in three batches and on one core; the finished run used two of each."""
    fresh.change("studies/tiny/study.yaml", "experiments.map.scales.smoke.batches", 3)
    wait = random.Random(0).uniform(0, 1)
    process = fresh.start(SCORES, cores=1)
    wait_until(lambda: list(fresh.results.glob("fits/**/*.parquet")), process)
    time.sleep(wait)
    assert process.poll() is None, "the run was over before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert not (fresh.folder / SCORES).exists()

    process = fresh.start(SCORES, "--nolock", cores=1)
    wait_until(lambda: jobs_of(process, "scores"), process)
    time.sleep(wait / 5)  # it takes a second to start
    for pid in jobs_of(process, "scores"):
        os.kill(pid, signal.SIGKILL)
    said, _ = process.communicate(timeout=300)
    assert process.returncode != 0, said

    status, said = fresh.run(SCORES, "--nolock", cores=1)
    assert status == 0, said
    assert_same_bytes(fresh, finished[0], "data", "trials", "scores")
    assert len(fresh.contents("scores")) == 3


def test_a_typo_on_the_command_line_ends_with_one_message(fresh):
    status, said = fresh.run("--config", "scal=smoke")
    words = "unknown key scal; allowed: scale, studies, seed"
    assert status != 0 and said.count(words) == 1 and "Traceback" not in said
    assert not fresh.results.exists()


@pytest.mark.parametrize("file", ["reports/notebooks/sdca.html", "scores/sdca/bags/caltech256"])
def test_what_another_study_makes_is_refused(fresh, file):
    status, said = fresh.run("--dry-run", f"results/{file}")
    assert status != 0 and f"No rule to produce results/{file}" in said


def test_strict_data_end_the_run_with_the_name_and_the_remedy(fresh):
    status, said = fresh.run("--config", "data={strict: true}")
    assert status != 0 and "1 of 4 data sets could not be had" in said
    words = ("data.strict is set", "music_triplets.mat", "Set CLOSERTHAN_DATA_MIRROR")
    assert all(word in said for word in words) and "Traceback" not in said
    assert said.count("data.strict is set") == 1
    assert not (fresh.results / "data/missing.json").exists()
    assert not (fresh.results / "reports").exists()


def test_a_page_sees_no_result_that_its_rule_does_not_declare(done):
    other = "results/reports/scoreboard.csv"
    done.write_notebook("tiny", "open(config['results'] + '/reports/scoreboard.csv')")
    status, said = done.run("results/reports/notebooks/tiny.html")
    assert status != 0 and f"No such file or directory: '{other}'" in said
    assert (done.folder / other).exists()
    log = (done.results / "logs/reports/tiny.log").read_text()
    assert log in said and len(log.splitlines()) <= 11


def test_a_notebook_with_a_figure_and_no_table_makes_a_page(done):
    done.write_notebook("tiny", NOTEBOOK.rpartition("page.table")[0])
    status, said = done.run()
    assert status == 0, said
    reports = done.results / "reports"
    assert not list((reports / "tables/tiny").glob("*.html"))
    assert 'id="figures-errors"' in (reports / "notebooks/tiny.html").read_text()
