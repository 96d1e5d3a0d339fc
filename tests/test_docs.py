"""Run the code of the documentation, and compare what it prints.

A Python block prints the text block after it; a console block shows the output of each command.
On pages of real data the last decimal may differ by one, because processors round differently.
"""

import codeop
import re
import sys
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from closerthan.datasets import list_datasets
from fenced import FENCE, blocks, commands, stripped

DOCS = Path(__file__).resolve().parents[1] / "docs"
README = DOCS.parent / "README.md"
sys.path.append(str(DOCS))
import draw  # noqa: E402
import pictures  # noqa: E402

PAGES = [*sorted(DOCS.rglob("*.md")), README]
NEED_DATA = {
    *("README", "command-line", "datasets", "experiment", "new-objects", "people"),
    *("scale", "sparse-answers", "tutorial", "which-dimensions"),
}
OF_DATA = [page for page in PAGES if NEED_DATA & {page.stem, page.parent.name}]
RUN = {"python", "console"}
SHOWN = {
    "text": "what the block before it prints",
    "sh": "installs, asks for a cluster, or takes hours: the reader's machine, not a test's",
    "py": "needs what only the reader has: another package, or files",
    "diff": "lines to change in a program of the reader's",
    "yaml": "a part of a file",
    "toml": "a part of a file",
}


DECIMAL = re.compile(r"[+-]?\d+\.\d+")


def assert_prints(printed, expected, page, where):
    """Compare lines; on pages of real data a decimal number may differ by one in the last place."""
    printed, expected = stripped(printed), stripped(expected)
    if page not in OF_DATA:
        assert printed == expected, f"{page}, {where}"
        return
    texts = [
        [" ".join(DECIMAL.sub("?", x).split()) for x in lines] for lines in (printed, expected)
    ]
    assert texts[0] == texts[1], f"{page}, {where}"
    numbers = (DECIMAL.findall("\n".join(lines)) for lines in (printed, expected))
    for found, wanted in zip(*numbers, strict=True):
        places = max(len(number.partition(".")[2]) for number in (found, wanted))
        near = abs(float(found) - float(wanted)) < 1.5 * 10.0**-places
        assert near, f"{page}, {where}: {found}, not {wanted}"


def pages(some):
    return pytest.mark.parametrize(
        "page", some, ids=lambda page: str(page.relative_to(DOCS.parent))
    )


def python(code, line, page, namespace, capsys):
    exec(compile("\n" * line + code, str(page), "exec"), namespace)
    yield f"line {line + 1}", capsys.readouterr().out, None


def console(block):
    for line, output in commands(block):
        yield line, draw.call(line), output


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the code of a page in an empty folder, and compare what each block prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")

    def run_page(page):
        namespace = {"__name__": "__main__"}  # as in a file of the reader
        text = page.read_text(encoding="utf-8")
        with pictures.recording() as saved:
            for language, line, code, output in blocks(text):
                if language not in RUN:
                    continue
                said = (
                    python(code, line, page, namespace, capsys)
                    if language == "python"
                    else console(code)
                )
                for where, printed, expected in said:
                    expected = output if expected is None else expected
                    assert_prints(printed, expected, page, where)
        for picture in draw.shown(page.stem, text):
            old = f"{picture} shows other numbers than the code: run docs/draw.py {page.stem}"
            assert pictures.are_near(saved[picture], pictures.kept(DOCS / page.stem / picture)), old

    return run_page


@pages([page for page in PAGES if page not in OF_DATA])
def test_the_code_of_a_page_runs_and_prints_what_it_says(page, run):
    run(page)


@pages(OF_DATA)
@pytest.mark.usefixtures("mirror")
def test_so_does_that_of_a_page_on_real_data(page, run):
    run(page)


@pages(PAGES)
def test_every_block_is_run_or_is_of_a_kind_that_says_why_not(page):
    """The language tells which blocks run: only `python` and `console` do."""
    text = page.read_text(encoding="utf-8")
    found = list(blocks(text))
    for language, line, code, _ in found:
        known = language.startswith("{") or language in RUN | set(SHOWN)
        assert known, f"{page}, line {line}: {language}"
        assert language != "console" or code.startswith("$ ")
    assert 2 * len(found) == len(re.findall(r"^ *(`{3,}|:{3,})", text, flags=re.MULTILINE))
    assert not re.search(r"\n\n {4}\S", FENCE.sub("", text)), "a block without a fence says nothing"


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


@pages(PAGES)
def test_a_page_can_be_copied_line_by_line_into_python(page):
    """Only the interpreter needs an empty line to end a loop. A class belongs into a file."""
    for language, number, code, _ in blocks(page.read_text(encoding="utf-8")):
        lines, is_copied = [], language == "python" and "\nclass " not in code
        for line in [*code.splitlines(), ""] if is_copied else []:
            lines.append(line)
            try:
                if codeop.compile_command("\n".join(lines)) is not None:
                    lines = []
            except SyntaxError as error:
                raise AssertionError(f"{page}, line {number + 1}: {line}") from error
        assert lines == []


def test_pictures_are_small():
    for picture in DOCS.rglob("*.png"):
        assert picture.stat().st_size < 170_000, picture


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
