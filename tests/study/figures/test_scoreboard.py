"""The scoreboard: each paper by its name, each verdict counted."""

from types import SimpleNamespace

import pandas as pd
import pytest
import yaml

from relsim.study.claims.verdicts import VERDICTS
from relsim.study.figures.scoreboard import COLORS, read, verdicts
from toy_page import TOY


@pytest.fixture
def claims(tmp_path):
    rows = [("a", "not yet run"), ("b", "undecided"), ("c", "holds"), ("c", "holds")]
    rows.append(("c", "reproduced"))
    table = pd.DataFrame(rows, columns=["study", "verdict"]).assign(by_loss="")
    table.to_csv(tmp_path / "scoreboard.csv", index=False)
    titles = {name: SimpleNamespace(title=f"Paper {name}: long") for name in "abc"}
    run = {name: titles[name] for name in "cb"}
    spec = SimpleNamespace(studies=run, known_studies=list(titles), study=titles.get)
    return read(SimpleNamespace(reports=tmp_path, spec=spec))


def test_claims_are_in_the_order_of_the_studies(claims):
    assert claims.paper.tolist()[:-1] == [*["Paper c"] * 3, "Paper b"]
    assert "each part alone" in claims


def test_a_paper_that_is_not_run_comes_last_under_its_name(claims):
    assert claims[["paper", "verdict"]].iloc[-1].tolist() == ["Paper a", "not yet run"]
    (ax,) = verdicts(claims).axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Paper c", "Paper b", "Paper a"]


def test_the_name_of_a_paper_is_read_whether_it_is_run_or_not(toy):
    page = toy({})
    folder = page.spec.root / "config" / "studies" / "another"
    folder.mkdir()
    (folder / "study.yaml").write_text(yaml.safe_dump(TOY | {"title": "Another: a paper"}))
    page.reports.mkdir(parents=True)
    table = pd.DataFrame({"study": ["another", "toy"], "by_loss": ["", ""]})
    table.to_csv(page.reports / "scoreboard.csv", index=False)
    assert read(page).paper.tolist() == ["Toy", "Another"]


def test_each_verdict_has_a_color():
    assert set(COLORS) == set(VERDICTS)
    assert len(set(COLORS.values())) == len(VERDICTS)


def test_a_bar_has_a_part_for_each_verdict(claims):
    figure = verdicts(claims)
    (ax,) = figure.axes
    words = [text.get_text() for text in figure.legends[0].texts]
    assert words == [verdict for verdict in VERDICTS if verdict in set(claims.verdict)]
    widths = {c.get_label(): [bar.get_width() for bar in c] for c in ax.containers}
    assert widths["reproduced"] == [1, 0, 0] and widths["holds"] == [2, 0, 0]
    assert widths["undecided"] == [0, 1, 0] and widths["not yet run"] == [0, 0, 1]
