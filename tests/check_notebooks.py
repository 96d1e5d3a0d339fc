"""Check that notebooks hold only prose and calls, without outputs; part of `make lint`.

Run as `python tests/check_notebooks.py FOLDER`. It names each code cell that has outputs or an
execution count, or that defines a function or class. The exit code is then 1.
"""

import ast
import json
import sys
from pathlib import Path

_DEFINITIONS = ast.FunctionDef | ast.ClassDef


def faults(notebook):
    """Yield the number of each faulty code cell, and how to mend it."""
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    for number, cell in enumerate(cells):
        if cell.get("outputs") or cell.get("execution_count") is not None:
            yield number, "holds outputs; clear them before committing"
        if cell["cell_type"] == "code":
            tree = ast.walk(ast.parse("".join(cell["source"])))
            for found in (node for node in tree if isinstance(node, _DEFINITIONS)):
                yield number, f"defines {found.name}, which belongs in closerthan_study.figures"


def main(folder):
    """Print a line for each fault under `folder`; return whether there is none."""
    found = [
        f"{path}: cell {number} {fault}"
        for path in sorted(Path(folder).rglob("*.ipynb"))
        for number, fault in faults(path)
    ]
    print(*found, sep="\n", end="\n" if found else "")
    return not found


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1]))
