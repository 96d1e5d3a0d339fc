"""Check the scoreboard: names of papers, texts of verdicts and parts, counts, factors of parts."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from matplotlib.collections import LineCollection, PathCollection

from closerthan_study import colors
from closerthan_study.claims.outcomes import OUTCOMES, RANKS, VERDICTS
from closerthan_study.configuration import Spec
from closerthan_study.figures.scoreboard import (
    SHAPES,
    effects,
    read,
    read_parts,
    read_readings,
    tell_claims,
    tell_parts,
    tell_readings,
    verdicts,
)
from closerthan_study.spec import ROOT

PUBLISHED = ROOT / "results" / "published"
PARTS = [
    ("c", "first", "better: ste", "paper", "met", "same", 2.0, 1.5, 2.5, 1.2),
    ("c", "first", "better: ste", "fair", "not met", "same", 0.8, 0.7, 0.9, 1.2),
    ("c", "first", "better: gnmds", "paper", "void", "same", 1.0, 0.0, float("inf"), 1.2),
    ("c", "second", "sooner", "", "open", "stand-in", 1.3, 1.0, float("inf"), 1.2),
]
COLUMNS = [
    "study",
    "claim",
    "part",
    "baselines",
    "outcome",
    "data",
    "effect",
    "low",
    "high",
    "threshold",
]


@pytest.fixture
def page(tmp_path):
    rows = [("a", "zero", "not yet judged", "", ""), ("b", "zero", "open", "", "same")]
    rows += [
        ("c", "first", "partly", "open", "stand-in"),
        ("c", "second", "partly", "", "stand-in"),
    ]
    rows += [("c", "third", "partly", "not", "same")]
    table = pd.DataFrame(rows, columns=["study", "claim", "verdict", "verdict_fair", "data"])
    table["statement"] = table.claim.str.title() + " it is. As said."
    table.to_csv(tmp_path / "scoreboard.csv", index=False)
    parts = pd.DataFrame(PARTS, columns=COLUMNS).assign(scale="factor", loss="", dataset="wine")
    parts.to_csv(tmp_path / "parts.csv", index=False)
    words = {"label": str.upper}
    titles = {name: SimpleNamespace(title=f"Paper {name}: long", **words) for name in "abc"}
    run = {name: titles[name] for name in "cb"}
    spec = SimpleNamespace(studies=run, known_studies=list(titles), study=titles.get)
    return SimpleNamespace(reports=tmp_path, spec=spec)


def test_claims_are_in_the_order_of_the_studies_those_not_run_last(page):
    claims = read(page)
    assert claims.paper.tolist() == [*["Paper c"] * 3, "Paper b", "Paper a"]
    assert claims.verdict.iloc[-1] == "not yet judged"
    ax = verdicts(claims).axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Paper c", "Paper b", "Paper a"]


def test_each_verdict_has_a_color_and_each_outcome_a_mark_in_their_order():
    assert list(colors.VERDICTS) == list(VERDICTS)
    assert list(colors.OUTCOMES) == list(OUTCOMES) and set(SHAPES) == set(OUTCOMES)
    assert len(set(colors.VERDICTS.values())) == len(VERDICTS)
    assert len(set(SHAPES.values())) == len(OUTCOMES)


def test_a_bar_has_a_part_for_each_verdict(page):
    claims = read(page)
    figure = verdicts(claims)
    words = [text.get_text() for text in figure.legends[0].texts]
    found = {*claims.verdict, *claims.verdict_fair}
    in_order = [verdict for verdict in VERDICTS if verdict in found]
    in_order[in_order.index("not")] = "not reproduced"
    assert words == [*in_order, "on stand-in data"]
    own, fair = (
        [([bar.get_width() for bar in c], bool(c.patches[0].get_hatch())) for c in ax.containers]
        for ax in figure.axes
    )
    assert own == [
        *[([1, 0, 0], False), ([2, 0, 0], True)],
        *[([0, 1, 0], False), ([0, 0, 1], False)],
    ]
    assert fair == [([1, 0, 0], True), ([1, 0, 0], False)]


def test_a_run_without_fair_baselines_or_without_claims_has_one_panel(page):
    claims = read(page).assign(verdict_fair="")
    for table in (claims, claims.iloc[:0]):
        figure = verdicts(table)
        figure.draw_without_rendering()
        assert [ax.get_title() for ax in figure.axes] == ["the paper's own baselines"]


def names_in(figure):
    """Return the names of rows; claims are in capitals here."""
    labels = figure.axes[0].get_yticklabels()
    bold = [label.get_weight() == "bold" for label in labels]
    words = [label.get_text().replace("\n", " ") for label in labels]
    return [word.upper() if title else word for word, title in zip(words, bold, strict=True)]


def test_a_row_is_the_least_favorable_part_of_its_kind_below_its_claim(page):
    parts = read_parts(page)
    parts = parts[(parts.study == "c") & (parts.outcome != "void")]
    parts = pd.concat([parts, parts.iloc[[0]].assign(part="better: ckl", effect=1.9)])
    figure = effects(parts.sort_index())
    assert names_in(figure) == [
        *(
            "FIRST IT IS. AS SAID",
            "better: ckl (2\xa0of\xa02\xa0met)",
            "better: ste, fair baselines",
        ),
        *("SECOND IT IS. AS SAID (STAND-IN DATA)", "sooner"),
    ]
    dots = [c for c in figure.axes[0].collections if isinstance(c, PathCollection)][:-1]
    assert sorted(x for c in dots for x in c.get_offsets()[:, 0]) == [0.8, 1.3, 1.9]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.texts] == ["met", "not met", "open", "threshold"]


def test_an_effect_that_nothing_bounds_ends_at_the_edge_and_void_ones_are_left_out(page):
    parts = read_parts(page)
    (ax,) = effects(parts[parts.study == "c"]).axes
    lines = [c for c in ax.collections if isinstance(c, LineCollection)]
    ends = sorted(path.vertices[:, 0].tolist() for c in lines for path in c.get_paths())
    assert ends == [[0.7, 0.9], [1.0, ax.get_xlim()[1]], [1.5, 2.5]]


def test_a_part_without_a_factor_has_a_row_of_words(page):
    parts = read_parts(page)
    parts = parts[parts.study == "c"].assign(side="at least", trials=20, censored="")
    other = {
        "claim": "third",
        "title": "third",
        "part": "low enough",
        "outcome": "met",
        "threshold": 0.5,
    }
    other |= {"side": "at most", "scale": "value", "effect": 0.1, "low": 0.1, "high": 0.2}
    worse = {**other, "effect": 0.4}
    others = [parts.iloc[[0]].assign(**row) for row in (other, worse)]
    figure = effects(pd.concat([parts, *others], ignore_index=True))
    assert names_in(figure)[-2:] == ["THIRD", "low enough (2\xa0of\xa02\xa0met)"]
    (text,) = figure.axes[0].texts
    assert text.get_text() == "≤ 0.5 → 0.4 [0.1, 0.2], n = 20"
    assert text.get_position()[1] == figure.axes[0].get_yticks()[-1]
    assert effects(others[0]).axes[0].texts


def test_an_effect_beyond_the_edge_is_an_arrow_there(page):
    parts = read_parts(page)
    parts = parts[parts.outcome == "met"].assign(effect=1000.0, low=900.0, high=1100.0)
    (ax,) = effects(parts).axes
    arrows = [c for c in ax.collections if len(c.get_offsets()) and c.get_clip_on() is False]
    (places,) = [c.get_offsets()[:, 0] for c in arrows]
    assert set(places) == {ax.get_xlim()[1]} and ax.get_xlim()[1] < 30, "it stretches no axis"


@pytest.mark.parametrize(
    ("worst", "labels"), [(0.5, ["0.5", "0.7", "1", "2"]), (0.05, ["0.1", "1", "10"])]
)
def test_factors_are_plain_numbers(page, worst, labels):
    parts = read_parts(page)
    parts = parts[parts.outcome == "not met"].assign(effect=1.0, low=worst, high=1.9)
    parts.loc[:, "threshold"] = 1.9 if worst == 0.5 else 10.0
    for ax in effects(parts).axes:
        ax.figure.draw_without_rendering()
        shown = [label for label in ax.get_xticklabels() if label.get_text()]
        assert [label.get_text() for label in shown] == labels
        places = [label.get_window_extent() for label in shown]
        assert all(a.x1 < b.x0 for a, b in pairwise(places)), "labels lie on each other"
        assert not ax.get_xticklabels(minor=True)


# Tables of what is published


@pytest.fixture(scope="module")
def published():
    spec = Spec(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))
    page = SimpleNamespace(reports=PUBLISHED, spec=spec)
    return read(page), read_parts(page), read_readings(page)


def test_the_part_that_decides_has_the_lowest_outcome_that_counts(published):
    claims, parts, readings = published
    told = tell_claims(claims, parts, readings).set_index(["paper", "name"])
    assert len(told) == len(claims)
    for claim in claims.itertuples():
        some = parts[(parts.study == claim.study) & (parts.claim == claim.claim)]
        some = some[some.baselines.ne("fair") & some.outcome.ne("void")]
        if claim.data != "stand-in":
            some = some[some.data != "stand-in"]
        row = told.loc[(claim.paper, claim.claim)]
        n_open = f", {claim.open} open" if claim.open else ""
        counts = f" ({claim.met} of {len(some)} met{n_open})" if len(some) else ""
        differ = ", readings differ" if claim.readings else ""
        assert row["verdict"] == claim.verdict + counts + differ
        decides = row["the part that decides: required → ours"]
        assert bool(decides) == bool(len(some))
        if decides:
            lowest = some[some.outcome == next(o for o in RANKS if o in set(some.outcome))].iloc[0]
            assert decides.startswith(f"{lowest.part}: ")
            assert decides.endswith(f", n = {lowest.trials:.0f}")


def test_a_part_is_told_with_both_sides_its_measure_and_its_numbers(published):
    _, parts, _ = published
    told = tell_parts(parts)
    assert len(told) == parts.outcome.ne("void").sum()
    row = {"part": "better", "subject": "a", "against": "b", "baselines": "fair", "outcome": "open"}
    row |= {"data": "stand-in", "why": "few", "scale": "factor", "measure": "MAP", "trials": 5}
    row |= {"side": "at least", "threshold": 1.2, "effect": 1.008, "low": 0.5, "high": np.inf}
    row |= {
        "turns": "with more trials",
        "censored": ">=",
        "threshold_by": "ours",
        "paper": "P",
        "claim": "c",
    }
    (said,) = tell_parts(pd.DataFrame([row])).to_dict("records")
    assert said == {
        "paper": "P",
        "name": "c",
        "part": "better; a against b, fair; stand-in data",
        "required → ours": "ratio of MAP: ≥ 1.2 → ≥ 1.008 [0.5, ∞], n = 5",
        "outcome": "open: few",
        "turns": "with more trials",
        "required by": "ours",
    }


def test_a_setting_that_decides_stands_with_the_verdict_of_each_reading(published):
    claims, parts, readings = published
    told = tell_claims(claims, parts, readings).set_index(["paper", "name"])
    first = readings.iloc[0]
    of_claim = readings[(readings.study == first.study) & (readings.claim == first.claim)]
    assert (
        told.loc[(first.paper, first.claim), "the setting with several readings"] == first.setting
    )
    rows = tell_readings(readings)
    assert len(rows) == len(readings) and rows.notna().all(axis=None)
    own = rows[rows["name"].eq(first.claim) & rows.paper.eq(first.paper)]
    assert own.reading.tolist() == of_claim.reading.tolist()
    assert [verdict.split(" (")[0] for verdict in own.verdict] == of_claim.verdict.tolist()
