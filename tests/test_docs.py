"""The Python of the documentation runs, and prints what the block of text after it says."""

import re
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
