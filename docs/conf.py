"""How Sphinx makes the site of these pages: `make docs`."""

import re
import shutil
import sys
import tomllib
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))

from links import broken  # noqa: E402
from made import MEASURED, PLACE, fill  # noqa: E402

_PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["project"]

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
default_role = "py:obj"  # `closerthan.losses` of a docstring is a link
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
html_title = f"closerthan {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {"navigation_with_keys": True}
html_math_renderer = "mathml"  # which browsers draw by themselves
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # a page that is read as a file may not look into others
pygments_style = "friendly"


def setup(app):
    """Fill pages with what is made, let their links lead to pages of the site, and none nowhere."""
    app.add_html_math_renderer("mathml", (_write_math, None), (_write_math, None))
    app.connect("env-get-outdated", _is_made)
    app.connect("source-read", _fill)
    app.connect("autodoc-skip-member", _is_of_scikit_learn)
    app.connect("build-finished", _check)


def _is_of_scikit_learn(_app, _kind, _name, member, skip, _options):
    """Leave out what every estimator inherits, such as `set_fit_request`."""
    return skip or (getattr(member, "__module__", None) or "").startswith("sklearn") or None


def _write_math(page, node):
    page.body.append(tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode


def _is_made(_app, env, _added, _changed, _removed):
    """What is made is made anew every time."""
    return [page for page in env.found_docs if PLACE.search(env.doc2path(page).read_text())]


def _fill(_app, _page, source):
    text = fill(source[0]).replace("](../CONTRIBUTING.md", "](contributing.md")
    source[0] = re.sub(r"\[[\w/-]+\.md\]\(", "[](", text)  # by its title, and not its file


def _check(app, exception):
    if exception or app.builder.format != "html":
        return
    page = Path(app.outdir, "benchmarks", "published", "index.html")
    page.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(MEASURED / "index.html", page)
    faults = [f"{page}: {link} leads nowhere" for page, link in broken(app.outdir)]
    if faults:
        raise ExtensionError("\n".join(faults))
