"""The index page of a run: what became of the papers' figures and tables, and of the data."""

import json
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from closerthan_study.data import list_tried, say_missing, say_remedy
from closerthan_study.facts import facts
from closerthan_study.figures import captions
from closerthan_study.files import write_json, write_text
from closerthan_study.reading import read_records
from closerthan_study.report.items import read_items
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
    board = pd.read_csv(Path(page).parent / "scoreboard.csv")
    items = [
        read_items(name, board, spec.root).assign(paper=study.title.partition(":")[0])
        for name, study in spec.studies.items()
    ]
    write_index(
        page,
        title=f"closerthan: results at scale {spec.scale}",
        summary=f"{_SUMMARY} This run is {spec.description}.",
        pages={"scoreboard": _SCOREBOARD} | spec.studies,
        items=pd.concat(items),
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


def write_index(path, *, items, datasets, banner, provenance, **heading):
    """Write the page that leads from each figure and table of the papers to ours."""
    folder = Path(path).parent
    page = _templates.get_template("index.html.j2").render(
        **heading,
        items=list(_linked(folder, items)),
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


def _linked(folder, items):
    """Yield a row for each figure or table of a paper, with links to ours on the paper's page."""
    for item in items.to_dict("records"):
        here = [stem for stem in item["ours"] if (folder / f"{stem}.json").exists()]
        yield item | {"ours": [_anchor(stem) for stem in here]}


def _anchor(stem):
    kind, study, name = stem.split("/")
    return {"kind": kind.removesuffix("s"), "link": f"notebooks/{study}.html#{kind}-{name}"}


def _text(value):
    """Return a value of a data set's `.json` in words; an empty text for None."""
    value = without_local_paths(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        between = " × " if all(isinstance(item, int) for item in value) else ", "
        return between.join(_text(item) for item in value)
    return "" if value is None else str(value)
