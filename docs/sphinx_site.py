"""What the site of these pages has in common with the sites of the folders beside it: settings of Sphinx."""

import re
import sys
import tomllib
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))

from links import broken  # noqa: E402
from made import PLACE, fill  # noqa: E402

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

templates_path = [str(DOCS / "_templates")]
html_theme = "furo"  # it loads nothing from elsewhere
html_title = f"{project} {release}"
html_static_path = [str(DOCS / "_static")]
html_css_files = ["site.css"]
html_theme_options = {"navigation_with_keys": True}
html_math_renderer = "mathml"  # which browsers draw by themselves
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # a page that is read as a file may not look into others
pygments_style = "friendly"

# A link to a page of another folder, such as ../../docs/glossary.md or ../../CONTRIBUTING.md.
ELSEWHERE = re.compile(
    r"\[([^]]+)\]\((?:\.\./)+(?:(\w+/)?docs/([\w/-]+)|CONTRIBUTING)\.md(#[\w-]+)?\)"
)


def connect(app, made):
    """Fill pages with what is made, let their links lead to pages of the site, and none nowhere.

    The site of a folder beside `docs` is a folder of the site of `docs`, which must be there before.
    """
    beside = Path(app.srcdir) != DOCS

    def fill_page(_app, page, source):
        def link(found):
            words, folder, name, anchor = (part or "" for part in found.groups())
            name = name or "contributing"
            if not beside:
                return f"[{words}]({name}.md{anchor})"
            up = "../" * (page.count("/") + 1)
            return f'<a href="{up}{folder}{name}.html{anchor}">{words}</a>'

        text = ELSEWHERE.sub(link, fill(source[0], made))
        source[0] = re.sub(r"\[[\w/-]+\.md\]\(", "[](", text)  # by its title, and not its file

    def check(app, exception):
        if exception or app.builder.format != "html":
            return
        own = Path(app.outdir)
        site = own.parent if beside else own
        sites = {inventory.parent for inventory in site.rglob("objects.inv")}
        faults = [
            f"{page}: {link} leads nowhere"
            for page, link in broken(site)
            if next(folder for folder in (site / page).parents if folder in sites) == own
        ]
        if faults:
            raise ExtensionError("\n".join(faults))

    app.add_html_math_renderer("mathml", (_write_math, None), (_write_math, None))
    app.connect("env-get-outdated", _is_made)
    app.connect("source-read", fill_page)
    app.connect("autodoc-skip-member", _is_of_scikit_learn)
    app.connect("build-finished", check)
    if beside:
        app.connect("autodoc-process-docstring", _link_docs)


def _is_of_scikit_learn(_app, _kind, _name, member, skip, _options):
    """Leave out what every estimator inherits, such as `set_fit_request`."""
    return skip or (getattr(member, "__module__", None) or "").startswith("sklearn") or None


def _link_docs(app, _kind, _name, _object, _options, lines):
    """Let a link of a docstring to a page that is not here, such as :doc:`/glossary`, lead to `docs`."""

    def link(found):
        words, page = found.groups()
        return found[0] if page in app.env.found_docs else f"`{words} <../../{page}.html>`__"

    lines[:] = [re.sub(r":doc:`([^<`]+) </([\w-]+)>`", link, line) for line in lines]


def _write_math(page, node):
    page.body.append(tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode


def _is_made(_app, env, _added, _changed, _removed):
    """What is made is made anew every time."""
    return [page for page in env.found_docs if PLACE.search(env.doc2path(page).read_text())]
