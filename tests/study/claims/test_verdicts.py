"""Claims are judged by what was planted in the scores."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from planted import FASTER, LOSSES, around, rivals, scores
from relsim.study.claims.verdicts import NOT_YET_RUN, VERDICTS, _verdict, judge
from relsim.study.spec import ConfigError

ONLY = "only against the paper's own baselines"


def test_the_list_of_verdicts_has_each_that_there_is():
    found = {NOT_YET_RUN}
    for data, *met in product(("same", "partial", "stand-in"), *[(True, False, None)] * 2):
        cases = [SimpleNamespace(group=group) for group in ("paper", "fair")]
        outcomes = [SimpleNamespace(case=c, met=m) for c, m in zip(cases, met, strict=True)]
        found.add(_verdict(outcomes, data))
    assert sorted(VERDICTS) == sorted(found)


@pytest.mark.parametrize(
    ("ratio", "verdict"), [(6, "reproduced"), (4, "undecided"), (2, "not reproduced")]
)
def test_a_factor_is_reached_missed_or_within_the_interval(claim, ratio, verdict):
    faster = claim({**FASTER, "by": {"factor": 4}})
    row = judge(faster, scores(rivals(around(10), around(10 * ratio))))
    assert row["verdict"] == verdict
    assert (row["dataset"], row["data"], row["trials"]) == ("synthetic", "same", 20)


def test_the_evidence_is_the_effect_with_its_interval_for_each_loss(claim):
    table = scores(rivals(np.full(20, 10.0), {"ste": np.full(20, 50.0), "gnmds": [15.0] * 20}))
    evidence = judge(claim(FASTER), table)["evidence"]
    assert "ste 5 [5, 5] sbb (paper, b = 1) against sgd (paper), n = 20" in evidence
    assert "gnmds 1.5 [1.5, 1.5]" in evidence


@pytest.mark.parametrize(
    ("direction", "by", "offset", "verdict"),
    [
        ("less", {"difference": -0.05}, 0.03, "reproduced"),  # no worse by more than 0.05
        ("less", {"difference": -0.05}, 0.08, "not reproduced"),
        ("greater", {"difference": 0.05}, 0.08, "reproduced"),
        ("greater", {"difference": 0.05}, 0.03, "not reproduced"),
    ],
)
def test_differences(claim, direction, by, offset, verdict):
    base = around(0.3, spread=0.2)
    table = scores(rivals(base + offset, base), measure="final_error")
    check = {**FASTER, "measure": "final_error", "direction": direction, "by": by}
    assert judge(claim(check), table)["verdict"] == verdict


def test_trials_are_paired(claim):
    base = around(10, spread=0.5)
    assert judge(claim(FASTER), scores(rivals(0.99 * base, base)))["verdict"] == "reproduced"
    shuffled = scores(rivals(0.99 * base, np.roll(base, 7)))
    assert judge(claim(FASTER), shuffled)["verdict"] == "undecided"


def test_the_same_is_not_better(claim):
    base = around(10)
    assert judge(claim(FASTER), scores(rivals(base, base)))["verdict"] == "not reproduced"


def test_few_trials_decide_nothing(claim):
    table = scores(rivals(around(10, n=4), around(60, n=4)))
    row = judge(claim(FASTER), table)
    assert row["verdict"] == "undecided" and "4 trials, 5 needed" in row["evidence"]
    assert judge(claim(FASTER, min_trials=4), table)["verdict"] == "reproduced"


@pytest.mark.parametrize(
    ("of_gnmds", "verdict"), [(60, "reproduced"), (10, "undecided"), (2, "not reproduced")]
)
def test_every_loss_is_needed(claim, of_gnmds, verdict):
    sgd = {"ste": around(60), "gnmds": around(of_gnmds, seed=1)}
    table = scores(rivals(around(10), sgd))
    assert judge(claim(FASTER), table)["verdict"] == verdict
    assert judge(claim({**FASTER, "losses": ["ste"]}), table)["verdict"] == "reproduced"


@pytest.mark.parametrize(
    ("paper", "fair", "verdict"),
    [
        (60, 60, "reproduced"),
        (60, 2, f"reproduced {ONLY}"),
        (60, 10, "undecided"),
        (2, 60, "not reproduced"),
        (2, 2, "not reproduced"),
        (10, 2, "undecided"),
    ],
)
def test_fair_baselines_are_judged_apart(claim, paper, fair, verdict):
    sides = {"paper": ["sgd"], "fair": [{"method": "sgd", "variant": "tuned"}]}
    table = scores(rivals(around(10), around(paper, seed=1), around(fair, seed=2)))
    row = judge(claim({**FASTER, "against": sides}), table)
    assert row["verdict"] == verdict
    assert "paper baselines: " in row["evidence"] and "fair baselines: " in row["evidence"]


@pytest.mark.parametrize(
    ("paper", "fair", "verdict"),
    [(60, 60, "holds"), (60, 2, f"holds {ONLY}"), (2, 60, "does not hold"), (10, 60, "undecided")],
)
def test_on_stand_in_data_nothing_is_reproduced(claim, paper, fair, verdict):
    sides = {"paper": ["sgd"], "fair": [{"method": "sgd", "variant": "tuned"}]}
    table = scores(rivals(around(10), around(paper, seed=1), around(fair, seed=2)))
    stand_in = claim({**FASTER, "against": sides}, data={"synthetic": "stand-in"})
    row = judge(stand_in, table)
    assert (row["verdict"], row["data"]) == (verdict, "stand-in")


def test_the_first_data_set_that_was_run_is_judged(claim):
    table = scores(rivals(around(10), around(60)), dataset="digits")
    row = judge(claim(FASTER, data={"synthetic": "same", "digits": "stand-in"}), table)
    assert (row["dataset"], row["verdict"]) == ("digits", "holds")


NEVER = np.full(20, np.nan)


@pytest.mark.parametrize(
    ("sbb", "sgd", "verdict"),
    [
        (around(10), NEVER, "reproduced"),
        (NEVER, around(10), "not reproduced"),
        (NEVER, NEVER, "not reproduced"),
        (np.where(np.arange(20) < 8, np.nan, 10.0), NEVER, "undecided"),
    ],
)
def test_not_reached_is_worse_than_any_number(claim, sbb, sgd, verdict):
    faster = claim({**FASTER, "by": {"factor": 4}})
    assert judge(faster, scores(rivals(sbb, sgd)))["verdict"] == verdict


@pytest.mark.parametrize(("measure", "direction"), [("MAP", "greater"), ("procrustes", "less")])
@pytest.mark.parametrize(
    ("sbb", "sgd", "verdict"),
    [(around(0.5), NEVER, "reproduced"), (NEVER, around(0.5), "not reproduced")],
)
def test_a_missing_score_is_worse_than_any_number(claim, measure, direction, sbb, sgd, verdict):
    check = {**FASTER, "measure": measure, "direction": direction, "by": {"factor": 1.2}}
    assert judge(claim(check), scores(rivals(sbb, sgd), measure))["verdict"] == verdict


def test_only_trials_that_both_have_count(claim):
    table = scores(rivals(around(10), around(60)))
    table = table[(table.method == "sbb") | (table.trial >= 12)]
    row = judge(claim(FASTER), table)
    assert (row["verdict"], row["trials"]) == ("reproduced", 8)
    apart = table[(table.method == "sgd") | (table.trial < 12)]
    assert judge(claim(FASTER), apart)["verdict"] == "not yet run"


@pytest.mark.parametrize(
    ("values", "verdict"),
    [(NEVER, "reproduced"), (np.where(np.arange(20) < 1, 90.0, np.nan), "not reproduced")],
)
def test_never_is_refuted_by_one_trial(claim, values, verdict):
    check = {"kind": "within", "who": "sgd", "measure": "epochs_to_error"}
    check |= {"at_least": np.inf, "share": 1}
    assert judge(claim(check), scores({("sgd", "paper", 0): values}))["verdict"] == verdict


@pytest.mark.parametrize(
    ("good", "verdict"), [(20, "reproduced"), (18, "undecided"), (10, "not reproduced")]
)
def test_a_bound_in_a_share_of_the_trials(claim, good, verdict):
    check = {"kind": "within", "who": ["sbb"], "measure": "peak_rise", "at_most": 0.02}
    table = scores({("sbb", "paper", 1): np.where(np.arange(20) < good, 0.0, 0.1)}, "peak_rise")
    assert judge(claim({**check, "share": 0.9}), table)["verdict"] == verdict


def test_a_missing_value_is_within_no_bounds(claim):
    table = scores({("sbb", "paper", 1): NEVER}, "peak_rise")
    for bound in ({"at_most": 9}, {"at_least": -9}):
        check = {"kind": "within", "who": "sbb", "measure": "peak_rise", **bound}
        assert judge(claim(check), table)["verdict"] == "not reproduced"


def test_every_noise_and_k_is_needed(claim):
    values = rivals(around(0.6), around(0.3))
    check = {**FASTER, "measure": "recall", "direction": "greater"}
    better = claim(check, experiment="search", data={"scenes": "same"})
    places = [{"noise": noise, "k": k} for noise, k in product((0.05, 0.1), (5, 10))]
    place = {"measure": "recall", "experiment": "search", "dataset": "scenes"}
    tables = [scores(values, **place, **where) for where in places]
    assert judge(better, pd.concat(tables))["verdict"] == "reproduced"
    assert judge(better, pd.concat(tables[1:]))["verdict"] == "not yet run"
    tables[2] = scores(rivals(around(0.3), around(0.6)), **place, **places[2])
    row = judge(better, pd.concat(tables))
    assert row["verdict"] == "not reproduced" and "k = 5" in row["evidence"]


def test_a_check_may_be_about_some_noise_levels_only(claim):
    check = {**FASTER, "measure": "MAP", "direction": "greater", "noise": [0.1]}
    place = {"measure": "MAP", "experiment": "search", "dataset": "scenes"}
    table = pd.concat(
        scores(rivals(around(center), around(0.3)), noise=noise, **place)
        for noise, center in ((0.05, 0.1), (0.1, 0.6))
    )
    better = claim(check, experiment="search", data={"scenes": "same"})
    assert judge(better, table)["verdict"] == "reproduced"
    everywhere = claim(
        {**check, "noise": [0.05, 0.1]}, experiment="search", data={"scenes": "same"}
    )
    assert judge(everywhere, table)["verdict"] == "not reproduced"
    with pytest.raises(ConfigError, match=r"unknown noise 0\.2; allowed: 0\.05, 0\.1"):
        claim({**check, "noise": [0.2]}, experiment="search", data={"scenes": "same"})


def test_a_method_against_itself_with_more_noise(claim):
    check = {**FASTER, "who": [{"method": "sbb", "noise": 0.05}], "measure": "MAP"}
    check |= {"against": [{"method": "sbb", "noise": 0.1}], "direction": "greater"}
    place = {"measure": "MAP", "experiment": "search", "dataset": "scenes"}
    table = pd.concat(
        scores({("sbb", "paper", 1): around(center)}, noise=noise, **place)
        for noise, center in ((0.05, 0.6), (0.1, 0.4))
    )
    lower = claim(check, experiment="search", data={"scenes": "same"})
    assert len(lower.cases) == len(LOSSES)
    assert judge(lower, table)["verdict"] == "reproduced"


def test_a_control_serves_all_losses_and_a_loss_may_have_its_own_batch_size(claim):
    who = {"method": "sbb", "by_loss": {"gnmds": {"batch_size": 5}}}
    check = {**FASTER, "who": [who], "against": "random", "measure": "test_error"}
    values = {
        ("sbb", "paper", 1): {"ste": around(0.1), "gnmds": around(0.9)},
        ("sbb", "paper", 5): {"ste": around(0.9), "gnmds": around(0.1)},
    }
    random = scores({("random", "control", 0): around(0.5)}, "test_error", losses=["none"])
    table = pd.concat([scores(values, "test_error"), random])
    assert judge(claim(check), table)["verdict"] == "reproduced"


def test_what_has_no_result_is_not_yet_run(claim):
    table = scores(rivals(around(10), around(60)))
    for changed in (table[table.method == "sbb"], table[table.loss == "ste"], table[:0]):
        row = judge(claim(FASTER), changed)
        assert row["verdict"] == "not yet run" and row["evidence"]
    assert "epochs_to_error of sgd (paper)" in judge(claim(FASTER), table[:20])["evidence"]


def test_judging_repeats_and_does_not_depend_on_the_order_of_rows(claim):
    table = scores(rivals(around(10, spread=0.9), around(11, spread=0.9)))
    assert judge(claim(FASTER), table) == judge(claim(FASTER), table[::-1])
