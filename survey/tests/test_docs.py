"""Run the code of the survey's pages, and check the pages, as the root's tests do."""

import sys
from pathlib import Path

import pytest

import page_checks
from page_checks import ROOT, each
from page_checks import run as run

SURVEY = Path(__file__).resolve().parents[1]
DOCS = SURVEY / "docs"
sys.path += [str(DOCS), str(ROOT / "docs")]
import made  # noqa: E402
import survey_made  # noqa: E402

PAGES = [*sorted(DOCS.rglob("*.md")), SURVEY / "README.md"]


@each(PAGES)
def test_the_code_of_a_page_runs_and_prints_what_it_says(page, run):
    run(page)


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
    assert "](survey/README.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", survey_made.pages(), ids=lambda page: page.stem)
def test_a_page_shows_what_is_published(page):
    text = page.read_text(encoding="utf-8")
    assert made.write(text, survey_made.MADE) == text, "run: python survey/docs/survey_made.py"
    filled = made.fill(text, survey_made.MADE)
    assert made.WRITTEN.sub("", filled) == filled


def test_every_place_for_what_is_made_is_filled():
    for page in DOCS.glob("*.md"):
        for name in made.PLACE.findall(page.read_text(encoding="utf-8")):
            assert name in survey_made.MADE, page
