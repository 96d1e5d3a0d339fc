"""What the lab's pages show that is made when their site is."""

import sys
from functools import partial
from pathlib import Path

DOCS = Path(__file__).parent
HOUSES = {"closerthan_lab": DOCS.parent / "src"}
sys.path.append(str(DOCS.parents[1] / "docs"))
from made import gallery, modules  # noqa: E402

MADE = {"gallery": partial(gallery, DOCS), "modules": partial(modules, HOUSES)}
