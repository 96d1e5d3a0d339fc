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
TINY = Path(__file__).parent / "tiny"
PARTS = ["Snakefile", "config", "environment.yml", "notebooks", "profiles", "src", "workflow"]

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
        shutil.copytree(TINY, self.folder / "config" / "studies" / "tiny")
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
