"""Check notebooks: prose and calls, no functions or outputs, a tag for parameters."""

import ast
import json
import re

import yaml


def cells(path, kind="code"):
    """Return the cells of a kind."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def check_prose_and_calls(path, packages):
    """Check that code is calls, and that it imports from some packages alone."""
    trees = [ast.parse("".join(cell["source"])) for cell in cells(path)]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    functions = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
    assert not [node for node in nodes if isinstance(node, functions)]
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert modules <= {"IPython.display", *packages}
    assert not [node for node in nodes if isinstance(node, ast.Import)]
    assert cells(path, "markdown")


def check_parameters(path):
    """Check that the first cell takes the configuration, and that there are no outputs."""
    first, *rest = cells(path)
    assert "".join(first["source"]) == "config = {}"
    assert first["metadata"]["tags"] == ["parameters"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in [first, *rest])


def not_shown(path):
    """Return the figures and tables that are made and not shown.

    A cell shows its last expression, if it is not within a block, and what is displayed.
    """
    found = []
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
        found += [ast.unparse(node.args[1]) for node in made if id(node) not in seen]
    return found


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


def check_claims(path, root):
    """Check that the claims of a file name figures and tables that the notebook has."""
    patterns = list(artefacts(root / "notebooks" / f"{path.parent.name}.ipynb"))
    claims = yaml.safe_load(path.read_text(encoding="utf-8"))
    named = {claim["artefact"] for claim in claims.values() if claim.get("artefact")}
    assert named
    assert not [name for name in named if not any(re.fullmatch(p, name) for p in patterns)]
