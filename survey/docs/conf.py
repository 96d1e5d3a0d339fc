"""How Sphinx makes the site of these pages: `python -m sphinx -b html survey/docs site/survey`.

It is a folder of the site of the root's pages, beside the lab's. Both have to be there.
"""

import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))
sys.path.insert(0, str(DOCS.parents[1] / "docs"))

from sphinx_site import *  # noqa: E402, F403
from sphinx_site import connect, release  # noqa: E402
from survey_made import MADE, MEASURED  # noqa: E402

project = "closerthan-survey"
html_title = f"{project} {release}"


def setup(app):
    app.connect("build-finished", _copy_measured, priority=400)  # before links are checked
    connect(app, MADE)


def _copy_measured(app, _exception):
    page = Path(app.outdir, "benchmarks", "published", "index.html")
    page.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(MEASURED / "index.html", page)
