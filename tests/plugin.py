"""Make another author's package as installed: the module and the names of docs/extending.md."""

import tomllib
from pathlib import Path

from fenced import blocks

PAGE = Path(__file__).resolve().parents[1] / "docs" / "extending.md"


def install(folder, version="1.0"):
    """Put the package into a folder on Python's path."""
    found = list(blocks(PAGE.read_text(encoding="utf-8")))
    classes = [code for kind, _, code, _ in found if kind == "python" and "\nclass " in code]
    [names] = [tomllib.loads(code) for kind, _, code, _ in found if kind == "toml"]
    groups = names["project"]["entry-points"]
    groups["closerthan.losses"]["ste"] = "springs:Nothing"  # clashes with closerthan's own
    lines = [
        line
        for group, entries in groups.items()
        for line in (f"[{group}]", *(f"{name} = {place}" for name, place in entries.items()))
    ]
    about = folder / "springs.dist-info"
    about.mkdir(exist_ok=True)
    (folder / "springs.py").write_text("\n\n".join(classes))
    (about / "entry_points.txt").write_text("\n".join(lines))
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: springs\nVersion: {version}\n")
