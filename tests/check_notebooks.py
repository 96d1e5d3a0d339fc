"""Check that notebooks are committed without outputs; part of `make lint`.

Run as `python tests/check_notebooks.py FOLDER`: each code cell with outputs or an execution count
is named, and the exit code is then 1.
"""

import json
import sys
from pathlib import Path


def executed_cells(notebook):
    """Return the numbers of the code cells, from 0, that hold outputs or an execution count."""
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    return [
        number
        for number, cell in enumerate(cells)
        if cell.get("outputs") or cell.get("execution_count") is not None
    ]


def main(folder):
    """Print a line for each executed cell under `folder`; return whether there is none."""
    found = [
        f"{path}: cell {number} holds outputs; clear them before committing"
        for path in sorted(Path(folder).rglob("*.ipynb"))
        for number in executed_cells(path)
    ]
    print(*found, sep="\n", end="\n" if found else "")
    return not found


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1]))
