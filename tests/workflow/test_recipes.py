"""Add one of everything that CONTRIBUTING.md describes to one copy, and run it once.

The files of recipes/ go to the same places in a copy of the project. Existing files stay unchanged
except those with tables of names: each gets a line there, and `closerthan.losses` a class.
"""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from closerthan_study.reported import KEYS
from workflow.conftest import PARTS, Checkout

RECIPES = Path(__file__).parent / "recipes"
LOSSES = "src/closerthan/losses.py"
SOLVERS = "src/closerthan/optimize/__init__.py"
TABLE = "NAMES = {"


@pytest.fixture(scope="module")
def project(folder):
    """Return a copy of the project with one of everything added."""
    checkout = Checkout(folder / "recipes")
    for path in sorted(RECIPES.rglob("*.*")):
        added = checkout.folder / path.relative_to(RECIPES)
        if path.is_file() and path.parent != RECIPES and "__pycache__" not in path.parts:
            added.parent.mkdir(exist_ok=True)
            assert not added.exists()
            added.write_bytes(path.read_bytes())
    _, loss = (RECIPES / "loss.py").read_text().split("\n\n\n")
    with open(checkout.folder / LOSSES, "a") as file:
        file.write(f"\n\n{loss}")
    for path, line in (
        (LOSSES, '"squared-hinge": "SquaredHinge",'),
        (SOLVERS, '"momentum": "momentum.Momentum",'),
    ):
        text = (checkout.folder / path).read_text()
        assert text.count(TABLE) == 1
        (checkout.folder / path).write_text(text.replace(TABLE, f"{TABLE}\n    {line}"))
    return checkout


def files_of(checkout):
    """Return the bytes of every file of the project."""
    return {
        str(path.relative_to(checkout.folder)): path.read_bytes()
        for part in PARTS
        for path in [checkout.folder / part, *(checkout.folder / part).rglob("*")]
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_one_of_everything_runs_and_a_run_touches_no_file_of_the_project(project):
    before = files_of(project)
    status, said = project.run("--config", "scale=smoke", "studies=[toy]")
    assert status == 0, said
    assert files_of(project) == before

    scores = project.results / "scores/toy"
    learned = pd.read_parquet(scores / "rings/rings/momentum.parquet")
    errors = learned[learned.measure == "final_error"]
    assert set(errors.loss) == {"hinge"} and len(errors) == 6 and (errors.value < 0.3).all()
    for experiment, measure in (("line", "order"), ("plane", "trustworthiness")):
        table = pd.read_parquet(scores / experiment / "rings/axes.parquet")
        assert (table.measure == measure).sum() == 6

    reports = project.results / "reports"
    claims = pd.read_csv(reports / "scoreboard.csv")
    verdicts = claims[claims.study == "toy"].set_index("claim").verdict
    assert dict(verdicts) == {"learns": "reproduced", "orders": "reproduced"}
    (row,) = pd.read_csv(reports / "tables/toy/order.csv").itertuples()
    assert (row.printed, row.status) == (0.9, "compared") and 0 < row.ours <= 1
    numbers = pd.read_csv(reports / "printed.csv")
    files = project.folder.glob("config/studies/*/reported.csv")
    cells = [pd.read_csv(path).drop(columns=KEYS).count().sum() for path in files]
    assert len(numbers) == sum(cells)
    (of_toy,) = numbers[numbers.study == "toy"].itertuples()
    assert (of_toy.status, of_toy.ours) == ("compared", row.ours)
    assert (reports / "figures/toy/curves.png").stat().st_size > 1000
    page = (reports / "index.html").read_text()
    assert '"notebooks/toy.html"' in page
    of_toy = (reports / "notebooks/toy.html").read_text()
    assert 'id="figures-curves"' in of_toy and 'id="tables-order"' in of_toy
    assert "Toy: one of everything" in page and "Two rings" in page


TYPOS = """
import yaml
from closerthan_study.configuration import load_spec
from closerthan_study.spec import ConfigError
path = "config/studies/toy/study.yaml"
right = open(path).read()
for wrong in {wrong}:
    assert any(right.count(f"{{before}}{{wrong[:-1]}}") for before in (": ", "[", ".")), wrong
    with open(path, "w") as file:
        file.write(right.replace(wrong[:-1], wrong))
    try:
        load_spec({{**yaml.safe_load(open("config/config.yaml")), "studies": ["toy"]}})
    except ConfigError as error:
        print(error)
"""


def test_what_was_added_is_offered_where_a_name_is_wrong(project, tmp_path):
    names = ["rings", "SquaredHinge", "Momentum", "PrincipalAxes", "seriation"]
    copy = Checkout(tmp_path / "copy", project.folder)
    script = TYPOS.format(wrong=[f"{name}X" for name in names])
    said = subprocess.run(
        [sys.executable, "-c", script],
        cwd=copy.folder,
        env={"PYTHONPATH": str(copy.folder / "src")},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert len(said) == len(names)
    for name, message in zip(names, said, strict=True):
        what, offered = message.split("X", 1)
        assert name in what and name in offered, message
