"""Run `make benchmark` at a tiny size beside a short peer; no time is judged."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
sys.path.append(str(BENCHMARKS))

from fits import Watch  # noqa: E402
from race import PATIENCE, race  # noqa: E402
from sections import compare, grid  # noqa: E402
from tables import ratios, short, spread  # noqa: E402
from workers import OURS, Failed, Worker, environment  # noqa: E402

from closerthan.discovery import short_names  # noqa: E402
from closerthan_lab.adaptive import STRATEGIES  # noqa: E402

sys.path.remove(str(BENCHMARKS))  # its names could hide modules of other tests

# Plain gradient descent; the watch stops it as it stops any contender.
TOY = """
import numpy as np

def descend(data, seed, watch, n_steps=60):
    X = data.get("start", np.zeros((int(data["n"]), int(data["p"])))).copy()
    i, j, k = data["train"].T
    for _ in range(n_steps):
        near, far = X[i] - X[j], X[i] - X[k]
        wrong = 1 / (1 + np.exp((far**2).sum(1) - (near**2).sum(1)))
        step = 20 / len(i) * wrong[:, None]
        for row, change in ((i, far - near), (j, near), (k, -far)):
            np.add.at(X, row, step * change)
        if watch and watch(X):
            break
    return X

def fail(data, seed, watch):
    raise RuntimeError("too many objects")

TASKS = {"ordinal": {"descent": descend, "none": fail}}
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers") / "toy"
    folder.mkdir()
    (folder / "fit.py").write_text(TOY)
    return folder


@pytest.fixture(scope="module")
def results(toy):
    results = toy.parent / "results"
    command = [sys.executable, BENCHMARKS, "--size", "tiny", "--results", results, "--peers", toy]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return results


def test_every_section_is_measured_and_shown(results):
    solvers = short_names("closerthan.optimize")
    fits, grid, cold, questions = (
        pd.read_csv(results / "tables" / f"{name}-1.csv")
        for name in ("compare", "grid", "cold", "questions")
    )
    beside = fits[fits.peer == "toy descent"]
    ours = [*solvers, "default"]
    assert list(beside.environment) == len(ours) * ["stock"] + len(ours) * ["one thread"]
    # A fit too slow for turns comes next, so the order of the others depends on the machine.
    assert sorted(beside.ours) == sorted(2 * ours)
    assert list(beside.ours[:: len(ours)]) == ["default", "default"]
    assert beside.filter(like="ratio").notna().all(axis=None)
    assert {*solvers, "auto / best"} < set(grid) and len(grid) == 2
    assert list(cold.package) == ["closerthan", "closerthan", "toy"]
    assert sorted(questions.strategy) == sorted(STRATEGIES)
    page = (results / "index.html").read_text()
    assert page.count("<h2") == 5 and page.count("<svg") == 1
    assert not re.search(r"(src|href)=.?(http|/|\.\.)", page)


def test_the_readme_gets_date_machine_and_figures(results):
    text = (results / "README-table.md").read_text()
    facts = json.loads((results / "run.json").read_text())
    assert facts["date"] in text and facts["processor"] in text
    for name in ("auto", "default"):
        row = rf"\| toy descent / closerthan, .*: `{name}` \| to 0.15 .* x CPU, .* x wall; "
        assert re.search(row, text)


def test_what_is_measured_is_not_measured_again(results, toy, monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    main = runpy.run_path(str(BENCHMARKS / "__main__.py"))
    for name in main["SECTIONS"]:
        monkeypatch.setattr(f"sections.{name}.measure", lambda case: pytest.fail(f"again: {case}"))
    kept = [path for path in results.iterdir() if path.suffix in (".csv", ".json")]
    before = {path: path.read_bytes() for path in kept}
    rows = main["measure"](main["SECTIONS"], "tiny", {str(toy): ["ordinal"]}, results)
    assert [section.__name__.split(".")[1] for section in rows] == main["SECTIONS"]
    run = main["remember"](results / "run.json", {})
    main["write_page"](rows, run, results)
    assert {path: path.read_bytes() for path in kept} == before


def test_a_fit_that_fails_is_told_and_the_others_go_on(results):
    rows = pd.read_csv(results / "compare.csv")
    assert set(rows[rows.contender == "none"].what) == {"failed"}
    assert set(rows[rows.contender == "none"].why) == {"toy: RuntimeError: too many objects"}
    table = pd.read_csv(results / "tables" / "compare-1.csv")
    assert set(table[table.peer == "toy none"]["peer's end"]) == {"failed"}


def test_problems_that_only_the_default_fits_are_summed_up(results):
    rows = pd.read_csv(results / "compare.csv")
    rows = pd.concat([rows.assign(ours="auto", n=n) for n in (20, 30)])
    kinds = [kind for kind, _ in compare.headline(rows[rows.contender.isin(["auto", "descent"])])]
    names = "toy descent / closerthan, sizes of data sets"
    assert kinds == [f"{names}, stock: `auto`", f"{names}, one thread: `auto`"]


def test_the_environments_are_stock_and_one_thread(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    stock, one = environment("stock"), environment("one thread")
    assert not {"OPENBLAS_CORETYPE", "OMP_NUM_THREADS", "PYTHONPATH"} & stock.keys()
    assert set(one) - set(stock) == {
        *("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    }
    assert environment("stock", ours=True)["PYTHONPATH"] == "somewhere"


ENDING = """
import os, sys

def end(*_):
    print("no room", file=sys.stderr, flush=True)
    os._exit(3)

TASKS = {"ordinal": {"end": end}}
"""


def test_a_process_that_ends_is_a_failure_with_its_last_words(tmp_path):
    (tmp_path / "fit.py").write_text(ENDING)
    np.savez(tmp_path / "data.npz", test=[[0, 1, 2]])
    with Worker(tmp_path) as worker, pytest.raises(Failed, match="ended with 3: no room"):
        path = str(tmp_path / "data.npz")
        worker.ask("fit", task="ordinal", contender="end", path=path, seed=0)


def test_the_watch_stops_at_a_step_and_keeps_what_was_learned():
    watch = Watch(60.0)
    assert [watch(np.full((2, 3), step)) for step in range(3)] == [False, False, False]
    assert [learned[1, 2] for learned in watch.learned()] == [0.0, 1.0, 2.0]
    stopping = Watch(60.0, last_step=2)
    assert [stopping(np.zeros(1)) for _ in range(2)] == [False, True]
    assert Watch(0.0)(np.zeros(1))


class Scripted:
    """A contender whose fits take the seconds that a test sets."""

    def __init__(self, name, quality, step, wall):
        self.labels = {"package": "scripted", "contender": name, "environment": "stock"}
        self.whose = "ours"
        self.first = {"quality": quality, "cpu": wall, "wall": wall, "ended": True}
        self.step, self.asked = step, []

    def fit(self, path, **options):
        self.asked.append(options)
        return {**self.first, "cpu": options.get("last_step", 100)}

    def reach(self, target):
        self.target = target
        there = self.first["quality"] <= target
        return {"step": self.step, "cpu": 5.0, "wall": self.first["wall"]} if there else None


def test_a_race_repeats_quick_fits_and_counts_slow_ones_once():
    quick, long, slow, poor = (
        Scripted("quick", 0.10, 3, 0.1),
        Scripted("long", 0.10, 4, 0.6 * PATIENCE),
        Scripted("slow", 0.11, 7, 1000.0),
        Scripted("poor", 0.20, 9, 0.1),
    )
    contenders, limits = [quick, long, slow, poor], {"ours": 9.0}
    rows = pd.DataFrame(race(contenders, "path", grid.target_of, rounds=2, limits=limits))
    assert quick.target == pytest.approx(1.05 * 0.10 + 0.005)
    found = {
        key: list(zip(fits["round"], fits.cpu, strict=True))
        for key, fits in rows.groupby(["contender", "what"])
    }
    assert found == {
        ("quick", "to target"): [(1, 3), (2, 3)],
        ("quick", "whole"): [(1, 100), (2, 100)],
        ("long", "to target"): [(1, 4)],
        ("long", "whole"): [(1, 100)],
        ("slow", "to target"): [(0, 5.0)],
        ("slow", "whole"): [(0, 100)],
        ("poor", "whole"): [(1, 100), (2, 100)],
    }


def test_the_share_of_the_grid_counts_what_is_never_reached():
    names = ["n", "triplets", "p", "noise", "loss", "contender", "what", "round", "cpu", "quality"]
    cell = (100, 1000, 2, 0.0)
    rows = [
        *((*cell, "ste", "auto", "to target", r, 0.12, 0.1) for r in (1, 2, 3)),
        *((*cell, "ste", "sgd", "to target", r, 0.10, 0.1) for r in (1, 2, 3)),
        *((*cell, "ste", name, "whole", 0, 1.0, 0.1) for name in ("auto", "sgd")),
        *((*cell, "soe", "sgd", "to target", r, 0.10, 0.1) for r in (1, 2, 3)),
        *((*cell, "soe", name, "whole", 0, 1.0, 0.1) for name in ("auto", "sgd")),
    ]
    table = pd.DataFrame(rows, columns=names).assign(target=0.1, seed=0)
    [(caption, lines)] = grid.show(table)
    assert caption.startswith("In 50% of 2 cells") and "in 50% it takes more" in caption
    assert [line["auto / best"] for line in lines] == ["1.2", "never"]


def test_ratios_go_turn_by_turn():
    ours = pd.DataFrame({"round": [1, 2], "cpu": [1.0, 2.0]})
    theirs = pd.DataFrame({"round": [2, 1], "cpu": [8.0, 2.0]})
    assert list(ratios(ours, theirs, "cpu")) == [2.0, 4.0]
    once = pd.DataFrame({"round": [0], "cpu": [8.0]})
    assert list(ratios(ours, once, "cpu")) == [8.0, 4.0]


def test_numbers_are_short():
    values = [0.0341, 1.234, 12.34, 1234.5, 0.0, np.nan, np.inf, 5, "auto"]
    shown = ["0.034", "1.2", "12", "1,234", "0", "-", "never", "5", "auto"]
    assert [short(value) for value in values] == shown
    assert spread([48.0, 52.3, 57.0]) == "52 (48 to 57)" and spread([]) == "-"


def test_the_cases_of_the_page_are_those_that_were_asked_for():
    ordinal = compare.cases("full", {"peer": ["ordinal"]})
    sizes = {(case["n"], case["triplets"]) for case in ordinal}
    assert {(100, 10_000), (10_000, 1_000_000)} < sizes
    assert {60, 100, 448, 1_000, 1_854} < {n for n, _ in sizes}
    assert not compare.cases("full", {"peer": []})


def test_every_package_has_a_table_of_tasks():
    folders = [path.parent for path in (BENCHMARKS / "peers").glob("*/fit.py")]
    assert OURS in folders and len(folders) > 2
    for folder in folders:
        assert (folder / "requirements.lock").exists() == (folder != OURS)
