"""Run the code of the lab's pages, and check the pages, as the root's tests do."""

import re
import sys
from pathlib import Path

import pandas as pd
import pytest

import page_checks
from closerthan_lab.datasets import list_datasets
from page_checks import ROOT, each
from page_checks import run as run

LAB = Path(__file__).resolve().parents[1]
DOCS = LAB / "docs"
sys.path += [str(DOCS), str(ROOT / "docs")]
import lab_draw  # noqa: E402, F401
import lab_made  # noqa: E402
import made  # noqa: E402

PAGES = [*sorted(DOCS.rglob("*.md")), LAB / "README.md"]
NEED_DATA = {
    *("command-line", "datasets", "experiment", "people"),
    *("scale", "sparse-answers", "tutorial", "which-dimensions"),
}
OF_DATA = [page for page in PAGES if NEED_DATA & {page.stem, page.parent.name}]


@each([page for page in PAGES if page not in OF_DATA])
def test_the_code_of_a_page_runs_and_prints_what_it_says(page, run):
    run(page)


@each(OF_DATA)
@pytest.mark.usefixtures("mirror")
def test_so_does_that_of_a_page_on_real_data(page, run):
    run(page, nearly=True)


@each(PAGES)
def test_every_block_is_run_or_is_of_a_kind_that_says_why_not(page):
    page_checks.check_blocks(page)


@each(PAGES)
def test_what_a_page_links_is_there(page):
    assert page_checks.broken(page) == []


@each(PAGES)
def test_a_page_can_be_copied_line_by_line_into_python(page):
    page_checks.check_copied(page)


def test_pictures_are_small():
    page_checks.check_pictures(DOCS)


def test_the_first_page_of_the_repository_leads_here():
    assert "](lab/README.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


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


# What is made with the site


def test_every_place_for_what_is_made_is_filled():
    for page in DOCS.glob("*.md"):
        for name in made.PLACE.findall(page.read_text(encoding="utf-8")):
            assert name in lab_made.MADE, page


def test_a_page_shows_what_was_measured():
    for page in made.holding(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        assert made.write(text, lab_made.MADE) == text, "run: python lab/docs/lab_made.py"


@pytest.mark.parametrize("script", made.scripts(DOCS), ids=lambda script: script.stem)
def test_a_script_of_the_gallery_says_what_it_shows_and_keeps_one_picture(script):
    page_checks.check_script(script, {"closerthan", "closerthan_lab"})


def test_a_picture_of_the_gallery_is_drawn_by_its_code_alone(tmp_path):
    made.draw(DOCS / "gallery" / "cities.py", tmp_path)
    (picture,) = tmp_path.iterdir()
    assert picture.name == "cities.png"
    assert 5_000 < picture.stat().st_size < 150_000


def test_the_page_of_the_gallery_has_each_picture_twice_and_all_code(monkeypatch):
    monkeypatch.setattr(made, "draw", lambda script, folder: None)
    page_checks.check_gallery(made.gallery(DOCS), made.scripts(DOCS))


HIDDEN = {
    "refits": "how the bootstrap fits again",
    "cli": "the command line has its own page",
    "fit_many": "how the tool fits in parallel",
}


def test_the_api_has_every_public_module():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    for name in page_checks.modules_of(LAB / "src" / "closerthan_lab")[0] - HIDDEN.keys():
        assert re.search(rf"^   closerthan_lab\.{name}(\.\w+)*$", page, re.MULTILINE), name
