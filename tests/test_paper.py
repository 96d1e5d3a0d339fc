"""The paper types no number, and cites what its bibliography has."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
_, HEAD, BODY = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8").split("---\n", 2)
BIBLIOGRAPHY = (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
MADE = re.compile(r"<!-- made: \S+ -->\n.*?<!-- made -->", re.DOTALL)
KEY = re.compile(r"@([\w-]+)")


def entries():
    """Return the fields of each entry of the bibliography, by its key."""
    found = re.findall(r"^@\w+\{(.+?),\n(.*?)^\}", BIBLIOGRAPHY, flags=re.MULTILINE | re.DOTALL)
    fields = {key: re.findall(r"^  (\w+) = \{(.*)\},?$", text, re.MULTILINE) for key, text in found}
    return {key: dict(pairs) for key, pairs in fields.items()}


def test_it_says_of_itself_what_the_citation_says():
    head = yaml.safe_load(HEAD)
    assert head["title"] == CITATION["title"]
    assert head["authors"] == CITATION["authors"]
    assert (ROOT / "paper" / head["bibliography"]).exists()
    for section in ("Summary", "Statement of need", "State of the field", "Software design"):
        assert f"\n# {section}\n" in BODY


def test_no_number_is_typed_and_no_other_comment_stands_in_it():
    typed = MADE.sub("", BODY)
    assert not re.search(r"\d", KEY.sub("", typed).replace("BSD-3-Clause", ""))
    assert "<!--" not in typed


def test_each_citation_is_in_the_bibliography_and_each_entry_is_cited():
    assert set(KEY.findall(BODY)) == entries().keys()


def test_the_replicated_papers_are_those_of_the_citation():
    dois = {fields["title"]: (fields["year"], fields.get("doi")) for fields in entries().values()}
    for paper in CITATION["references"]:
        assert dois[paper["title"]] == (str(paper["year"]), paper.get("doi"))
