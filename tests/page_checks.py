"""Checks of Markdown pages, for the tests of each folder of pages.

A Python block prints the text block after it; a console block shows the output of each command.
"""

import codeop
import re
import sys
from pathlib import Path

import pytest

from fenced import FENCE, blocks, commands, stripped

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "docs"))
import draw  # noqa: E402
import links as links  # noqa: E402
import made  # noqa: E402
import papers as papers  # noqa: E402
import pictures  # noqa: E402

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
LINK = re.compile(r"\]\(([^)#:]+)\)")


def each(pages):
    """Run a test for each page."""
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


def assert_prints(printed, expected, where, nearly):
    """Compare lines; if `nearly`, a decimal number may differ by one in the last place."""
    printed, expected = stripped(printed), stripped(expected)
    if not nearly:
        assert printed == expected, where
        return
    texts = [
        [" ".join(DECIMAL.sub("?", x).split()) for x in lines] for lines in (printed, expected)
    ]
    assert texts[0] == texts[1], where
    numbers = (DECIMAL.findall("\n".join(lines)) for lines in (printed, expected))
    for found, wanted in zip(*numbers, strict=True):
        places = max(len(number.partition(".")[2]) for number in (found, wanted))
        near = abs(float(found) - float(wanted)) < 1.5 * 10.0**-places
        assert near, f"{where}: {found}, not {wanted}"


def python(code, line, page, namespace, capsys):
    exec(compile("\n" * line + code, str(page), "exec"), namespace)
    yield f"line {line + 1}", capsys.readouterr().out, None


def console(block):
    for line, output in commands(block):
        yield line, draw.call(line), output


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return what runs a page in an empty folder, and compares what each block prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")

    def run_page(page, nearly=False):
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
                    assert_prints(printed, expected, f"{page}, {where}", nearly)
            draw.draw_apart(page)
        for picture in draw.shown(page.stem, text):
            kept = pictures.kept(page.parent / page.stem / picture)
            old = f"{picture} shows other numbers than the code: draw {page.stem} again"
            assert pictures.are_near(saved[picture], kept), old

    return run_page


def check_blocks(page):
    """Check that the language tells which blocks run: only `python` and `console` do."""
    text = page.read_text(encoding="utf-8")
    found = list(blocks(text))
    for language, line, code, _ in found:
        known = language.startswith("{") or language in RUN | set(SHOWN)
        assert known, f"{page}, line {line}: {language}"
        assert language != "console" or code.startswith("$ ")
    assert 2 * len(found) == len(re.findall(r"^ *(`{3,}|:{3,})", text, flags=re.MULTILINE))
    assert not re.search(r"\n\n {4}\S", FENCE.sub("", text)), "a block without a fence says nothing"
    assert not re.search(r"\n *%", FENCE.sub("", text)), "the site drops a line that begins with %"


def broken(page):
    """Return what a page links and is not there."""
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    return [target for target in targets if not (page.parent / target).exists()]


def check_copied(page):
    """Check that a page can be copied line by line into the interpreter.

    The interpreter needs an empty line to end a loop. A class belongs into a file.
    """
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


def check_pictures(docs):
    """Check that the pictures of a folder are small."""
    for picture in docs.rglob("*.png"):
        assert picture.stat().st_size < 170_000, picture


def check_script(script, houses):
    """Check that a script of the gallery says what it shows, and keeps one picture."""
    title, text = made.words(script)
    code = script.read_text(encoding="utf-8")
    assert title and text and "\n" not in title
    assert re.findall(r'savefig\("(.+?)"', code) == [f"{script.stem}.png"]
    assert '"""\n\n' in code
    imported = {
        line.split()[1].split(".")[0] for line in code.splitlines() if re.match("from|import", line)
    }
    assert imported <= houses | {"numpy", "scipy", "matplotlib", "sklearn", "pandas"}


def check_gallery(page, scripts):
    """Check that the page of a gallery has each picture twice, and all code."""
    for script in scripts:
        assert page.count(f"](gallery/{script.stem}.png)") == 2
        assert script.read_text(encoding="utf-8").split('"""\n\n', 1)[1] in page
        assert f"({script.stem})=\n## {made.words(script)[0]}\n" in page


def modules_of(folder):
    """Return the names of the public modules in a folder, and those of its folders."""
    paths = [path for path in folder.iterdir() if not path.name.startswith("_")]
    folders = {path.name for path in paths if path.is_dir()}
    return folders | {path.stem for path in paths if path.suffix == ".py"}, folders
