"""Run the code of the documentation, and compare what it prints.

On pages of real data the last decimal may differ by one, because processors round differently.
"""

import re
from pathlib import Path

import pytest
from PIL import Image

import page_checks
from page_checks import each, pictures
from page_checks import run as run

DOCS = Path(__file__).resolve().parents[1] / "docs"
README = DOCS.parent / "README.md"
PAGES = [*sorted(DOCS.rglob("*.md")), README]
OF_DATA = [page for page in PAGES if page.stem == "datasets"]


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
    """README also leads to folders that may be missing. Their own tests look for the door."""
    broken = page_checks.broken(page)
    if page == README:
        doors = [link for link in broken if re.fullmatch(r"\w+/README\.md", link)]
        broken = [link for link in broken if link not in doors]
        assert len(doors) <= 2
    assert broken == []


@each(PAGES)
def test_a_page_can_be_copied_line_by_line_into_python(page):
    page_checks.check_copied(page)


def test_pictures_are_small():
    page_checks.check_pictures(DOCS)


@pytest.mark.parametrize("change", [{}, {"place": 0.05}, {"size": 1.1}, {"bar": 1.05}])
def test_a_picture_is_old_if_a_dot_an_ellipse_or_a_bar_of_it_changed(change, tmp_path):
    from matplotlib.collections import EllipseCollection
    from matplotlib.figure import Figure

    def numbers(place=0.0, size=1.0, bar=1.0):
        figure = Figure()
        left, right = figure.subplots(1, 2)
        left.set(xlim=(-1, 1), ylim=(-1, 1))
        left.scatter([place, 0.5], [0, 0.5])
        left.add_collection(
            EllipseCollection(
                [size], [size], [0], units="xy", offsets=[[0, 0]], transOffset=left.transData
            )
        )
        right.bar([1, 2], [bar, 2])
        figure.savefig(tmp_path / "a.png")
        return figure

    with pictures.recording() as saved:
        numbers()
        with Image.open(tmp_path / "a.png") as drawn:
            pictures.keep(drawn, tmp_path / "kept.png", saved["a.png"])
        numbers(**change)
    found, kept = saved["a.png"], pictures.kept(tmp_path / "kept.png")
    assert pictures.are_near(found, kept) == (not change)
