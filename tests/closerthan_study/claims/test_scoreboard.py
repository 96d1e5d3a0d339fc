"""The scoreboard has every claim of every paper."""

import pandas as pd
import pytest
import yaml

from closerthan_study.claims.cases import read_claims
from closerthan_study.claims.scoreboard import (
    COLUMNS,
    PART_COLUMNS,
    READING_COLUMNS,
    judge_all,
    scores_of_run,
)
from closerthan_study.spec import ROOT, ConfigError
from closerthan_study.spec.claims import By
from planted import FASTER, around, rivals, scores, streams, within, write_scores


def judged(spec):
    """Judge a run of two experiments."""
    places = [(spec.experiment("papers", name), "synthetic") for name in ("toy", "stream")]
    return judge_all(spec, scores_of_run(spec, places))


def write(spec, experiment, table, dataset="synthetic"):
    """Write scores where the station does."""
    write_scores(spec, spec.experiment("papers", experiment), dataset, table)


def test_all_papers_are_on_the_scoreboard(spec, claim):
    claim(FASTER)
    later = {"soon": {"statement": "It will be.", "where": "Fig. 2", "parts": None}}
    path = spec.root / "config" / "studies" / "zebra" / "claims.yaml"
    path.parent.mkdir()
    path.write_text(yaml.safe_dump(later))
    board, parts, _ = judged(spec)
    assert board.verdict.tolist() == ["not yet judged"] * 2 and parts.empty
    write(spec, "toy", scores(rivals(around(10), around(60))))
    board, parts, _ = judged(spec)
    assert (board.columns.tolist(), parts.columns.tolist()) == (COLUMNS, PART_COLUMNS)
    assert parts.outcome.tolist() == ["met", "met"]
    assert board[["study", "claim", "verdict"]].to_numpy().tolist() == [
        ["papers", "it", "reproduced"],
        ["zebra", "soon", "not yet judged"],
    ]


def test_scores_that_an_earlier_run_has_left_are_not_judged(spec, claim):
    claim(FASTER, data={"digits": "stand-in", "synthetic": "same"})
    stale = scores(rivals(around(60), around(10)), dataset="digits")
    write(spec, "toy", stale, "digits")
    write(spec, "toy", scores(rivals(around(10), around(60))))
    board, parts, _ = judged(spec)
    assert board.verdict.tolist() == ["reproduced"]
    assert set(parts.dataset) == {"synthetic"}


def test_a_method_without_its_scores_is_no_claim_that_was_not_run(spec, claim):
    claim(FASTER)
    write(spec, "toy", scores(rivals(around(10), around(60))))
    folder = spec.folder("scores", spec.experiment("papers", "toy"), "synthetic")
    (folder / "sbb.parquet").unlink()
    with pytest.raises(OSError, match=f"sbb.parquet is missing.*--forcerun {folder}$"):
        judged(spec)


@pytest.mark.parametrize(("error", "verdict"), [(0.1, "reproduced"), (0.5, "partly")])
def test_a_part_may_be_about_another_experiment(claim, spec, error, verdict):
    low = within(who="pa", losses=["gnmds"], measure="test_error", at_most=0.2)
    low["experiment"] = "stream"
    both = claim(FASTER, low)
    assert both.experiments == ["toy", "stream"]
    toy, stream = (
        scores(rivals(around(10), around(60))),
        streams({("pa", "gnmds", 0): [error] * 20}),
    )
    write(spec, "toy", toy)
    (row,) = judged(spec)[0].itertuples()
    assert row.verdict == "not yet judged" and "no test_error of pa" in row.why
    write(spec, "stream", stream)
    (row,) = judged(spec)[0].itertuples()
    assert row.verdict == verdict


def test_a_claim_is_judged_under_each_reading_and_the_first_makes_its_verdict(claim, spec):
    first = {"reading": "as printed", "source": "words"}
    second = {"reading": "tuned", "source": "judged", "variants": {"sgd": "tuned"}}
    hinge = {"setting": "the step", "readings": [first, second]}
    fair = {"paper": ["sgd"], "fair": [{"method": "sgd", "variant": "paper"}]}
    claim({**FASTER, "against": fair}, hinge=hinge)
    write(spec, "toy", scores(rivals(around(10), around(60), around(2))))
    board, _, readings = judged(spec)
    assert readings.columns.tolist() == READING_COLUMNS
    assert readings[["setting", "reading"]].to_numpy().tolist() == [
        ["the step", "as printed"],
        ["the step", "tuned"],
    ]
    assert board.verdict.tolist() == ["reproduced"]
    assert board.readings.tolist() == ["differ"]
    assert readings.verdict.tolist() == ["reproduced", "not"]
    assert readings.verdict_fair.tolist() == ["reproduced"] * 2, "fair baselines name their own"


PRINTED = {"reading": "as printed", "source": "words"}
BOUND = within(measure="norm", at_most=1, losses=["gnmds"], who="pa", experiment="stream", epoch=10)
SEARCHED = within(measure="MAP", at_least=1, losses=["ste"], experiment="search", noise=[0.05])


@pytest.mark.parametrize(
    ("bound", "other", "key", "values"),
    [
        (BOUND, {"measures": {"norm": "rank"}}, "measure", ("norm", "rank")),
        (BOUND, {"epochs": {10: None}}, "epoch", (10, None)),
        (SEARCHED, {"noise": {0.05: 0.1}}, "noise", ([0.05], [0.1])),
        (SEARCHED, {"share": 0.9}, "share", (0.5, 0.9)),
        (FASTER, {"by": {"epochs_to_error": {"factor": 2}}}, "by", (None, By(factor=2))),
        (BOUND, {"bounds": {1: 2.5}}, "at_most", (1, 2.5)),
    ],
)
def test_a_reading_may_change_a_part(claim, bound, other, key, values):
    other = {"reading": "another", "source": "ours"} | other
    found = claim(bound, hinge={"setting": "it", "readings": [PRINTED, other]})
    (under,) = found.others
    assert {case.experiment for case in under.cases} == {bound.get("experiment", "toy")}
    parts = found.entry.parts[0], under.entry.parts[0]
    assert tuple(getattr(part, key) for part in parts) == values


@pytest.mark.parametrize(
    ("changes", "other", "words"),
    [
        ({}, {"experiments": {"stream": "toy"}}, "unknown method pa"),
        ({}, {"variants": {"pa": "strange"}}, "unknown variant strange; allowed: paper"),
        ({"variants": {"pa": "paper"}}, {}, "the parts have it, so it changes nothing"),
        ({"source": "judged"}, {}, "is never the first"),
    ],
)
def test_a_reading_that_cannot_be_is_refused(claim, changes, other, words):
    readings = [PRINTED | changes, {"reading": "another", "source": "code"} | other]
    with pytest.raises(ConfigError, match=words):
        claim(BOUND, hinge={"setting": "it", "readings": readings})


PUBLISHED = pd.read_csv(ROOT / "results" / "published" / "scoreboard.csv")


@pytest.mark.parametrize("scale", ["smoke", "default", "paper"])
@pytest.mark.parametrize("paper", ["svrg_sbb", "erkle", "sdca", "pattern_search"])
def test_the_shipped_claims_fit_the_shipped_studies_and_no_published_one_is_gone(
    shipped, paper, scale
):
    file = ROOT / "config" / "studies" / paper / "claims.yaml"
    claims = {claim.name: claim for claim in read_claims(file, shipped[scale])}
    assert set(PUBLISHED.claim[PUBLISHED.study == paper]) <= set(claims)
    assert all(claim.cases for claim in claims.values())
