"""Run the code of the lab's pages, and check the pages, as the root's tests do."""

import re
import sys
from pathlib import Path

import pytest

import page_checks
from page_checks import ROOT, each
from page_checks import run as run

LAB = Path(__file__).resolve().parents[1]
DOCS = LAB / "docs"
sys.path += [str(DOCS), str(ROOT / "docs")]
import lab_draw  # noqa: E402
import lab_made  # noqa: E402
import made  # noqa: E402

PAGES = [*sorted(DOCS.glob("*.md")), LAB / "README.md"]
NEED_DATA = {"datasets", "experiment", "people", "scale", "tutorial", "which-dimensions"}
OF_DATA = [page for page in PAGES if page.stem in NEED_DATA]


@each([page for page in PAGES if page not in OF_DATA])
def test_the_code_of_a_page_runs_and_prints_what_it_says(page, run, tmp_path):
    (tmp_path / "lab").symlink_to(LAB)  # README's commands are for a clone
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


def test_the_small_file_of_answers_is_what_its_command_simulates(tmp_path):
    lab_draw.call(f"closerthan simulate 20 -n 600 --repeats 10 -o {tmp_path / 'plan'}")
    simulated = (tmp_path / "plan" / "answers.csv").read_bytes()
    assert (DOCS / "tutorial" / "simulated.csv").read_bytes() == simulated


# What is made with the site


def test_every_place_for_what_is_made_is_filled():
    for page in DOCS.glob("*.md"):
        for name in made.PLACE.findall(page.read_text(encoding="utf-8")):
            assert name in lab_made.MADE, page


def test_a_page_shows_what_was_measured():
    for page in made.holding(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        assert made.write(text, lab_made.MADE) == text, "run: python lab/docs/lab_made.py"


HIDDEN = {
    "refits": "how the bootstrap fits again",
    "cli": "the command line has its own page",
    "fit_many": "how the tool fits in parallel",
    "checks": "checks of arguments",
}


def test_the_api_has_every_public_module():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    for name in page_checks.modules_of(LAB / "src" / "closerthan_lab")[0] - HIDDEN.keys():
        assert re.search(rf"^   closerthan_lab\.{name}(\.\w+)*$", page, re.MULTILINE), name
