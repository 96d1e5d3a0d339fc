"""Check that the study and the benchmarks use only public names of the package."""

import ast
import json
import re
from pathlib import Path

import pytest

from closerthan.datasets.registry import modules
from closerthan.discovery import class_names
from closerthan_study import tasks

ROOT = Path(__file__).parents[2]
SHARED = "closerthan._core.writing"  # all houses write files in one way
BASELINES = ROOT / "src/closerthan_study/baselines"  # they may use `closerthan._core`
IMPORT = r"^(?:from|import) [^(\n]*(?:\([^)]*\))?$"  # at the top of a Snakemake file


def sources():
    """Yield each file outside the package with its code."""
    for folder in ("src/closerthan_study", "benchmarks", "workflow", "docs"):
        for path in sorted(Path(ROOT, folder).rglob("*.py")):
            # .peers has the environments of others.
            if ".peers" not in path.parts and BASELINES not in path.parents:
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")
    for path in [ROOT / "workflow/Snakefile", *sorted(Path(ROOT, "workflow").rglob("*.smk"))]:
        text = path.read_text(encoding="utf-8")
        yield path.relative_to(ROOT), "\n".join(re.findall(IMPORT, text, re.MULTILINE))
    for path in sorted(Path(ROOT, "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        yield path.relative_to(ROOT), "\n".join(code)


def private_imports(text):
    """Yield what a text imports from the package that is private; ruff finds private attributes."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.ImportFrom():
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            case _:
                continue
        for name in names:
            inside = name.split(".")[0] in ("closerthan", "closerthan_lab")
            if inside and not name.startswith(SHARED) and re.search(r"\._(?!_)", name):
                yield name


def test_nothing_outside_the_package_uses_what_is_private():
    found = {str(path): list(private_imports(text)) for path, text in sources()}
    assert len(found) > 100
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("from closerthan._core.threads import Team", True),
        ("from closerthan import _core", True),
        ("import closerthan._core.vectors", True),
        ("from closerthan._core.writing import replacing", False),
        ("def f():\n    from closerthan_lab.uncertainty import _align", True),
        ("from closerthan.optimize import make_solver", False),
        ("from __future__ import annotations", False),
        ("from closerthan import __version__", False),
    ],
)
def test_private_imports_are_found(text, private):
    assert bool(list(private_imports(text))) is private


# Stations and tasks know no data set and no model by name.

STATIONS = ("data", "trials", "fits", "scores", "configuration")


def names_of_things():
    """Return the names of all data sets, and of all classes that an experiment may ask for."""
    methods = [tasks.module(task, "settings").Method for task in tasks.names()]
    packages = {name for method in methods for name in (*method.packages, *method.solvers)}
    return {*modules(), *class_names(*packages, "closerthan.losses", "closerthan.penalties")}


def words_in(text):
    """Yield the words of a text, except docstrings."""
    tree = ast.parse(text)
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    first = [node.body[0] for node in ast.walk(tree) if isinstance(node, documented) and node.body]
    docstrings = {id(node.value) for node in first if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield node.value


def test_stations_and_tasks_name_no_data_set_and_no_model():
    folder = ROOT / "src" / "closerthan_study"
    paths = [folder / f"{name}.py" for name in STATIONS]
    paths += folder.glob("tasks/**/*.py")
    names = names_of_things()
    assert {"music", "toroid_helix", "SVRG", "BatchKernel", "TSNE"} <= names
    found = {path.name: names & set(words_in(path.read_text())) for path in paths}
    assert {name: words for name, words in found.items() if words} == {}
