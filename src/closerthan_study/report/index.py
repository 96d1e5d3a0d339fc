"""The index page of a run: its results, their data and the data sets that could not be had."""

import json
from collections.abc import Mapping
from pathlib import Path

import PIL.Image

from closerthan_study.data import list_tried, say_missing, say_remedy
from closerthan_study.facts import facts
from closerthan_study.figures import captions
from closerthan_study.figures.save import say_made
from closerthan_study.files import write_json, write_text
from closerthan_study.reading import read_json, read_records
from closerthan_study.report.provenance import (
    provenance,
    read_claims_files,
    read_drawn,
    read_origins,
    without_local_paths,
)
from closerthan_study.templates import templates

_SUMMARY = (
    "Algorithms that learn from relative comparisons (“i is closer to j than to k”), run on the "
    "data sets of their papers and by the papers' protocols."
)
_SCOREBOARD = {
    "name": "scoreboard",
    "title": "What reproduces",
    "summary": "A program judges every claim of the papers by the results of this run.",
}
_DATASET_KEYS = ("title", "status", "shape", "dropped", "license", "source", "citation")

_templates = templates(Path(__file__).parent)
_templates.filters["to_json"] = lambda value: json.dumps(value, indent=2, ensure_ascii=False)


def make_index_page(spec, page, provenance_path):
    """Write the index page of a run and its provenance."""
    places, missing = spec.pairs(), spec.missing
    names = dict.fromkeys(name for e, dataset in places for name in (dataset, *e.also_reads))
    used = [_describe(r) for r in read_records(f"{spec.results}/data/{n}.json" for n in names)]
    drawn = read_drawn(spec, places)
    datasets = {record["name"]: record for record in used}
    fits = read_origins(spec, places)
    record = provenance(spec.config.model_dump(), datasets, drawn, fits, root=spec.clone)
    record["claims"] = read_claims_files(spec.studies, spec)
    known = facts()
    tried = [{**known[name], "tried": list_tried(why)} for name, why in missing.items()]
    said = {"summary": say_missing(spec, missing), "remedy": say_remedy(missing)}
    unused = [{**known[name], "status": "missing in this run"} for name in missing]
    studies = [study.model_dump(include={"title", "summary"}) for study in spec.studies.values()]
    sections = [{"name": n} | s for n, s in zip(spec.studies, studies, strict=True)]
    write_index(
        page,
        title=f"closerthan: results at scale {spec.scale}",
        summary=f"{_SUMMARY} This run is {spec.description}.",
        sections=[_SCOREBOARD, *sections],
        datasets=[{"status": "used", **record} for record in used] + unused,
        banner={**said, "missing": tried} if missing else None,
        provenance=record,
    )
    write_json(provenance_path, record)


def _describe(record):
    """Leave out the size of a generated data set: each experiment draws one of its own size."""
    if record["files"] or facts()[record["name"]].get("n_objects"):
        return record
    return {key: value for key, value in record.items() if key not in ("shape", "n_objects")}


def write_index(path, *, sections, datasets, banner, provenance, **heading):
    """Write the page that shows all figures and tables and links everything else."""
    folder = Path(path).parent
    page = _templates.get_template("index.html.j2").render(
        **heading,
        sections=[_section(folder, section) for section in sections],
        datasets=[{key: _text(row.get(key)) for key in _DATASET_KEYS} for row in datasets],
        banner=without_local_paths(banner),
        drawn=list(_drawn(provenance["drawn"])),
        provenance=without_local_paths(provenance),
    )
    write_text(path, page)


def _drawn(studies):
    """Yield a row for each experiment and data set: what was drawn, in words."""
    for study, experiments in studies.items():
        for experiment, datasets in experiments.items():
            for dataset, record in datasets.items():
                row = {"study": study, "experiment": experiment, "dataset": dataset}
                row |= {"trials": record["trials"], "points": _text(record.get("points"))}
                counts = {key: _counts(record.get(key)) for key in ("objects", "comparisons")}
                yield row | counts


def _counts(groups):
    """Say how many objects or comparisons each group has."""
    return ", ".join(f"{group}: {captions.amount(n)}" for group, n in (groups or {}).items())


def _section(folder, section):
    """Return a section with its notebook, figures and tables in the folder of the reports."""
    name = section["name"]
    notebook = f"notebooks/{name}"
    has_notebook = (folder / f"{notebook}.html").exists()
    figures = _shown(folder, f"figures/{name}")
    for figure in figures:
        with PIL.Image.open(folder / f"{figure['link']}.png") as image:
            figure["width"], figure["height"] = image.size
    tables = _shown(folder, f"tables/{name}")
    for table in tables:
        table["html"] = (folder / f"{table['link']}.html").read_text(encoding="utf-8")
    made = {"notebook": notebook if has_notebook else None, "figures": figures, "tables": tables}
    return section | made


def _shown(folder, subfolder):
    """Return title and caption of each figure or table, in order, with its link less the suffix."""
    shown = []
    for path in sorted((folder / subfolder).glob("*.json")):
        link = f"{subfolder}/{path.stem}"
        record = read_json(path)
        made = say_made(record.get("made"), "..")
        shown.append({**record, "link": link, "made": made})
    return sorted(shown, key=lambda entry: entry["order"])


def _text(value):
    """Return a value of a data set's `.json` in words; an empty text for None."""
    value = without_local_paths(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        between = " × " if all(isinstance(item, int) for item in value) else ", "
        return between.join(_text(item) for item in value)
    return "" if value is None else str(value)
