"""README is short and reads fast. Tests of the docs run its code and compare its tables."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def sentences():
    """Return the sentences outside code, tables, headings and addresses."""
    text = re.sub(r"^(```.*?^```$|[|#].*?$)", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\]\(.*?\)", "]", text, flags=re.DOTALL)
    return re.split(r"(?<=[.!?:])\s+|\n\n", text)


def test_it_is_short():
    assert len(TEXT.splitlines()) <= 120


def test_no_sentence_is_long():
    assert max(len(sentence.split()) for sentence in sentences()) <= 35


def test_no_comment_stands_between_words():
    assert "<!--" not in TEXT
