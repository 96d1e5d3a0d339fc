"""Check claims about several data sets, in studies without losses, on planted scores."""

import pandas as pd
import pytest

from closerthan_study.claims.verdicts import judge
from closerthan_study.spec import ConfigError
from planted import Method, Spec, experiment
from planted import scores as planted_scores

METHODS = [
    Method("ours", ["paper"]),
    Method("theirs", ["paper"]),
    Method("plain", control="features"),
]
DATA = {"wine": "same", "iris": "same", "beer": "stand-in", "ale": "stand-in"}
BETTER = {
    "part": "better",
    "kind": "compare",
    "who": "ours",
    "against": ["theirs", "plain"],
    "measure": "MAP",
}
BETTER |= {"direction": "greater", "smallest": {"factor": 1.01}}


@pytest.fixture
def claim(read):
    """Read a claim with some parts through a file; keywords replace other keys."""

    def with_parts(*parts, **changes):
        search = experiment("search", ["wine", "iris"], ["beer", "ale"], METHODS)
        content = {"statement": "It is so.", "where": "Table 1", "artefact": "tables/papers/a"}
        content |= {"experiment": "search", "settings": "code", "data": DATA, "every_dataset": True}
        return read(Spec([search], losses=[]), content | {"parts": list(parts)} | changes)

    return with_parts


def scores(dataset, measure="MAP", **by_method):
    """Return rows of a measure on a data set: six trials around one value per method."""
    values = {
        (method, "control" if method == "plain" else "paper", pd.NA): [
            value + trial / 1000 for trial in range(6)
        ]
        for method, value in by_method.items()
    }
    place = {"experiment": "search", "dataset": dataset, "epoch": 1.0}
    return planted_scores(values, measure, ["none"], **place)


def good(dataset):
    return scores(dataset, ours=0.5, theirs=0.4, plain=0.3)


def bad(dataset):
    return scores(dataset, ours=0.5, theirs=0.6, plain=0.3)


def found(claim, *tables):
    """Return the row of the claim, and the outcome of each part by data set."""
    row, parts = judge(claim, pd.concat(tables))
    return row, {part["dataset"]: part["outcome"] for part in parts}


def test_a_claim_about_every_data_set_has_a_part_on_each(claim):
    row, parts = found(claim(BETTER), good("wine"), good("iris"))
    assert (row["data"], row["verdict"], row["met"]) == ("same", "reproduced", 2)
    row, parts = found(claim(BETTER), good("wine"), bad("iris"))
    assert (row["verdict"], parts) == ("partly", {"wine": "met", "iris": "not met"})


def test_another_claim_is_about_the_first_data_set_that_was_run(claim):
    row, parts = found(claim(BETTER, every_dataset=False), bad("iris"), good("wine"))
    assert (row["data"], row["verdict"], parts) == ("same", "reproduced", {"wine": "met"})


def test_data_of_ours_are_told_apart_and_count(claim):
    ours = claim(BETTER, data={"wine": "ours", "iris": "ours"})
    row = found(ours, good("wine"), bad("iris"))[0]
    assert (row["data"], row["verdict"]) == ("ours", "partly")
    mixed = claim(BETTER, data={"wine": "same", "iris": "ours"})
    assert found(mixed, good("wine"), good("iris"))[0]["data"] == "partial"


def test_stand_ins_count_where_there_is_nothing_else(claim):
    row, _ = found(claim(BETTER), good("beer"), good("ale"))
    assert (row["data"], row["verdict"]) == ("stand-in", "reproduced")
    row, _ = found(claim(BETTER), good("beer"), bad("ale"))
    assert row["verdict"] == "partly"


def test_a_claim_that_stand_ins_cannot_test_is_open_and_shows_them(claim):
    ours = {"stand_in": "which beer stands in decides"}
    row, _ = found(claim(BETTER, **ours), good("beer"), bad("ale"))
    assert (row["verdict"], row["met"], row["not_met"]) == ("open", 1, 1)
    assert row["shown"] == "partly", "which readings show"
    assert row["why"] == "which beer stands in decides. The data that stand in give: partly"
    assert found(claim(BETTER, **ours), good("wine"), good("beer"))[0]["verdict"] == "reproduced"
    with pytest.raises(ConfigError, match="stand_in: no data stand in"):
        claim(BETTER, **ours, data={"wine": "same"})


def test_beside_the_paper_s_own_data_stand_ins_are_not_counted(claim):
    row, parts = found(claim(BETTER), good("wine"), good("iris"), bad("beer"), good("ale"))
    assert (row["verdict"], row["met"], row["not_met"]) == ("reproduced", 2, 0)
    assert parts["beer"] == "not met"


def test_a_part_may_be_about_some_of_the_data_sets_only(claim):
    tables = good("wine"), bad("iris")
    assert found(claim({**BETTER, "datasets": ["wine"]}), *tables)[0]["verdict"] == "reproduced"
    row, _ = found(claim({**BETTER, "datasets": ["wine"]}), bad("iris"))
    assert row["why"] == "not yet run: no part is about iris"


def test_a_missing_result_is_named_with_its_data_set(claim):
    row, _ = found(claim(BETTER), good("wine"), scores("iris", ours=0.5, plain=0.1))
    assert row["why"] == "not yet run: iris: no MAP of theirs (paper)"


def test_a_part_on_data_that_cannot_be_is_refused(claim):
    with pytest.raises(ConfigError, match=r"parts\.0\.datasets: unknown data set mead"):
        claim(BETTER | {"datasets": ["mead"]})
