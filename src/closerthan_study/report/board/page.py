"""Gather the content of the board from the files of a run, and write its page."""

from importlib.metadata import metadata
from pathlib import Path

import pandas as pd

from closerthan_lab.page.templates import templates
from closerthan_study import colors
from closerthan_study.figures.page import Page
from closerthan_study.figures.style import palette
from closerthan_study.files import write_text
from closerthan_study.origin import commit
from closerthan_study.report.board.curves import curves_of
from closerthan_study.report.board.maps import LARGEST, fitting, maps_of
from closerthan_study.report.provenance import without_local_paths

# The tables of the reports, each with its description.
_TABLES = {
    "scoreboard": "Every claim of the papers, with its verdict.",
    "parts": "Every part of a claim: the measured effect and its threshold.",
    "readings": "Claims under each reading of what the papers leave open.",
    "printed": "The numbers that papers print or show in figures of their code, each with ours.",
}
_JUDGING = "src/closerthan_study/claims"  # the code that judges
_SHOWN_AS = (".png", ".pdf", ".html", ".csv")  # the files that a figure or a table may have
_N_COLORS = 8  # in `palette`


def make_board(spec, path):
    """Write the board of a run from its scores and fits and from the tables beside `path`."""
    pages = [Page(name, spec.config.model_dump(), spec.root) for name in spec.studies]
    write_board(
        path,
        title=f"closerthan: the board, at scale {spec.scale}",
        studies={name: _describe(spec, name) for name in [*spec.studies, *spec.known_studies]},
        curves=[chart for page in pages for chart in curves_of(page)],
        maps=fitting([group for page in pages for group in maps_of(page)]),
        source=_source(spec.root),
    )


def _describe(spec, name):
    study = spec.study(name)
    return {
        "title": study.title,
        "short": study.title.partition(":")[0],
        "reference": study.reference,
        "settings": [f"config/studies/{name}/{file}.yaml" for file in ("claims", "study")],
    }


def _source(root):
    """Return the address of this commit's files, or None."""
    urls = dict(line.split(", ", 1) for line in metadata("closerthan").get_all("Project-URL") or [])
    url, found = urls.get("Repository"), commit(root)
    return f"{url.rstrip('/')}/blob/{found}/" if url and found and " " not in found else None


def write_board(path, *, title, studies, curves, maps, source):
    """Write the page with the tables that lie beside it. Links to files start with `source`."""
    folder = Path(path).parent
    tables = [_table(folder, name, words) for name, words in _TABLES.items()]
    tables = [table for table in tables if table]
    content = {
        "studies": studies,
        "verdicts": colors.VERDICTS,
        "outcomes": colors.OUTCOMES,
        "palette": [look.color for look in palette(range(_N_COLORS)).values()],
        "judging": _JUDGING,
        "source": source,
        "tables": tables,
        "artefacts": _artefacts(folder, tables),
        "curves": curves,
        "maps": maps,
        "side": LARGEST,
    }
    template = templates(Path(__file__).parent).get_template("board.html.j2")
    write_text(path, template.render(title=title, content=content))


def _table(folder, name, words):
    """Return a table of the reports as text, as in its file, or None if there is no file."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return None
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    rows = without_local_paths(frame.to_numpy().tolist())
    return {"name": name, "words": words, "columns": list(frame.columns), "rows": rows}


def _artefacts(folder, tables):
    """Return the files that exist for each figure and table that a claim names."""
    names = {
        row[table["columns"].index("artefact")]
        for table in tables
        if "artefact" in table["columns"]
        for row in table["rows"]
    }
    found = {
        name: [f"{name}{s}" for s in _SHOWN_AS if (folder / f"{name}{s}").exists()]
        for name in names
    }
    return {name: found[name] for name in sorted(found) if found[name]}
