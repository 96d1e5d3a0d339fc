"""How Sphinx makes the site of these pages: `make docs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from made import MADE
from sphinx_site import *  # noqa: F403
from sphinx_site import connect


def setup(app):
    connect(app, MADE)
