"""Read Python, Snakemake files and notebooks: what they import that is private, and their words."""

import ast
import json
import re

SHARED = "closerthan._core.writing"  # all houses write files in one way
IMPORT = r"^(?:from|import) [^(\n]*(?:\([^)]*\))?$"  # at the top of a Snakemake file


def codes_in(*places):
    """Yield each file of some folders with its code; of a Snakemake file, with its imports."""
    paths = (path for place in places for path in (place, *place.rglob("*")))
    for path in sorted(paths):
        if path.suffix == ".py":
            yield path, path.read_text(encoding="utf-8")
        elif path.suffix == ".smk" or path.name == "Snakefile":
            text = path.read_text(encoding="utf-8")
            yield path, "\n".join(re.findall(IMPORT, text, re.MULTILINE))
        elif path.suffix == ".ipynb":
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            code = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
            yield path, "\n".join(code)


def private_imports(text, houses=("closerthan",)):
    """Yield what a text imports from houses that is private; ruff finds private attributes."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.ImportFrom():
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            case _:
                continue
        for name in names:
            inside = name.split(".")[0] in houses
            if inside and not name.startswith(SHARED) and re.search(r"\._(?!_)", name):
                yield name


def words_in(text):
    """Yield the words of a text, except docstrings."""
    tree = ast.parse(text)
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    first = [node.body[0] for node in ast.walk(tree) if isinstance(node, documented) and node.body]
    docstrings = {id(node.value) for node in first if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield node.value
