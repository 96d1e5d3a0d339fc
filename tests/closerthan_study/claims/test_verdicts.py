"""Check that parts of claims are judged by the planted scores."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan_study.claims.effects import Effects
from closerthan_study.claims.outcomes import RANKS, VERDICTS, verdict, worst
from closerthan_study.claims.verdicts import Judged, judge
from closerthan_study.spec import ConfigError
from planted import BUDGET, FASTER, LOSSES, around, by, outcome, rivals, scores, within

NEVER = np.full(20, np.nan)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (["met", "met"], "reproduced"),
        (["met", "open"], "partly"),
        (["met", "not met", "level", "open"], "partly"),
        (["open", "open", "not met"], "open"),
        (["open", "not met"], "not"),
        (["level", "level"], "not"),
        ([], "open"),
    ],
)
def test_a_verdict_is_what_the_parts_that_are_not_void_make_of_it(found, wanted):
    assert verdict(found) == verdict([*found, "void"]) == wanted


@given(st.lists(st.sampled_from(RANKS), min_size=1, max_size=9), st.data())
def test_a_better_outcome_never_gives_a_worse_verdict(outcomes, data):
    which = data.draw(st.integers(0, len(outcomes) - 1))
    better = data.draw(st.sampled_from(RANKS[RANKS.index(outcomes[which]) :]))
    changed = [*outcomes[:which], better, *outcomes[which + 1 :]]
    assert VERDICTS.index(verdict(changed)) <= VERDICTS.index(verdict(outcomes))


def test_a_part_shows_what_was_measured_and_what_was_asked(claim):
    table = scores(rivals(np.full(20, 10.0), {"ste": np.full(20, 50.0), "gnmds": [15.0] * 20}))
    row, (ste, gnmds) = judge(claim({**FASTER, **by(factor=2)}), table)
    assert (ste["part"], gnmds["part"]) == ("faster: ste", "faster: gnmds")
    assert (ste["subject"], ste["against"]) == ("sbb (paper, b = 1)", "sgd (paper)")
    assert (ste["effect"], ste["low"], ste["high"], ste["censored"]) == (5, 5, 5, "")
    assert (gnmds["effect"], gnmds["outcome"]) == (1.5, "not met")
    asked = ("factor", 2, "at least", "ours, 2026-01-31")
    assert tuple(ste[key] for key in ("scale", "threshold", "side", "threshold_by")) == asked
    assert (row["verdict"], row["met"], row["not_met"]) == ("partly", 1, 1)


@pytest.mark.parametrize(
    ("factor", "ratio", "wanted"),
    [
        # A factor of 1.6 asks for an effect of 0.6. Half of it is 1.3, and twice is 2.2.
        *[(1.6, 1.2, "not met"), (1.6, 1.4, "at half"), (1.6, 1.7, "at twice"), (1.6, 3, "met")],
        # A factor of 0.3 allows a loss of 0.7. Half of it is 0.65, and twice would be below zero.
        *[(0.3, 0.1, "not met"), (0.3, 0.2, "at twice"), (0.3, 0.5, "at half"), (0.3, 0.8, "met")],
    ],
)
def test_whether_an_outcome_would_turn_at_half_or_twice_of_what_is_asked(
    claim, factor, ratio, wanted
):
    table = scores(rivals(np.full(20, 10.0), np.full(20, 10.0 * ratio)), losses=["ste"])
    (part,) = judge(claim({**FASTER, "losses": ["ste"], **by(factor=factor)}), table)[1]
    assert (part["turns"] or part["outcome"]) == wanted


@pytest.mark.parametrize(
    ("ratios", "turns"),
    [
        ([*[1.05] * 12, *[0.9] * 8], "at twice and with more trials"),
        ([*[1.5] * 12, *[0.9] * 8], "with more trials"),
        ([*[0.9] * 11, *[1.5] * 9], ""),
        ([1.5] * 20, ""),
        ([1.5] * 4, "with more trials"),
    ],
)
def test_more_trials_could_meet_an_open_part_with_an_effect_that_does(claim, ratios, turns):
    ours = np.full(len(ratios), 10.0)
    table = scores(rivals(ours, ours * ratios), losses=["ste"])
    (part,) = judge(claim({**FASTER, "losses": ["ste"], **by(factor=1.04)}), table)[1]
    assert part["turns"] == turns


def smallest(**by):
    return {"smallest": by}


LESS, MORE = {"direction": "less"}, {"direction": "greater"}
SHARE = MORE | {"measure": "MAP"}  # a share is at most one
BASE, THIRD = around(10), around(0.3, spread=0.2)
BASE_APART = around(10, spread=0.5)
COMPARED = {
    "no worse by more than 0.05": (LESS | by(difference=-0.05), THIRD + 0.03, THIRD, "met"),
    "worse by more": (LESS | by(difference=-0.05), THIRD + 0.08, THIRD, "not met"),
    "better by 0.05": (MORE | by(difference=0.05), THIRD + 0.08, THIRD, "met"),
    "better by less": (MORE | by(difference=0.05), THIRD + 0.03, THIRD, "not met"),
    "in each trial": ({}, 0.98 * BASE_APART, BASE_APART, "met"),
    "of other trials": ({}, 0.98 * BASE_APART, np.roll(BASE_APART, 7), "open"),
    "less than a hundredth is no victory": ({}, BASE, 1.005 * BASE, "level"),
    "nor a defeat": ({}, BASE, 0.995 * BASE, "level"),
    "a hundredth behind": ({}, BASE, 0.98 * BASE, "not met"),
    "level or behind": ({}, BASE, np.r_[0.98 * BASE[:10], BASE[10:]], "level"),
    "level or ahead": ({}, BASE, np.r_[1.02 * BASE[:10], BASE[10:]], "open"),
    "level in a difference": (MORE | smallest(difference=0.005), THIRD + 0.004, THIRD, "level"),
    "behind in a difference": (MORE | smallest(difference=0.005), THIRD - 0.1, THIRD, "not met"),
    "short of a printed factor": (by(factor=4), BASE, BASE, "not met"),
    "less negative": (MORE | by(difference=0.005), np.full(9, -0.2), np.full(9, -0.3), "met"),
    "more negative": (MORE | by(difference=0.005), np.full(9, -0.2), np.full(9, -0.1), "not met"),
    "none beside a negative": (MORE | by(difference=0.005), NEVER, np.full(20, -0.3), "not met"),
    "more beside none": (SHARE | by(factor=1.2), around(0.5), NEVER, "met"),
    "none beside more": (SHARE | by(factor=1.2), NEVER, around(0.5), "not met"),
    "less beside none": (LESS | by(factor=1.2), around(0.5), NEVER, "met"),
    "none beside less": (LESS | by(factor=1.2), NEVER, around(0.5), "not met"),
}


@pytest.mark.parametrize(
    ("changes", "ours", "theirs", "wanted"), COMPARED.values(), ids=list(COMPARED)
)
def test_a_comparison_is_decided_by_what_trials_reach(claim, changes, ours, theirs, wanted):
    part = {**FASTER, "measure": "spearman", **changes}
    assert outcome(claim(part), scores(rivals(ours, theirs), part["measure"])) == wanted


def test_what_may_be_negative_has_no_factor(claim):
    part = {**FASTER, "measure": "spearman", "direction": "greater", **by(factor=1.1)}
    table = scores(rivals(np.full(9, -0.2), np.full(9, -0.3)), "spearman")
    with pytest.raises(ValueError, match="faster: spearman can be negative"):
        judge(claim(part), table)


def zeros(n, n_ones=0):
    return np.where(np.arange(n) < n - n_ones, 0.0, 1.0)


ALWAYS = {"at_most": 0, "share": 1}
BOUNDED = {
    "a count that does not vary": ({"at_most": 1, "unit": "count"}, [1, 1], "met"),
    "one that does": ({"at_most": 1, "unit": "count"}, [1, 2], "open"),
    "every one of one trial": (ALWAYS, [0], "open"),
    "never": (ALWAYS, zeros(20), "met"),
    "once": (ALWAYS, zeros(20, 1), "not met"),
    "never, counted": (ALWAYS | {"unit": "count"}, zeros(20), "met"),
    "once, counted": (ALWAYS | {"unit": "count"}, zeros(20, 1), "not met"),
    "all of a share": ({"at_most": 0.02, "share": 0.9}, zeros(60), "met"),
    "about a share": ({"at_most": 0.02, "share": 0.9}, zeros(60, 6), "open"),
    "less than a share": ({"at_most": 0.02, "share": 0.9}, zeros(60, 30), "not met"),
    "all of few": ({"at_most": 0.02, "share": 0.9}, zeros(20), "open"),
    "missing, below": ({"at_most": 9}, NEVER, "not met"),
    "missing, above": ({"at_least": -9}, NEVER, "not met"),
}


@pytest.mark.parametrize(("bound", "values", "wanted"), BOUNDED.values(), ids=list(BOUNDED))
def test_a_bound_is_decided_by_the_share_of_trials_within(claim, bound, values, wanted):
    table = scores({("sbb", "paper", 1): np.asarray(values, dtype=float)}, "norm")
    assert outcome(claim(within(measure="norm", **bound)), table) == wanted


def test_few_trials_decide_nothing(claim):
    part = judge(claim(FASTER), scores(rivals(around(10, n=4), around(60, n=4))))[1][0]
    assert (part["outcome"], part["trials"]) == ("open", 4)
    assert part["why"] == "4 trials: the interval covers 88%, too little to decide"
    part = judge(claim(FASTER), scores(rivals(around(10, n=5), around(60, n=5))))[1][0]
    assert (part["outcome"], part["coverage"], part["why"]) == ("met", 0.9375, "")


def test_every_comparison_has_to_be_met_and_any_may_fail(claim):
    """Of many comparisons one fails by chance, so it takes more to say that a part is not met."""
    rivals_of_20 = [{"method": "sgd", "variant": v} for v in ("paper", "tuned")] * 10
    one = {**FASTER, "losses": ["ste"], "against": rivals_of_20[:1]}
    two = {**one, "against": rivals_of_20[:2]}
    better, worse = np.full(5, 60.0), np.full(5, 2.0)
    ours = np.full(5, 10.0)

    def found(part, theirs, tuned):
        return judge(claim(part), scores(rivals(ours, theirs, tuned), losses=["ste"]))[1][0]

    assert found(one, better, better)["outcome"] == "met"
    assert found(two, better, better)["outcome"] == "met"
    assert found(one, worse, worse)["outcome"] == "not met"
    untold = found(two, worse, worse)
    assert (untold["outcome"], untold["coverage"], untold["cases"]) == ("open", 0.875, 2)
    why = "5 trials: the interval of 2 comparisons covers 88%, too little to decide"
    assert untold["why"] == why
    ours, better, worse = (np.repeat(values, 2) for values in (ours, better, worse))
    assert found(two, worse, better)["outcome"] == "not met"


def test_parts_with_many_comparisons_are_rarely_not_met_by_chance():
    """Brute force: 28 comparisons of equals, whose effects are noise around the bound."""
    rng = np.random.default_rng(0)

    def share(n_trials, n_cases=28, runs=400):
        found = []
        for _ in range(runs):
            outcomes = []
            for _ in range(n_cases):
                effects = Effects(*[rng.normal(size=n_trials)] * 2, 0.0, "value", trials=n_trials)
                joint = effects.interval(1 - 0.05 / n_cases)
                case = Judged(None, "", effects, effects.interval(), joint, n_cases)
                outcomes.append(case.outcome)
            found.append(worst(outcomes) == "not met")
        return np.mean(found)

    assert share(5) == 0
    assert 0.0 < share(20) < 0.1


@pytest.mark.parametrize(
    ("paper", "fair", "wanted"),
    [
        (60, 60, ("reproduced", "reproduced")),
        (60, 2, ("reproduced", "not")),
        (2, 60, ("not", "reproduced")),
        (10, 2, ("open", "not")),
    ],
)
def test_fair_baselines_have_a_verdict_of_their_own(claim, paper, fair, wanted):
    sides = {"paper": ["sgd"], "fair": [{"method": "sgd", "variant": "tuned"}]}
    table = scores(rivals(around(10), around(paper, seed=1), around(fair, seed=2)))
    row, parts = judge(claim({**FASTER, "against": sides}), table)
    assert (row["verdict"], row["verdict_fair"]) == wanted
    assert [part["baselines"] for part in parts] == ["paper", "fair"] * len(LOSSES)
    assert judge(claim(FASTER), table)[0]["verdict_fair"] == ""


@pytest.mark.parametrize(
    ("sbb", "sgd", "wanted", "censored"),
    [
        (around(10), NEVER, "met", ">="),
        (NEVER, around(10), "not met", "<="),
        (np.where(np.arange(20) < 8, np.nan, 10.0), NEVER, "open", ">="),
    ],
)
def test_a_run_that_ends_before_the_target_is_censored(claim, sbb, sgd, wanted, censored):
    part = judge(claim({**FASTER, **by(factor=4)}), scores(rivals(sbb, sgd)))[1][0]
    assert (part["outcome"], part["censored"]) == (wanted, censored)
    if wanted == "not met":  # a longer run may have taken forever
        assert part["low"] == 0
    if wanted == "met":  # not infinite: at least as large as the budget shows
        assert part["effect"] == pytest.approx(np.median(BUDGET / sbb), rel=1e-9)
        assert np.isfinite(part["low"]) and np.isinf(part["high"])


def test_a_target_that_nobody_reaches_tells_nothing(claim):
    values = rivals(
        {"ste": around(10), "gnmds": NEVER}, {"ste": around(60, seed=1), "gnmds": NEVER}
    )
    row, parts = judge(claim(FASTER), scores(values))
    assert [part["outcome"] for part in parts] == ["met", "void"]
    assert parts[1]["why"] == "no contender reaches the target"
    assert (row["verdict"], row["void"]) == ("reproduced", 1)
    nobody = judge(claim({**FASTER, "losses": ["gnmds"]}), scores(values))[0]
    assert (nobody["verdict"], nobody["why"]) == ("open", "no contender reaches the target")


@pytest.mark.parametrize(
    ("share", "wanted"), [(1.0, "met"), (0.95, "void")], ids=["in all trials", "not in one"]
)
def test_a_premise_has_to_show_in_every_trial(claim, share, wanted):
    premise = {"measure": "norm", "at_least": 1, "why": "the step is too long"}
    part = within(measure="peak_rise", at_most=0.1, premises=[premise])
    norms = np.where(np.arange(20) < 20 * share, 1.5, 0.5)
    values = scores({("sbb", "paper", 1): [0.0] * 20}, "peak_rise")
    table = pd.concat([values, scores({("sbb", "paper", 1): norms}, "norm")])
    parts = judge(claim(part), table)[1]
    assert {part["outcome"] for part in parts} == {wanted}
    if wanted == "void":
        assert parts[0]["why"] == "the step is too long (norm 0.5, not at least 1)"


def test_a_premise_may_be_about_another_contender(claim):
    premise = {"who": "sgd", "measure": "norm", "at_most": 1, "why": "of another"}
    part = within(measure="peak_rise", at_most=0.1, premises=[premise])
    values = scores({("sbb", "paper", 1): [0.0] * 20}, "peak_rise")
    norm = scores({("sgd", "paper", 0): [2.0] * 20, ("sbb", "paper", 1): [0.0] * 20}, "norm")
    assert outcome(claim(part), pd.concat([values, norm])) == "void"


def test_what_nothing_would_tell_is_void_and_counts_for_nothing(claim):
    table = scores(rivals(around(10), around(60)))
    kinks = {"part": "falls", "kind": "untestable", "losses": ["gnmds"], "void": "It has kinks"}
    row, parts = judge(claim(FASTER, kinks), table)
    assert (row["verdict"], row["void"]) == ("reproduced", 1)
    assert (parts[-1]["part"], parts[-1]["why"]) == ("falls: gnmds", "It has kinks")
    row, parts = judge(claim({**FASTER, "void": "two cores"}), table)
    assert row["verdict"] == "open" and parts[0]["effect"] > 5


def test_nothing_is_told_where_nobody_has_a_result_or_the_opponent_has_all(claim):
    part = {**FASTER, "measure": "MAP", "direction": "greater"}
    nobody = judge(claim(part), scores(rivals(NEVER, NEVER), "MAP"))[1][0]
    assert (nobody["outcome"], nobody["why"]) == ("void", "no contender has a result")
    perfect = judge(claim(part), scores(rivals(np.full(9, 1.0), np.full(9, 0.995)), "MAP"))[1][0]
    assert perfect["outcome"] == "void"
    assert perfect["why"] == "the opponent is at the ceiling"
    behind = scores(rivals(np.full(9, 0.5), np.full(9, 0.995)), "MAP")
    assert outcome(claim(part), behind) == "not met"
    assert outcome(claim(part), scores(rivals(np.full(9, 1.0), np.full(9, 0.98)), "MAP")) == "met"


def test_a_method_that_stays_at_the_ceiling_in_a_worse_setting_tells_something(claim):
    part = {**FASTER, "measure": "MAP", "direction": "greater", **by(factor=1.2)}
    part |= {"who": "sgd", "against": [{"method": "sgd", "variant": "tuned"}]}
    table = scores(rivals(NEVER, np.full(20, 1.0), np.full(20, 0.95)), "MAP")
    assert outcome(claim(part), table) == "not met"


def test_better_than_one_and_untold_of_another_is_not_yet_better_than_both(claim):
    both = ["sgd", {"method": "sgd", "variant": "tuned"}]
    part = {**FASTER, "measure": "MAP", "direction": "greater", "against": both}
    best, full = np.full(9, 1.0), np.full(9, 0.995)
    found = judge(claim(part), scores(rivals(best, np.full(9, 0.5), full), "MAP"))[1][0]
    assert (found["outcome"], found["effect"]) == ("open", 2)
    assert found["why"] == "1 of 2 comparisons cannot be judged: the opponent is at the ceiling"
    behind = scores(rivals(full, np.full(9, 0.997), full), "MAP")
    assert outcome(claim(part), behind) == "void"
    apart = scores(rivals(np.full(9, 0.6), np.full(9, 0.7), np.full(9, 0.5)), "MAP")
    assert outcome(claim(part), apart) == "not met"


def test_an_epoch_at_which_a_run_reads_nothing_tells_nothing(claim):
    part = within(measure="MAP", at_least=0.5, epoch=12)
    table = scores({("sbb", "paper", 1): [0.9] * 6}, "MAP", epoch=10.0)
    found = judge(claim(part), table)[1][0]
    assert found["why"] == "this run has no values after 12 epochs"
    assert found["outcome"] == "void"
    assert outcome(claim({**part, "epoch": 10}), table) == "met"


def test_one_that_stops_by_itself_would_keep_what_it_has(claim, spec):
    for method in spec.experiment("papers", "toy").methods.values():
        method.epochs = 400
    part = judge(claim(FASTER), scores(rivals(np.full(9, 10.0), NEVER[:9])))[1][0]
    assert (part["effect"], part["censored"]) == (40, ">=")


def test_only_trials_that_both_have_count(claim):
    table = scores(rivals(around(10), around(60)))
    table = table[(table.method == "sbb") | (table.trial >= 12)]
    parts = judge(claim(FASTER), table)[1]
    assert {(part["outcome"], part["trials"]) for part in parts} == {("met", 8)}
    apart = table[(table.method == "sgd") | (table.trial < 12)]
    assert judge(claim(FASTER), apart)[0]["verdict"] == "not yet judged"


@pytest.mark.parametrize(
    ("ours", "wanted", "why"),
    [
        ([9.97, 9.97], "level", "better, but by less than the factor of 1.01 that counts here"),
        ([9.85, 9.95], "open", "better, but perhaps by less than the factor of 1.01"),
        ([9.85, 10.03], "open", "the interval holds several outcomes"),
        ([9.95, 10.2], "level", "level or worse"),
        ([10.0, 10.0], "level", ""),
    ],
)
def test_what_is_better_by_little_says_so(claim, ours, wanted, why):
    table = scores(rivals(np.repeat(ours, 10), np.full(20, 10.0)), losses=["ste"])
    ((row),) = judge(claim({**FASTER, "losses": ["ste"]}), table)[1]
    assert row["outcome"] == wanted
    assert row["why"].startswith(why) and bool(row["why"]) == bool(why)


def resampled(ours, theirs, spread, shared):
    """Return scores of three equal starts and of resamples of the pairs, shared or of theirs."""
    noise = spread * np.random.default_rng(0).normal(size=1000)
    tables = [
        scores(rivals(ours + shared * drawn, theirs + drawn), measure, ["ste"])
        for measure, drawn in (("spearman", np.zeros(3)), ("spearman_resampled", noise))
    ]
    return pd.concat(tables)


OF_PAIRS = {**FASTER, "losses": ["ste"], "measure": "spearman", "direction": "greater"}
OF_PAIRS |= {"unit": "pairs", **by(difference=0.004)}


@pytest.mark.parametrize(("ours", "wanted"), [(0.30, "met"), (0.25, "not met"), (0.255, "met")])
def test_of_words_pairs_are_resampled_and_not_starts(claim, ours, wanted):
    ((row),) = judge(claim(OF_PAIRS), resampled(ours, 0.25, spread=0.1, shared=1))[1]
    assert (row["outcome"], row["unit"], row["trials"]) == (wanted, "pairs", 3)
    assert row["effect"] == pytest.approx(ours - 0.25)


def test_every_noise_is_a_part_and_every_k_is_needed(claim):
    values = rivals(around(0.6), around(0.3))
    part = {**FASTER, "measure": "recall", "direction": "greater"}
    better = claim(part, experiment="search", data={"scenes": "same"})
    places = [{"noise": noise, "k": k} for noise, k in product((0.05, 0.1), (5, 10))]
    place = {"measure": "recall", "experiment": "search", "dataset": "scenes"}
    tables = [scores(values, **place, **where) for where in places]
    assert judge(better, pd.concat(tables))[0]["verdict"] == "reproduced"
    assert judge(better, pd.concat(tables[1:]))[0]["verdict"] == "not yet judged"
    tables[2] = scores(rivals(around(0.3), around(0.6)), **place, **places[2])
    parts = judge(better, pd.concat(tables))[1]
    found = {part["part"]: (part["outcome"], part["measure"], part["cases"]) for part in parts}
    assert found["faster: ste, noise 0.1"] == ("not met", "recall@5", 2)
    assert found["faster: ste, noise 0.05"][0] == "met"


def test_a_part_may_be_about_some_noise_levels_only(claim):
    part = {**FASTER, "measure": "MAP", "direction": "greater", "noise": [0.1]}
    place = {"measure": "MAP", "experiment": "search", "dataset": "scenes"}
    table = pd.concat(
        scores(rivals(around(center), around(0.3)), noise=noise, **place)
        for noise, center in ((0.05, 0.1), (0.1, 0.6))
    )
    better = claim(part, experiment="search", data={"scenes": "same"})
    assert outcome(better, table) == "met"
    with pytest.raises(ConfigError, match=r"noise: unknown noise 0\.2; allowed: 0\.05, 0\.1"):
        claim({**part, "noise": [0.2]}, experiment="search", data={"scenes": "same"})


def test_a_control_serves_all_losses_and_a_loss_may_have_its_own_batch_size(claim):
    who = {"method": "sbb", "batch_size": {"gnmds": 5}}
    part = {**FASTER, "who": [who], "against": "random", "measure": "test_error"}
    values = {
        ("sbb", "paper", 1): {"ste": around(0.1), "gnmds": around(0.9)},
        ("sbb", "paper", 5): {"ste": around(0.9), "gnmds": around(0.1)},
    }
    random = scores({("random", "control", 0): around(0.5)}, "test_error", losses=["none"])
    table = pd.concat([scores(values, "test_error"), random])
    assert outcome(claim(part), table) == "met"


def test_what_has_no_result_is_not_yet_run(claim):
    table = scores(rivals(around(10), around(60)))
    for changed in (table[table.method == "sbb"], table[table.loss == "ste"], table[:0]):
        row, parts = judge(claim(FASTER), changed)
        assert row["verdict"] == "not yet judged" and row["why"] and not parts
    alone = judge(claim(FASTER), table[table.method == "sbb"])[0]
    assert alone["why"] == "not yet run: no epochs_to_error of sgd (paper) with ste"
