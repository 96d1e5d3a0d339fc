"""The index page of a run: what it made, what it was made from, and what could not be had."""

from relsim import datasets
from relsim.study.data import read_records
from relsim.study.files import write_json
from relsim.study.provenance import provenance
from relsim.study.reports import write_index
from relsim.study.spec import ROOT

SUMMARY = (
    "Algorithms that learn from relative similarity comparisons (“i is closer to j than to k”), "
    "run on the data and by the protocols of the papers that propose them."
)
SCOREBOARD = {
    "name": "scoreboard",
    "title": "What reproduces",
    "summary": "Every claim of the papers, judged by a program from the results of this run.",
}


def make_index(spec, missing, records, page, provenance_path):
    """Write the index page and its provenance.

    Parameters
    ----------
    spec : Spec
    missing : dict of str to str
        Why each data set that can't be had can't, and what to do.
    records : list of path-like
        The .json files of the data sets used.
    page, provenance_path : path-like
        Where the page and the provenance go.
    """
    used = read_records(records)
    origin = provenance(spec.config, {info["name"]: info for info in used}, root=ROOT)
    registry = datasets.registry()
    banner = [
        {"title": registry[name]["title"], "reason": tried, "remedy": remedy}
        for name, (tried, remedy) in ((name, _split(why)) for name, why in missing.items())
    ]
    unused = [{**registry[name], "status": "not to be had in this run"} for name in missing]
    sections = [SCOREBOARD] + [
        {"name": name, "title": study["title"], "summary": study["summary"]}
        for name, study in spec.studies.items()
    ]
    write_index(
        page,
        title=f"relsim: results at scale {spec.config['scale']}",
        summary=f"{SUMMARY} This run is {spec.scale}.",
        sections=sections,
        datasets=[{"status": "used", **info} for info in used] + unused,
        banner=banner,
        provenance=origin,
    )
    write_json(provenance_path, origin)


def _split(why):
    """Split the message of `DataUnavailable` into what was tried and what to do."""
    lines = [line.strip() for line in why.splitlines()]
    start = next((n for n, line in enumerate(lines) if line.startswith("Set ")), len(lines))
    return "\n".join(lines[:start]), " ".join(lines[start:])
