"""How Sphinx makes the site of these pages: `make docs`."""

import tomllib
from pathlib import Path

_PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

project = _PROJECT["name"]
release = version = _PROJECT["version"]
author = _PROJECT["authors"][0]["name"]

extensions = [
    "myst_parser",  # the pages are Markdown
    "numpydoc",  # and docstrings as numpy has them
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_templates"]
nitpicky = False

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"  # docstrings say it in words
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False

templates_path = ["_templates"]
html_theme = "furo"  # it loads nothing from elsewhere
html_title = f"relsim {release}"
html_static_path = []
html_theme_options = {"navigation_with_keys": True}
html_show_sourcelink = False
pygments_style = "friendly"


def setup(app):
    """Let links of the repository's own pages lead to those of the site."""
    app.connect("source-read", _link_within)
    app.connect("autodoc-skip-member", _is_of_scikit_learn)


def _is_of_scikit_learn(_app, _kind, _name, member, skip, _options):
    """Leave out what every estimator inherits, such as `set_fit_request`."""
    return skip or (getattr(member, "__module__", None) or "").startswith("sklearn") or None


def _link_within(_app, _page, source):
    source[0] = source[0].replace("](../CONTRIBUTING.md", "](contributing.md")
