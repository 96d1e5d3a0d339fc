"""The code of the documentation runs, and prints what it says.

Of Python that is the block of text after it, of a console what follows each command.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from relsim.datasets import list_datasets

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
OF_DATA = [page for page in PAGES if page.relative_to(DOCS).with_suffix("").parts[0] == "datasets"]
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n+^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


def pages(some):
    return pytest.mark.parametrize("page", some, ids=lambda page: str(page.relative_to(DOCS)))


def stripped(text):
    """The lines without blanks at their ends, which pandas prints and no editor keeps."""
    return [line.rstrip() for line in text.splitlines()]


def test_there_are_pages_with_code():
    assert any(BLOCK.search(page.read_text(encoding="utf-8")) for page in PAGES)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the code of a page in an empty folder, and compare what each block prints."""
    monkeypatch.chdir(tmp_path)

    def run_page(page):
        text = page.read_text(encoding="utf-8")
        assert len(BLOCK.findall(text)) == text.count("```python")
        namespace = {}
        for block in BLOCK.finditer(text):
            code, output = block.groups()
            line = text[: block.start(1)].count("\n")
            exec(compile("\n" * line + code, str(page), "exec"), namespace)
            printed = capsys.readouterr().out
            assert stripped(printed) == stripped(output or ""), f"{page}, line {line + 1}"

    return run_page


@pages([page for page in PAGES if page not in OF_DATA])
def test_the_code_of_a_page_runs_and_prints_what_it_says(page, run):
    run(page)


@pages(OF_DATA)
@pytest.mark.usefixtures("mirror")
def test_so_does_that_of_a_page_on_real_data(page, run):
    run(page)


CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pages([page for page in PAGES if "```console" in page.read_text(encoding="utf-8")])
def test_the_commands_of_a_page_run_and_print_what_it_says(page, tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # where relsim is
    for block in CONSOLE.findall(page.read_text(encoding="utf-8")):
        for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = command.partition("\n")
            done = subprocess.run(
                line,
                shell=True,
                cwd=tmp_path,
                env={**os.environ, "PATH": path},
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, f"{line}: {done.stderr}"
            assert stripped(done.stdout) == stripped(output), line


LINK = re.compile(r"\]\(([^)#:]+)\)")


@pages(PAGES)
def test_what_a_page_links_is_there(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_data_set_of_answers_has_a_first_embedding_and_most_a_page():
    index = (DOCS / "datasets.md").read_text(encoding="utf-8")
    known = list_datasets()
    known = known[known.n_answers.notna()]
    rows = [line.strip("| ").split(" | ") for line in index.splitlines() if " to 0." in line]
    found = {re.sub(r"\[(\w+)\].*", r"\1", row[0]): row[1:5] for row in rows}
    assert list(found) == list(known.index)
    for name, (form, *counts) in found.items():
        entry = known.loc[name]
        expected = [entry.n_objects, entry.n_answers, entry.n_people]
        assert form == entry.form
        assert counts == ["unknown" if pd.isna(n) else f"{n:,}" for n in expected]
    for page in (DOCS / "datasets").glob("*.md"):
        assert "*Caption.*" not in page.read_text(encoding="utf-8")
        assert page.with_suffix(".png").exists()
