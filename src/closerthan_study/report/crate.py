"""Describe published results as an RO-Crate, which archives read: `ro-crate-metadata.json`."""

from functools import partial
from pathlib import Path

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from closerthan_study.reading import read_json
from closerthan_study.spec import ROOT
from closerthan_study.spec.validation import read_yaml

_FORMATS = {
    ".csv": "text/csv",
    ".ipynb": "application/x-ipynb+json",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
}


def write_crate(folder):
    """Write what the files of a folder are, and which run made those of each study."""
    cited = read_yaml(ROOT / "CITATION.cff")
    crate = ROCrate(version="1.1")
    add = partial(_add, crate)
    crate.name, crate.description = f"Results of {cited['title']}", cited["abstract"]
    crate.license = add(f"https://spdx.org/licenses/{cited['license']}", "CreativeWork")
    for n, author in enumerate(cited["authors"]):
        crate.root_dataset.append_to("author", add(f"#author-{n}", *_author(author)), compact=True)
    program = add("#closerthan", "SoftwareApplication", "closerthan", version=cited["version"])
    files = {}
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _FORMATS):
        name = str(path.relative_to(folder))
        if name != crate.metadata.id:  # of an earlier call
            words = {"name": name, "encodingFormat": _FORMATS[path.suffix]}
            files[name] = crate.add_file(path, name, properties=words)
    dates = []
    for record_name in [name for name in files if name.startswith("provenance-")]:
        study = Path(record_name).stem.removeprefix("provenance-")
        record = read_json(folder / record_name)
        dates.append(record["date"].replace(" UTC", "Z").replace(" ", "T"))
        parts = {name: {Path(name).stem, *Path(name).parts} for name in files}
        made = [files[name] for name in files if name == record_name or study in parts[name]]
        about = f"The study {study} at the scale {record['config']['scale']}"
        words = {"name": about, "endTime": dates[-1], "description": f"commit {record['commit']}"}
        crate.add_action(program, f"#{study}", result=made, properties=words)
    crate.datePublished = max(dates)
    crate.metadata.write(folder)


def _author(author):
    """Return the kind and the name of an author in CITATION.cff."""
    if "name" in author:
        return "Organization", author["name"]
    return "Person", f"{author['given-names']} {author['family-names']}"


def _add(crate, identifier, kind, name=None, **words):
    words = {"@type": kind, "name": name or identifier, **words}
    return crate.add(ContextEntity(crate, identifier, properties=words))
