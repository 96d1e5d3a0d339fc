"""The Python of the documentation runs, and prints what the block of text after it says."""

import re
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).resolve().parents[1] / "docs").glob("*.md"))
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n+^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


def test_there_are_pages_with_code():
    assert any(BLOCK.search(page.read_text(encoding="utf-8")) for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_of_a_page_runs_and_prints_what_it_says(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    assert len(BLOCK.findall(text)) == text.count("```python")
    namespace = {}
    for block in BLOCK.finditer(text):
        code, output = block.groups()
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + code, str(page), "exec"), namespace)
        assert capsys.readouterr().out == (output or ""), f"{page}, line {line + 1}"
