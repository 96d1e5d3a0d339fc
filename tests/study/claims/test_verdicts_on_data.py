"""Claims about several data sets, of studies without losses: judged by what was planted."""

import pandas as pd
import pytest

from planted import Method, Spec, experiment
from planted import scores as planted_scores
from relsim.study.claims.verdicts import judge
from relsim.study.spec import ConfigError

METHODS = [
    Method("ours", ["paper"]),
    Method("theirs", ["paper"]),
    Method("plain", control="features"),
]
DATA = {"wine": "same", "iris": "same", "beer": "stand-in", "ale": "stand-in"}
BETTER = {"kind": "compare", "who": "ours", "against": ["theirs", "plain"], "measure": "MAP"}
BETTER |= {"direction": "greater"}


@pytest.fixture
def claim(read):
    """Read a claim with some checks, through a file; keywords replace other keys."""

    def with_checks(*checks, **changes):
        search = experiment("search", ["wine", "iris"], ["beer", "ale"], METHODS)
        content = {"statement": "It is so.", "where": "Table 1", "artefact": "tables/papers/a"}
        content |= {"experiment": "search", "data": DATA, "every_dataset": True}
        return read(Spec([search], losses=[]), content | {"check": list(checks)} | changes)

    return with_checks


def scores(dataset, measure="MAP", **by_method):
    """Rows of a measure on a data set: around one value a method, in each of six trials."""
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


def test_a_claim_about_every_data_set_fails_on_one(claim):
    row = judge(claim(BETTER), pd.concat([good("wine"), good("iris"), bad("beer")]))
    assert (row["dataset"], row["data"], row["verdict"]) == ("wine, iris", "same", "reproduced")
    row = judge(claim(BETTER), pd.concat([good("wine"), bad("iris")]))
    assert row["verdict"] == "not reproduced"
    assert row["by_loss"] == "wine: reproduced; iris: not reproduced"
    assert "wine 1.25" in row["evidence"] and "iris 0.83" in row["evidence"]
    assert "none" not in row["evidence"]


def test_another_claim_is_about_the_first_data_set_that_was_run(claim):
    row = judge(claim(BETTER, every_dataset=False), pd.concat([bad("iris"), good("wine")]))
    assert (row["dataset"], row["data"], row["verdict"]) == ("wine", "same", "reproduced")
    assert row["by_loss"] == "wine: reproduced"


def test_where_a_data_set_is_missing_the_others_are_a_part(claim):
    row = judge(claim(BETTER), pd.concat([good("iris"), bad("ale")]))
    assert (row["dataset"], row["data"], row["verdict"]) == ("iris", "partial", "reproduced")


def test_stand_ins_count_where_there_is_nothing_else(claim):
    row = judge(claim(BETTER), pd.concat([good("beer"), good("ale")]))
    assert (row["dataset"], row["data"], row["verdict"]) == ("beer, ale", "stand-in", "holds")
    row = judge(claim(BETTER), pd.concat([good("beer"), bad("ale")]))
    assert row["verdict"] == "does not hold"


def test_a_check_may_be_about_some_of_the_data_sets_only(claim):
    table = pd.concat([good("wine"), bad("iris")])
    assert judge(claim({**BETTER, "datasets": ["wine"]}), table)["verdict"] == "reproduced"
    both = claim({**BETTER, "datasets": ["wine"]}, {**BETTER, "datasets": ["iris"]})
    row = judge(both, table)
    assert row["by_loss"] == "wine: reproduced; iris: not reproduced"
    row = judge(claim({**BETTER, "datasets": ["wine"]}), bad("iris"))
    assert (row["verdict"], row["evidence"]) == ("not yet run", "no check is about iris")
    with pytest.raises(ConfigError, match=r"check\.0\.datasets: unknown data set mead"):
        claim({**BETTER, "datasets": ["mead"]})


def test_a_missing_result_is_named_with_its_data_set(claim):
    row = judge(claim(BETTER), pd.concat([good("wine"), scores("iris", ours=0.5, plain=0.1)]))
    assert row["verdict"] == "not yet run"
    assert row["evidence"] == "iris: no MAP of theirs (paper)"


@pytest.mark.parametrize(
    ("bound", "verdict"), [(0.6, "reproduced"), (0.4, "not reproduced"), (0.5, "not reproduced")]
)
def test_a_method_is_compared_with_a_measure_of_its_own(claim, bound, verdict):
    check = {"kind": "compare", "who": "ours", "measure": "duality_gap", "direction": "less"}
    check["against"] = [{"method": "ours", "measure": "gap_bound"}]
    gap, above = scores("wine", "duality_gap", ours=0.5), scores("wine", "gap_bound", ours=bound)
    row = judge(claim(check, every_dataset=False), pd.concat([gap, above]))
    assert row["verdict"] == verdict
    assert "ours (paper) against ours (paper, gap_bound)" in row["evidence"]


def test_an_unknown_measure_of_a_contender_is_refused(claim):
    check = {**BETTER, "against": [{"method": "theirs", "measure": "map"}]}
    with pytest.raises(ConfigError, match=r"theirs: unknown measure map; allowed: .*, MAP"):
        claim(check)


def test_data_may_be_any_of_the_stand_ins_and_no_other(claim):
    with pytest.raises(ConfigError, match="unknown data set mead; allowed: wine, iris, beer, ale"):
        claim(BETTER, data={"mead": "stand-in"})
