"""Check the pages that the site makes: gallery, tables and working links."""

import re
from pathlib import Path

import pandas as pd
import pytest

import page_checks
from closerthan_study.report.items import named, read_items
from page_checks import links, made, modules_of, papers, pictures

DOCS = Path(__file__).resolve().parents[1] / "docs"


# The gallery


def test_a_picture_of_the_gallery_is_drawn_by_its_code_alone(tmp_path):
    made.draw(DOCS / "gallery" / "shepard.py", tmp_path)
    (picture,) = tmp_path.iterdir()
    assert picture.name == "shepard.png"
    assert 5_000 < picture.stat().st_size < 150_000


@pytest.mark.parametrize("script", made.scripts(), ids=lambda script: script.stem)
def test_a_script_of_the_gallery_says_what_it_shows_and_keeps_one_picture(script):
    page_checks.check_script(script, {"closerthan"})


def test_the_page_of_the_gallery_has_each_picture_twice_and_all_code(monkeypatch):
    monkeypatch.setattr(made, "draw", lambda script, folder: None)
    page_checks.check_gallery(made.gallery(), made.scripts())


# Tables


def test_a_table_keeps_its_columns_whatever_is_in_it():
    frame = pd.DataFrame({"a": ["1|2", None], "b": [3, 4]})
    assert made.table(frame) == "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n|  | 4 |\n"


def test_every_claim_that_was_judged_is_in_its_table_with_its_verdict():
    board = pd.read_csv(made.PUBLISHED / "scoreboard.csv")
    assert set(board["study"]) <= set(made.PAPERS)  # a paper may be unpublished
    for study, claims in board.groupby("study"):
        _, _, *rows = [line for line in made.claims(study).splitlines() if line.startswith("| ")]
        for row, claim in zip(rows, claims.itertuples(), strict=True):
            _, statement, where, verdict, *_ = row.split("| ")
            start = statement.removesuffix(" … ").strip().replace("\\", "")
            assert claim.statement.startswith(start)
            assert where.strip() == claim.where and verdict.startswith(claim.verdict)


def test_every_figure_or_table_that_a_claim_names_is_listed():
    board = pd.read_csv(made.PUBLISHED / "scoreboard.csv")
    listed = {study: set(read_items(study, board)["item"]) for study in made.PAPERS}
    for study, claims in board.groupby("study"):
        wholes = {item.rstrip("abcd") for item in listed[study]}
        assert set().union(*claims["where"].map(named)) <= listed[study] | wholes
    figures = [row for row in made.items().splitlines() if re.match(r"\|.*(Fig|Table)", row)]
    assert len(figures) == sum(map(len, listed.values())) == 40
    assert {line.split(" | ")[2] for line in figures if "missing" in line} == {"none"}


def test_no_cell_of_the_verdicts_is_long():
    text = (DOCS / "reproduces.md").read_text(encoding="utf-8")
    shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    cells = [cell for row in re.findall(r"^\| (.*) \|$", shown, re.M) for cell in row.split(" | ")]
    assert max(map(len, cells)) <= made.LONGEST


def test_the_picture_of_the_papers_shows_what_is_published(tmp_path):
    with pictures.recording() as saved:
        papers.draw(tmp_path / papers.PICTURE.name)
    drawn = saved[papers.PICTURE.name]
    assert pictures.are_near(drawn, pictures.kept(papers.PICTURE)), "run: python docs/papers.py"


def test_the_picture_of_the_papers_has_the_printed_numbers():
    printed = papers.rows(papers.PANELS["SDCA, Table 2 (letter)\nmean average precision"])[
        "printed"
    ]
    assert printed["sdca"] == 0.2806 and printed["euclidean"] == 0.2135


def test_the_sentences_below_a_paper_hold_no_number_that_is_not_in_its_table():
    text = (DOCS / "reproduces.md").read_text(encoding="utf-8")
    for study, sentences in re.findall(
        r"<!-- made: claims-(\w+) -->.*?<!-- made -->\n(.+?)(?=\n## )", text, re.S
    ):
        numbers = re.findall(r"\d+(?:[.,]\d+)*", sentences)
        assert set(numbers) <= set(re.findall(r"\d+(?:[.,]\d+)*", made.claims(study)))


@pytest.mark.parametrize("page", made.pages(), ids=lambda page: page.stem)
def test_a_page_shows_what_is_published(page):
    text = page.read_text(encoding="utf-8")
    assert made.write(text, made.MADE) == text, "run: python docs/made.py"
    filled = made.fill(text, made.MADE)
    assert made.WRITTEN.sub("", filled) == filled
    if page == made.README:
        assert made.count() in text and made.learned() in text


def test_every_place_for_what_is_made_is_filled():
    for page in DOCS.glob("*.md"):
        for name in made.PLACE.findall(page.read_text(encoding="utf-8")):
            assert name in made.MADE, page


@pytest.fixture(scope="module")
def drawing():
    return made.architecture()


@pytest.mark.parametrize("house", made.HOUSES)
def test_the_drawing_of_the_architecture_names_what_there_is(house, drawing):
    part = re.search(rf'<g id="{house}">.*?</g>', drawing, re.DOTALL)[0]
    names = set(re.findall(r"\w+", " ".join(re.findall(r'class="name">(.*?)<', part))))
    modules, folders = modules_of(made.HOUSES[house] / house)
    assert folders <= names <= modules
    if house == "closerthan_study":
        assert {"data", "trials", "fits", "scores", "reports"} <= names
        _, tasks = modules_of(made.HOUSES[house] / house / "tasks")
        assert tasks <= set(re.findall(r"<text[^>]*>(\w+)<", part))


def test_the_drawing_of_the_architecture_has_the_size_of_each_package(drawing):
    sizes = re.findall(r">([\d,]+) (?:lines of code|of docstrings)<", drawing)
    counted = [lines for house in made.HOUSES for lines in made.size(house)]
    assert [int(size.replace(",", "")) for size in sizes] == [round(n, -2) for n in counted]
    source = '"""One\n\ntwo."""\n\n# a comment\nx = """text,\n\nand more"""  # and why\n\n\n'
    source += 'def f():\n    """Three."""\n    return [\n        x,  # y\n    ]\n'
    assert made.count_lines(source) == (7, 4)


HIDDEN = {
    "ordinal": "its models are listed under `closerthan`",
    "kernels": "so are its models",
    "comparison_model": "the base class of them",
}


def test_the_api_has_every_public_module():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    for name in modules_of(made.HOUSES["closerthan"] / "closerthan")[0] - HIDDEN.keys():
        assert re.search(rf"^   closerthan\.{name}(\.\w+)*$", page, re.MULTILINE), name


# Links


@pytest.fixture
def site(tmp_path):
    def write(**pages):
        for name, body in pages.items():
            path = tmp_path / f"{name.replace('_', '/')}.html"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
        return tmp_path

    return write


def test_a_site_whose_links_lead_somewhere_has_no_fault(site):
    elsewhere = (
        '<a href="https://nowhere">x</a><a href="mailto:x@y">x</a><img src="data:image/png,x">'
    )
    folder = site(
        index='<a href="a/b.html#there">x</a><a href="#">x</a><a href="#in">x</a><p id="in"></p>',
        a_b='<h1 id="there">x</h1><a href="../index.html">x</a><a href="../a%20b.txt?v=1">x</a>',
        other=elsewhere,
    )
    (folder / "a b.txt").touch()
    assert links.broken(folder) == []


@pytest.mark.parametrize(
    "body",
    [
        '<a href="none.html">x</a>',
        '<img src="none.png">',
        '<a href="#none">x</a>',
        '<a href="other.html#none">x</a>',
        '<a href="../beyond.txt">x</a>',
        '<script src="none.js"></script>',
        '<script src="https://elsewhere/a.js"></script>',
        '<link rel="stylesheet" href="//elsewhere/a.css">',
    ],
)
def test_a_link_that_leads_nowhere_is_a_fault(site, body):
    folder = site(index=body, other="")
    (folder.parent / "beyond.txt").touch()
    ((page, link),) = links.broken(folder)
    assert page == "index.html" and link in body
