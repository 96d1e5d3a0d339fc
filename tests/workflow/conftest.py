"""Copy the repository with a tiny study, and run Snakemake in the copies."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parents[2]
PARTS = ["Snakefile", "config", "environment.yml", "notebooks", "profiles", "src", "workflow"]

DEFAULT = {"variants": {"default": {}}}
STUDY = {
    "title": "Tiny",
    "summary": "A map of Europe, and people's answers.",
    "reference": "none",
    "variants": {"default": "the package's", "paper": "the paper's", "tuned": "the best"},
    "losses": {"gnmds": {"class": "GNMDS"}, "ste": {"class": "STE"}},
    "experiments": {
        "map": {
            "task": "ordinal",
            "shows": "Fig. 1",
            "datasets": ["eurodist"],
            "comparisons": {"source": "distances", "n_train": 300},
            "n_components": 2,
            "methods": {
                "batch": {"label": "batch", "solver": "Batch", **DEFAULT},
                "svrg-sbb": {"label": "SVRG-SBB", "solver": "SVRG", "batch_sizes": [5], **DEFAULT},
                "random": {"label": "random points", "control": "random"},
            },
            "scales": {"trials": 2, "epochs": 5, "batches": 2},
        },
        "stream": {
            "task": "online",
            "shows": "Fig. 3",
            "datasets": ["synthetic"],
            "points": {"n_objects": 12, "n_components": 3, "variance": 1},
            "comparisons": {"source": "distances", "n_train": 100, "n_validation": 50},
            "tuning_trials": 1,
            "methods": {
                "pa-erkle": {
                    "label": "PA-ERKLE",
                    "model": "OnlineKernel",
                    "losses": ["gnmds"],
                    "sweep": {"revisits": [0, 2]},
                    **DEFAULT,
                },
                "refit": {
                    "label": "batch",
                    "model": "BatchKernel",
                    "variants": {"tuned": {"tune": {"tau": [0.1, 1]}, "tune_on": "validation"}},
                },
            },
            "scales": {"trials": 2, "epochs": 5, "checkpoints": 2},
        },
        "similarity": {
            "task": "similarity",
            "shows": "Table 1",
            "datasets": ["synthetic"],
            "points": {"n_objects": 300, "n_labeled": 60, "n_classes": 2, "n_components": 50},
            "comparisons": {"source": "labels", "items": 0.5, "validation": 0.4, "n_train": 100},
            "methods": {
                "euclidean": {"label": "Euclidean distance", "control": "features"},
                "sdca": {
                    "label": "SDCA",
                    "model": "SDCA",
                    "variants": {"paper": {"tune": {"reg": [0.01, 0.1]}}},
                },
            },
            "scales": {"trials": 2, "epochs": 2},
        },
        "shape": {
            "task": "mds",
            "shows": "Fig. 4",
            "datasets": ["swissroll"],
            "objects": {"n_objects": 100, "noise": [0, 0.1]},
            "n_components": 2,
            "dissimilarity": "geodesic",
            "n_neighbors": 8,
            "methods": {
                "pattern-search": {
                    "label": "pattern search",
                    "model": "PatternSearchMDS",
                    "sweep": {"tol": [0.01, 0.001]},
                    **DEFAULT,
                },
                "isomap": {"label": "Isomap", "model": "Isomap", "variants": {"paper": {}}},
            },
            "scales": {"trials": 2, "epochs": 5},
        },
        "answers": {
            "task": "ordinal",
            "shows": "Fig. 2",
            "datasets": ["music"],  # these tests cannot reach it
            "comparisons": {"source": "people", "n_train": 0.8},
            "n_components": 2,
            "methods": {"random": {"label": "random points", "control": "random"}},
            "scales": {"trials": 1, "epochs": 1},
        },
    },
}
for _experiment in STUDY["experiments"].values():  # smoke runs at the sizes of the papers
    _experiment["scales"] = dict.fromkeys(("smoke", "paper"), _experiment["scales"])
CLAIMS = {
    "learns": {
        "statement": "Learned points are better than random ones.",
        "where": "Fig. 1",
        "artefact": "figures/tiny/errors",
        "experiment": "map",
        "settings": "ours",
        "data": {"eurodist": "same"},
        "parts": [
            {
                "part": "a lower error",
                **{"kind": "compare", "who": "batch", "against": "random"},
                **{"measure": "final_error", "direction": "less"},
                "smallest": {"factor": 1.01},
            }
        ],
    }
}
REPORTS = {("reports", ""): 1}
STATIONS = ["data", "trials", "compile", "fits", "scores"]
NOTEBOOK = """
from closerthan_study.figures import Page
page = Page("tiny", config)
scores = page.scores("map")
last = scores[scores.epoch == scores.epoch.max()].groupby(["method", "measure"]).value.mean()
page.arrays("eurodist"), page.record("eurodist"), page.drawn("map", "eurodist")  # may be read, too
page.trial("map", "eurodist"), page.fits("map", "eurodist", "batch")
words = {"title": "Tiny", "caption": "Small."}
page.figure(last.plot.bar().figure, "errors", **words)
page.table(last.reset_index(), "errors", **words)
"""


def offline():
    """Return the environment without network and mirror."""
    nowhere = "http://127.0.0.1:9"
    kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    kept.pop("CLOSERTHAN_DATA_MIRROR", None)
    return kept | {"http_proxy": nowhere, "https_proxy": nowhere}


collect_ignore = ["recipes"]  # test_recipes adds these files to a copy of the project


class Checkout:
    """Copy the parts of the repository that a run needs, with the compiled functions."""

    def __init__(self, folder, source=ROOT, parts=PARTS):
        self.folder = folder
        self.code = folder / "src"
        self.results = folder / "results"
        folder.mkdir()
        for part in parts:
            if (source / part).is_dir():
                shutil.copytree(source / part, folder / part)  # keeps the files' times
            else:
                shutil.copy2(source / part, folder / part)

    def copy(self, folder):
        """Return a copy with the results and Snakemake's records of them."""
        return Checkout(folder, self.folder, [*PARTS, "results", ".snakemake"])

    def shrink(self):
        """Replace the shipped studies by a tiny study with a claim and a notebook."""
        config = yaml.safe_load((self.folder / "config/config.yaml").read_text())
        config |= {"scale": "smoke", "studies": ["tiny"]}
        config["data"]["cache"] = str(self.folder / "downloads")
        self.write("config.yaml", config)
        shutil.rmtree(self.folder / "config" / "studies")
        (self.folder / "config" / "studies").mkdir()
        self.write("studies/tiny/study.yaml", STUDY)
        self.write("studies/tiny/claims.yaml", CLAIMS)
        self.write_notebook("tiny", NOTEBOOK)

    def write_notebook(self, name, code):
        """Write a notebook with a parameter cell and one other cell."""
        parameters = new_code_cell("config = {}", metadata={"tags": ["parameters"]})
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = new_notebook(
            cells=[parameters, new_code_cell(code.strip())], metadata={"kernelspec": kernel}
        )
        nbformat.write(notebook, self.folder / "notebooks" / f"{name}.ipynb")

    def write(self, file, content):
        """Write a file in config/."""
        path = self.folder / "config" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump(content, sort_keys=False))

    def change(self, file, key, value):
        """Change the value under a dotted key in a file of config/."""
        content = yaml.safe_load((self.folder / "config" / file).read_text())
        content = place = json.loads(json.dumps(content))  # JSON has no aliases as YAML has
        *path, last = key.split(".")
        for step in path:
            place = place[step]
        place[last] = value
        self.write(file, content)

    def edit(self, module, docstring="", code=""):
        """Insert words at the start of a module's docstring, and append code to the module."""
        path = self.folder / "src" / f"{module}.py"
        source = path.read_text()
        assert source.startswith('"""')
        path.write_text(f'"""{docstring}{source[3:]}{code}')

    def start(self, *arguments, cores=2):
        """Start Snakemake in its own process group, without network and mirror."""
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=offline() | {"PYTHONPATH": str(self.code)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments, cores=2):
        """Run Snakemake to its end; return its exit status and its output."""
        with self.start(*arguments, cores=cores) as process:
            said, _ = process.communicate(timeout=600)
        return process.returncode, said

    def plan(self, *arguments):
        """Return the number of jobs that a dry run announces; all reports count as one.

        Jobs are counted by station and by experiment, data set or task.
        """
        status, self.said = self.run("--dry-run", *arguments)
        assert status == 0, self.said
        found = re.findall(r"(?m)^ *Job \d+: (\w+): (?:\w+/)?([\w-]+)", self.said)
        assert found or "Nothing to be done" in self.said, self.said
        counts = Counter(found)
        plan = {key: n for key, n in counts.items() if key[0] in STATIONS}
        ends = {"notebooks", "index"} <= {rule for rule, _ in counts}
        return plan | REPORTS if ends else plan

    def contents(self, *folders):
        """Return the bytes of all results except the seconds, which differ from run to run."""
        return {
            str(path.relative_to(self.results)): path.read_bytes()
            for folder in folders
            for path in sorted((self.results / folder).rglob("*"))
            if path.is_file()
            and not path.name.endswith("seconds.parquet")
            and path.name != ".snakemake_timestamp"
        }


@pytest.fixture(scope="session")
def folder():
    """Return a folder for checkouts, and remove it at the end."""
    with TemporaryDirectory() as name:
        yield Path(name)


@pytest.fixture
def shipped(tmp_path):
    """Return a checkout with the shipped study."""
    return Checkout(tmp_path / "shipped")


@pytest.fixture(scope="session")
def tiny(folder):
    """Return a checkout with the tiny study before any run. Copy it before you run it."""
    checkout = Checkout(folder / "tiny")
    checkout.shrink()
    return checkout


@pytest.fixture(scope="session")
def finished(tiny, folder):
    """Return the tiny study after a complete run on two cores, and the output. Copy it too."""
    checkout = Checkout(folder / "finished", tiny.folder)
    status, said = checkout.run()
    assert status == 0, said
    return checkout, said


@pytest.fixture
def fresh(tiny, tmp_path):
    """Return a checkout with the tiny study for one test."""
    return Checkout(tmp_path / "fresh", tiny.folder)


@pytest.fixture
def done(finished, tmp_path):
    """Return a checkout with the finished tiny study for one test."""
    return finished[0].copy(tmp_path / "done")
