"""The index page of a run: what it made, what it was made from, and what could not be had.

Figures, tables and notebooks are those that lie in the folders beside the page; every link is
relative, the page needs no network, and text from files is escaped and rid of absolute paths.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import PIL.Image

from closerthan.datasets.registry import registry
from closerthan.files.writing import replacing
from closerthan.page.templates import templates
from closerthan_study.files import write_json
from closerthan_study.reading import read_records
from closerthan_study.report.provenance import provenance, read_drawn, without_local_paths

_SUMMARY = (
    "Algorithms that learn from relative similarity comparisons (“i is closer to j than to k”), "
    "run on the data and by the protocols of the papers that propose them."
)
_SCOREBOARD = {
    "name": "scoreboard",
    "title": "What reproduces",
    "summary": "Every claim of the papers, judged by a program from the results of this run.",
}
_DATASET_KEYS = ("title", "status", "shape", "dropped", "license", "source", "citation")

_templates = templates(Path(__file__).parent)
_templates.filters["to_json"] = lambda value: json.dumps(value, indent=2, ensure_ascii=False)


def make_index(spec, missing, page, provenance_path):
    """Write the index page of a run, and its provenance."""
    places = spec.pairs(missing)
    names = dict.fromkeys(name for _, name in places)
    used = [_describe(r) for r in read_records(f"{spec.results}/data/{n}.json" for n in names)]
    drawn = read_drawn(spec, places)
    datasets = {record["name"]: record for record in used}
    origin = provenance(spec.config.model_dump(), datasets, drawn, root=spec.root)
    known = registry()
    banner = [
        {"title": known[name]["title"], "reason": tried, "remedy": remedy}
        for name, (tried, remedy) in ((name, _split(why)) for name, why in missing.items())
    ]
    unused = [{**known[name], "status": "not to be had in this run"} for name in missing]
    sections = [_SCOREBOARD] + [
        {"name": name, "title": study.title, "summary": study.summary}
        for name, study in spec.studies.items()
    ]
    write_index(
        page,
        title=f"closerthan: results at scale {spec.scale}",
        summary=f"{_SUMMARY} This run is {spec.description}.",
        sections=sections,
        datasets=[{"status": "used", **record} for record in used] + unused,
        banner=banner,
        provenance=origin,
    )
    write_json(provenance_path, origin)


def _describe(record):
    """Leave out the size of a generated data set, of which each experiment draws its own."""
    if record["files"] or registry()[record["name"]].get("n_objects"):
        return record
    return {key: value for key, value in record.items() if key not in ("shape", "n_objects")}


def _split(why):
    """Split the message of `DataUnavailable` into what was tried and what to do."""
    lines = [line.strip() for line in why.splitlines()]
    start = next((n for n, line in enumerate(lines) if line.startswith("Set ")), len(lines))
    return "\n".join(lines[:start]), " ".join(lines[start:])


def write_index(path, *, sections, datasets, banner, provenance, **heading):
    """Write the page that shows all figures and tables and links everything else.

    Sections have name, title and summary, data sets what their records have and a status, and the
    banner for each data set that could not be had title, reason and remedy.
    """
    folder = Path(path).parent
    page = _templates.get_template("index.html.j2").render(
        **heading,
        has_board=(folder / "board.html").exists(),
        sections=[_section(folder, section) for section in sections],
        datasets=[{key: _text(row.get(key)) for key in _DATASET_KEYS} for row in datasets],
        banner=without_local_paths(banner),
        drawn=list(_drawn(provenance["drawn"])),
        provenance=without_local_paths(provenance),
    )
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _drawn(studies):
    """A row for each experiment and data set, with what was drawn in words."""
    for study, experiments in studies.items():
        for experiment, datasets in experiments.items():
            for dataset, record in datasets.items():
                row = {"study": study, "experiment": experiment, "dataset": dataset}
                row |= {"trials": record["trials"], "points": _text(record.get("points"))}
                counts = {key: _counts(record.get(key)) for key in ("objects", "comparisons")}
                yield row | counts


def _counts(groups):
    """Say how many there are of each group of objects or comparisons."""
    ranges = {group: n if isinstance(n, list) else [n] for group, n in (groups or {}).items()}
    return ", ".join(
        f"{group}: {' to '.join(f'{n:,}' for n in counts)}" for group, counts in ranges.items()
    )


def _section(folder, section):
    """A study with what there is of it in the folder of the reports."""
    name = section["name"]
    notebook = f"notebooks/{name}"
    has_notebook = (folder / f"{notebook}.html").exists()
    if has_notebook:
        _require(folder, notebook, (".ipynb",))
    figures = _shown(folder, f"figures/{name}", (".png", ".pdf"))
    for figure in figures:
        with PIL.Image.open(folder / f"{figure['link']}.png") as image:
            figure["width"], figure["height"] = image.size
    tables = _shown(folder, f"tables/{name}", (".csv", ".html"))
    for table in tables:
        table["html"] = (folder / f"{table['link']}.html").read_text(encoding="utf-8")
    return {
        **section,
        "notebook": notebook if has_notebook else None,
        "figures": figures,
        "tables": tables,
    }


def _shown(folder, subfolder, suffixes):
    """What is said of each figure or table, in order, with its link without a suffix."""
    shown = []
    for path in sorted((folder / subfolder).glob("*.json")):
        link = f"{subfolder}/{path.stem}"
        _require(folder, link, suffixes)
        shown.append({**json.loads(path.read_text(encoding="utf-8")), "link": link})
    return sorted(shown, key=lambda entry: entry["order"])


def _require(folder, link, suffixes):
    for suffix in suffixes:
        if not (folder / f"{link}{suffix}").exists():
            raise FileNotFoundError(
                f"the index page links {folder / link}{suffix}, which is missing"
            )


def _text(value):
    """A value of a data set's `.json` in words; nothing for None and what is empty."""
    value = without_local_paths(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        between = " × " if all(isinstance(item, int) for item in value) else ", "
        return between.join(_text(item) for item in value)
    return "" if value is None else str(value)
