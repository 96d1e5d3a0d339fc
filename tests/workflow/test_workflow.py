"""The workflow, run for real: what runs when, the same bytes always, and faults that end well."""

import os
import random
import re
import shutil
import signal
import time
from pathlib import Path

import pytest
import yaml

from closerthan.datasets import registry
from closerthan_study.configuration import load_spec
from planted_page import read_content
from workflow.conftest import ROOT, STATIONS

SCORES = "results/scores/tiny/map/eurodist"
STREAM = "results/scores/tiny/stream/synthetic"
SIMILARITY = "results/scores/tiny/similarity/synthetic"
SHAPE = "results/scores/tiny/shape/swissroll"


def test_the_shipped_study_plans_every_job_of_its_config(shipped):
    shipped.change("config.yaml", "data.cache", str(shipped.folder / "downloads"))
    shipped.change("config.yaml", "scale", "paper")
    plan = shipped.plan()
    config = yaml.safe_load((shipped.folder / "config" / "config.yaml").read_text())
    spec = load_spec(config, shipped.folder)
    wanted = {name for experiment in spec.experiments.values() for name in experiment.datasets}
    fetched = {name for name in wanted if registry()[name]["files"]}
    experiments = spec.pairs(fetched - {"eurodist"})  # whose file is embedded
    assert plan["data"] == len({dataset for _, dataset in experiments}) >= 3
    places = {(*experiment.words, experiment.place(dataset)) for experiment, dataset in experiments}
    assert plan["trials"] == plan["scores"] == len(places)
    assert plan["fits"] == sum(spec.experiment(*words).batches for *words, _ in places)
    assert not shipped.results.exists()


def after(edges):
    """Return all pairs of rules of which one comes after the other, directly or not."""
    found = set(edges)
    while more := {(a, d) for a, b in found for c, d in edges if b == c} - found:
        found |= more
    return found


def test_the_drawing_of_the_rules_in_the_docs_is_current(shipped):
    _, said = shipped.run("--rulegraph")
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
        assert "music_triplets.mat is not to be had" in text
        assert "Set CLOSERTHAN_DATA_MIRROR" in text
    assert "Music artist similarity" in page and "tables/tiny/errors.csv" in page
    assert str(checkout.folder) not in page
    board = (checkout.results / "reports" / "board.html").read_text()
    assert 'href="board.html"' in page and str(checkout.folder) not in board
    content = read_content(board)
    assert {"map", "stream", "shape"} <= {chart["experiment"] for chart in content["curves"]}
    assert "map" in {group["experiment"] for group in content["maps"]}, "for its objects have names"
    scores = {path.name for path in (checkout.folder / SCORES).glob("*.parquet")}
    assert {"batch.parquet", "svrg-sbb.parquet", "random.parquet"} <= scores
    assert not list(checkout.results.rglob(".*-*")), "no temporary file is left"


def test_a_second_run_has_nothing_to_do_and_no_edit_of_words_changes_that(done):
    assert done.plan() == {}
    package = ("comparisons/sample", "optimize/svrg", "scores/retrieval")
    for module in (*(f"closerthan/{name}" for name in package), "closerthan_study/figures/save"):
        done.edit(module, docstring="Edited: ", code="# a comment\n")
    assert done.plan() == {}


EDITS = {
    # of a function: how many jobs of each station it makes again
    "closerthan/scores/retrieval": (0, 0, 1, 2, 2),  # judges ordinal, tunes similarity
    "closerthan/scores/embedding": (0, 0, 2, 5, 3),  # ordinal and online; judges mds
    "closerthan/optimize/trace": (0, 0, 2, 5, 2),  # ordinal and online
    "closerthan/kernels/model": (0, 0, 2, 5, 2),
    "closerthan_study/tasks/ordinal/experiment": (0, 1, 1, 3, 1),
    "closerthan/datasets/eurodist": (1, 1, 0, 3, 1),
}


@pytest.mark.parametrize("module", EDITS)
def test_edited_code_runs_its_station_and_what_follows(done, module):
    done.edit(module, code="EDITED = 1\n")
    again = {name: n for name, n in zip(STATIONS, EDITS[module], strict=True) if n}
    assert done.plan() == {**again, "reports": 1}


@pytest.mark.parametrize(
    ("experiment", "module", "fits"),
    [
        ("stream", "closerthan_study/tasks/online/fit", 2),
        ("stream", "closerthan/kernels/online", 2),
        ("map", "closerthan_study/tasks/ordinal/fit", 3),
        ("similarity", "closerthan_study/tasks/similarity/fit", 2),
        ("similarity", "closerthan/bilinear/sdca", 2),
        ("shape", "closerthan_study/tasks/mds/fit", 2),
        ("shape", "closerthan/mds/pattern_search", 2),
    ],
)
def test_code_of_one_task_does_not_run_another(done, experiment, module, fits):
    done.edit(module, code="EDITED = 1\n")
    assert done.plan() == {"compile": 1, "fits": fits, "scores": 1, "reports": 1}
    assert done.said.count(f"experiment={experiment}") == fits + 1


@pytest.mark.parametrize("task", ["ordinal", "online", "similarity", "mds"])
def test_scores_of_one_task_do_not_run_another(done, task):
    done.edit(f"closerthan_study/tasks/{task}/score", code="EDITED = 1\n")
    assert done.plan() == {"scores": 1, "reports": 1}


def test_an_edited_registry_entry_makes_its_data_set_again_and_no_other(done):
    path = done.folder / "src/closerthan/datasets/shapes.yaml"  # which has all shapes
    entries = yaml.safe_load(path.read_text())
    entries["clusters"]["title"] += " once more"
    path.write_text(yaml.safe_dump(entries, sort_keys=False))
    assert done.plan() == {}
    entries["swissroll"]["title"] += " once more"
    path.write_text(yaml.safe_dump(entries, sort_keys=False))
    assert done.plan() == {"data": 1, "trials": 1, "fits": 2, "scores": 1, "reports": 1}


def test_what_only_pages_say_makes_only_them_again(done):
    done.change("studies/tiny/study.yaml", "title", "Very tiny")
    assert done.plan() == {"reports": 1}
    done.change("studies/tiny/study.yaml", "title", "Tiny")
    template = done.folder / "src/closerthan_study/report/notebooks.html.j2"
    template.write_text(template.read_text() + "<!-- edited -->\n")
    assert done.plan() == {"reports": 1}


def test_a_changed_setting_runs_what_depends_on_it_and_no_more(done):
    study = "studies/tiny/study.yaml"
    methods = "experiments.map.methods"
    done.change(study, f"{methods}.batch.variants.default", {"parameters": {"step": "fixed"}})
    assert done.plan() == {"fits": 1, "scores": 1, "reports": 1}
    done.change(study, f"{methods}.batch.variants.default", {})
    done.change(study, "experiments.map.comparisons.n_train", 301)
    assert done.plan() == {"trials": 1, "fits": 3, "scores": 1, "reports": 1}
    done.change(study, "experiments.map.comparisons.n_train", 300)
    done.change(study, "experiments.shape.n_neighbors", 9)
    assert done.plan() == {"fits": 2, "scores": 1, "reports": 1}
    done.change("config.yaml", "words.vectors", "glove.txt")  # words take no part
    assert done.plan() == {"fits": 2, "scores": 1, "reports": 1}


def test_other_batches_are_fitted_anew(done):
    done.change("studies/tiny/study.yaml", "experiments.map.scales.smoke.batches", 6)
    assert done.plan() == {"fits": 6, "scores": 1, "reports": 1}


@pytest.mark.parametrize("batches", [3, 1])
def test_one_core_and_two_and_any_number_of_batches_make_the_same_bytes(fresh, finished, batches):
    fresh.change("studies/tiny/study.yaml", "experiments.map.scales.smoke.batches", batches)
    status, said = fresh.run(SCORES, cores=1)
    assert status == 0, said
    assert said.count("rule fits:") == batches
    stations = ["data", "trials", "scores", *(["fits"] if batches == 3 else [])]
    expected = finished[0].contents(*stations)
    found = fresh.contents(*stations)
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
            continue  # it has ended
    return found


def wait_until(condition, process):
    for _ in range(3000):
        if condition() or process.poll() is not None:
            break
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()[0]


@pytest.mark.parametrize("seed", [0])
def test_a_killed_run_and_a_killed_job_leave_no_trace_in_the_results(fresh, finished, seed):
    wait = random.Random(seed).uniform(0, 1)
    process = fresh.start(SCORES)
    wait_until(lambda: list(fresh.results.glob("fits/**/*.parquet")), process)
    time.sleep(wait)
    assert process.poll() is None, "the run was over before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert not (fresh.folder / SCORES).exists()

    fresh.run("--unlock")
    process = fresh.start(SCORES)
    wait_until(lambda: jobs_of(process, "scores"), process)
    time.sleep(wait / 5)  # it takes a second to start
    for pid in jobs_of(process, "scores"):
        os.kill(pid, signal.SIGKILL)
    said, _ = process.communicate(timeout=300)
    assert process.returncode != 0, said

    status, said = fresh.run(SCORES)
    assert status == 0, said
    expected = finished[0].contents("scores/tiny/map")
    assert fresh.contents("scores") == expected and len(expected) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--config", "scal=smoke"], "unknown key scal; allowed: scale, studies, seed"),
        (["--config", "scale=smoek"], "'smoek' is not allowed; allowed: smoke, default, paper"),
    ],
)
def test_a_typo_on_the_command_line_ends_with_one_message(fresh, arguments, words):
    status, said = fresh.run(*arguments)
    assert status != 0 and said.count(words) == 1 and "Traceback" not in said
    assert not fresh.results.exists()


def test_strict_data_end_the_run_with_the_name_and_the_remedy(fresh):
    status, said = fresh.run("--config", "data={strict: true}")
    assert status != 0 and "data.strict is set, but can't be had: music" in said
    assert "music_triplets.mat" in said and "Set CLOSERTHAN_DATA_MIRROR" in said
    assert not fresh.results.exists()


def test_a_page_sees_no_result_that_its_rule_does_not_declare(done):
    other = "results/reports/scoreboard.csv"
    done.write_notebook("tiny", f"open('{other}')")
    status, said = done.run("results/reports/notebooks/tiny.html")
    assert status != 0 and f"No such file or directory: '{other}'" in said
    assert (done.folder / other).exists()
    assert "Traceback" in (done.results / "logs/reports/tiny.ipynb").read_text()


def test_more_components_than_objects_end_the_run_with_one_message(done):
    shutil.rmtree(done.results / "fits" / "tiny")
    shutil.rmtree(done.results / "scores")
    done.change("studies/tiny/study.yaml", "experiments.map.n_components", 22)
    status, said = done.run(SCORES, cores=1)
    words = "experiments.map.n_components: 22 is more than the 21 objects of eurodist"
    assert status != 0 and said.count(words) == 1 and "tiny/study.yaml" in said
    assert not list(done.results.glob("fits/**/*.parquet"))
    assert not (done.results / "scores").exists()
