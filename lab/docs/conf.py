"""How Sphinx makes the site of these pages: `python -m sphinx -b html lab/docs site/lab`.

It is a folder of the site of the root's pages, which has to be there: `make docs`.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))
sys.path.insert(0, str(DOCS.parents[1] / "docs"))

from lab_made import MADE  # noqa: E402
from sphinx_site import *  # noqa: E402, F403
from sphinx_site import connect, release  # noqa: E402

project = "closerthan-lab"
html_title = f"{project} {release}"


def setup(app):
    connect(app, MADE)
