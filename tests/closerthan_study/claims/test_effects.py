"""Check that effects are read from curves, their ends and slopes, with correct intervals."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from closerthan_study.claims.verdicts import judge
from closerthan_study.order_statistics import interval_ranks, true_coverage
from planted import FASTER, PASSES, around, outcome, scores, streams, within


@pytest.mark.parametrize("n", [2, 5, 20])
@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("wanted", [0.5, 0.95, 0.999])
def test_the_true_coverage_is_what_drawing_again_finds(n, share, wanted):
    _, low, high = interval_ranks(n, share, wanted)
    drawn = np.sort(np.random.default_rng(n).uniform(size=(20_000, n)), axis=1)
    # A share of uniform effects reaches 1 - share.
    covered = (drawn[:, low] <= 1 - share) & (1 - share <= drawn[:, high])
    assert covered.mean() == pytest.approx(true_coverage(n, share, wanted), abs=0.015)


@pytest.mark.parametrize("share", [0.5, 0.8, 0.9])
@pytest.mark.parametrize("n", [40, 50, 97])
def test_the_interval_covers_as_often_as_it_says_and_hardly_more(n, share):
    _, low, high = interval_ranks(n, share)
    below = binom(n, 1 - share)  # number of effects below the quantile
    assert below.cdf(low) <= 0.025 < below.cdf(low + 1)
    assert below.sf(high) <= 0.025 < below.sf(high - 1)


@pytest.mark.parametrize("n", [1, 2, 5, 6, 20])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.9, 1])
def test_the_quantile_is_reached_by_its_share_and_lies_in_the_interval(n, share):
    rank, low, high = interval_ranks(n, share)
    assert 0 <= low <= rank <= high < n
    assert n - rank >= share * n > n - rank - 1 or rank == n - 1


def curves(power, epochs=range(101), spread=0.01):
    """Return a measure that falls as a power of the epoch; each trial has its own power."""
    return pd.concat(
        scores(
            {("sbb", "paper", 1): max(epoch, 1) ** np.asarray(around(power, spread=spread))},
            "test_error",
            epoch=float(epoch),
        )
        for epoch in epochs
    )


@pytest.mark.parametrize(
    ("bounds", "wanted"),
    [
        ({"at_most": -0.9}, "met"),
        ({"at_most": -1.2}, "not met"),
        ({"at_least": -1.1, "at_most": -0.9}, "met"),
        ({"at_least": -0.9, "at_most": 0}, "not met"),
    ],
)
def test_slope_of_a_curve(claim, bounds, wanted):
    part = within(kind="slope", measure="test_error", after=0.1, **bounds)
    assert outcome(claim(part), curves(-1.0)) == wanted


def test_a_slope_leaves_the_first_part_out_and_what_has_no_logarithm(claim):
    table = curves(-1.0, spread=0)
    table.loc[table.epoch <= 50, "value"] = 1 / 50
    table.loc[table.epoch == 99, "value"] = 0.0
    part = within(kind="slope", measure="test_error", at_most=-0.99)
    assert outcome(claim({**part, "after": 0.5}), table) == "met"
    assert outcome(claim(part), table) == "not met"


@pytest.mark.parametrize(("above", "wanted"), [(1e-12, "met"), (0, "not met")])
def test_a_slope_ends_where_the_curve_meets_rounding(claim, above, wanted):
    table = curves(-8.0, spread=0)
    noise = 1e-14 * (1 + table.epoch % 7)
    table["value"] = table.value.where(table.epoch < 40, 0) + noise
    table.loc[table.epoch == 90, "value"] = 1e-11  # once, after the curve has met it
    part = within(kind="slope", measure="test_error", after=0.5, at_most=-7, above=above)
    assert outcome(claim(part), table) == wanted


@pytest.mark.parametrize(("epoch", "wanted"), [({"epoch": 12}, "not met"), ({}, "met")])
def test_a_curve_is_read_at_an_epoch_or_at_its_end(claim, epoch, wanted):
    part = within(measure="test_error", at_most=0.02, **epoch)
    assert outcome(claim(part), curves(-1.0, range(0, 101, 4))) == wanted


def test_a_contender_may_have_a_loss_and_a_swept_value_of_its_own(claim):
    values = {
        ("pa", "gnmds", 0.0): around(0.5),
        ("pa", "gnmds", 9.0): around(0.1),
        ("refit", "gnmds", np.nan): around(0.05),
        ("refit", "ste", np.nan): around(0.3),
    }
    better = claim(PASSES, experiment="stream")
    ((part),) = judge(better, streams(values))[1]
    assert (part["outcome"], part["subject"]) == ("met", "pa (paper, revisits 9)")
    assert part["against"] == "refit (paper, ste)"
    for key, other in (("who", [{"method": "pa"}]), ("against", [{"method": "refit"}])):
        worse = claim({**PASSES, key: other}, experiment="stream")
        assert outcome(worse, streams(values)) == "not met"
    without = streams({key: value for key, value in values.items() if key[2] != 9.0})
    why = judge(better, without)[0]["why"]
    assert "no test_error of pa (paper, revisits 9) with gnmds" in why


@pytest.mark.parametrize(
    ("triplets", "wanted"),
    [
        ([400], "not met"),
        ([500], "met"),
        ([700, 1000], "met"),  # 700: what it was at 500
        ([400, 500], "not met"),
        (None, "met"),
    ],
)
def test_a_stream_is_read_at_every_number_of_triplets(claim, triplets, wanted):
    late = {400: around(0.4), 500: around(0.2), 1000: around(0.1)}
    steady = dict.fromkeys((400, 500, 1000), around(0.3))
    table = streams({("pa", "gnmds", 9.0): late, ("refit", "ste", np.nan): steady})
    part = PASSES if triplets is None else {**PASSES, "triplets": triplets}
    ((row),) = judge(claim(part, experiment="stream"), table)[1]
    assert (row["outcome"], row["cases"]) == (wanted, len(triplets or [0]))
    assert row["measure"].endswith("400 triplets") is (triplets is not None and 400 in triplets)


@pytest.mark.parametrize(("at_least", "wanted"), [(-0.6, "met"), (-0.4, "not met")])
def test_the_slope_of_a_stream_is_over_triplets(claim, at_least, wanted):
    curve = {n: np.full(20, n**-0.5) for n in range(100, 1001, 100)}
    table = streams({("pa", "gnmds", 0.0): curve})
    table["epoch"] = table.epoch**2  # a refit takes more evaluations on more triplets
    part = within(kind="slope", who="pa", losses=["gnmds"], measure="test_error")
    falls = claim({**part, "at_least": at_least}, experiment="stream")
    assert outcome(falls, table) == wanted


@pytest.mark.parametrize("first", [5.0, 1.005])
def test_both_are_timed_to_the_larger_of_their_last_errors(claim, first):
    sbb, sgd = [9, first, 1, 0.5, 0.5], [9, 8, 4, 2, 1]  # epochs 1 to 5
    table = pd.concat(
        scores({("sbb", "paper", 1): [a] * 6, ("sgd", "paper", 0): [b] * 6}, "mse", epoch=epoch)
        for epoch, a, b in zip((1.0, 2.0, 3.0, 4.0, 5.0), sbb, sgd, strict=True)
    )
    part = {**FASTER, "measure": "epochs_to_common_error", "losses": ["ste"]}
    (row,) = judge(claim(part), table)[1]
    assert row["effect"] == pytest.approx(5 / (3 if first == 5 else 2))
    turned = {**part, "who": "sgd", "against": "sbb"}
    assert outcome(claim(turned), table) == "not met"
