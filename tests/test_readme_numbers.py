"""The numbers of README's "What reproduces" are those of results/published.

A number stands before a comment that says where it comes from and that no reader sees:

    <!-- {study}/{claim} {column} -->               of scoreboard.csv
    <!-- {study}/{claim}/{part} {column} -->        of parts.csv
    <!-- {study}/{claim}/{part} fair {column} -->   of parts.csv, against fair baselines
    <!-- {study}/{claim}/{part} least {column} -->  of several parts, the end of a range (largest)

A part may be named by some of its words. `parts` in the place of a column is how many are not void.
"""

import re

import pandas as pd
import pytest

from closerthan_study.spec import ROOT

PUBLISHED = ROOT / "results" / "published"
NUMBER = re.compile(r"(-?[\d,]*\.?\d+)( %)?<!-- (.+?) -->", re.DOTALL)
WHERE = re.compile(r"(\w+)/([\w-]+)(?:/(.+?))?( fair)?(?: (least|largest))? (\w+)")


def section():
    """The part of README that says what reproduces."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.partition("## What reproduces")[2].partition("\n## ")[0]


NUMBERS = [
    (number, " ".join(where.split()), bool(p)) for number, p, where in NUMBER.findall(section())
]


def value(where):
    """What the published files have there."""
    study, claim, part, fair, end, column = WHERE.fullmatch(where).groups()
    table = pd.read_csv(PUBLISHED / ("parts.csv" if part else "scoreboard.csv"))
    rows = table[(table.study == study) & (table.claim == claim)]
    if part:
        rows = rows[
            rows.part.str.contains(part, regex=False) & rows.baselines.eq("fair").eq(bool(fair))
        ]
    if end:
        assert len(rows) > 1, f"{where}: {len(rows)} rows"
        return rows[column].min() if end == "least" else rows[column].max()
    assert len(rows) == 1, f"{where}: {len(rows)} rows"
    (row,) = rows.to_dict("records")
    if column == "parts":
        return row["met"] + row["not_met"] + row["undecided"]
    return row[column]


@pytest.mark.parametrize(("number", "where", "percent"), NUMBERS, ids=[n[1] for n in NUMBERS])
def test_a_number_of_readme_is_that_of_the_published_files(number, where, percent):
    shown = number.replace(",", "")
    digits = len(shown.partition(".")[2])
    found = value(where) * (100 if percent else 1)
    assert float(shown) == pytest.approx(found, abs=0.5000001 * 10**-digits), where


def test_every_paper_that_is_judged_has_numbers():
    judged = set(pd.read_csv(PUBLISHED / "parts.csv").study)
    assert judged == {where.partition("/")[0] for _, where, _ in NUMBERS}
