"""Check the notebooks: prose and calls, no functions or outputs, a tag for parameters."""

import ast
import json
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))
CLAIMS = sorted(ROOT.glob("config/studies/*/claims.yaml"))


def cells(path, kind="code"):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_prose_and_calls(path):
    trees = [ast.parse("".join(cell["source"])) for cell in cells(path)]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    functions = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
    assert not [node for node in nodes if isinstance(node, functions)]
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert modules <= {"IPython.display", "closerthan_study.figures"}
    assert not [node for node in nodes if isinstance(node, ast.Import)]
    assert cells(path, "markdown")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_takes_the_configuration_and_keeps_no_outputs(path):
    first, *rest = cells(path)
    assert "".join(first["source"]) == "config = {}"
    assert first["metadata"]["tags"] == ["parameters"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in [first, *rest])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_every_figure_and_table(path):
    """A cell shows its last expression, if it is not within a block, and what is displayed."""
    for cell in cells(path):
        tree = ast.parse("".join(cell["source"]))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        names = {
            id(node): getattr(node.func, "attr", getattr(node.func, "id", "")) for node in calls
        }
        shown = [node for node in calls if names[id(node)] == "display"]
        shown += [s.value for s in tree.body[-1:] if isinstance(s, ast.Expr)]
        seen = {id(node) for part in shown for node in ast.walk(part)}
        made = [node for node in calls if ast.unparse(node.func) in ("page.figure", "page.table")]
        assert not [ast.unparse(node.args[1]) for node in made if id(node) not in seen]


def artefacts(path):
    """Return patterns of a notebook's files; one data set's name stands for any."""
    for cell in cells(path):
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            name = getattr(getattr(node, "func", None), "attr", None)
            if name in ("figure", "table") and len(node.args) > 1:
                stem = node.args[1]
                parts = stem.values if isinstance(stem, ast.JoinedStr) else [stem]
                words = (re.escape(p.value) if isinstance(p, ast.Constant) else ".+" for p in parts)
                yield f"{name}s/{path.stem}/{''.join(words)}"


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.parent.name)
def test_claims_name_figures_and_tables_that_a_page_has(path):
    patterns = list(artefacts(ROOT / "notebooks" / f"{path.parent.name}.ipynb"))
    claims = yaml.safe_load(path.read_text(encoding="utf-8"))
    named = {claim["artefact"] for claim in claims.values() if claim.get("artefact")}
    assert named
    unknown = [name for name in named if not any(re.fullmatch(p, name) for p in patterns)]
    assert not unknown
