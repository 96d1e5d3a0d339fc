"""Check pairs, ranks and tests over data sets against closed forms and simulations."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from closerthan_survey.figures import ranks
from survey_page import BARE, DEFAULT, LAPSES, SOE, STE, make_page, only, rows_of, surveyed


@pytest.fixture
def page(tmp_path):
    def make(rows, **words):
        return make_page(tmp_path, "choices", rows, **words)

    return make


# Pairs


def test_errors_are_paired_by_trial_and_related_by_their_means(page):
    rows = rows_of(DEFAULT, "a", [0.1, 0.2, 0.4]) + rows_of(BARE, "a", [0.2, None, 0.4])
    table = ranks.relative_errors(page(rows, n_train=4e12, n_test=1e12), "choices")
    row = only(table, dataset="a", method="bare", loss="none")
    assert row["n"] == 2  # the second trial has no partner
    assert row["relative"] == pytest.approx(0.6 / 0.5 - 1)
    # A trial shifts the logarithm by the difference of its two errors, each divided by its mean.
    shifts = np.array([0.2 / 0.3 - 0.1 / 0.25, 0.4 / 0.3 - 0.4 / 0.25])
    reach = stats.t.ppf(0.975, 1) * shifts.std(ddof=1) * np.sqrt(1 / 2 + 1 / 4)
    assert np.log1p(row["high"]) - np.log(0.6 / 0.5) == pytest.approx(reach)


def test_trials_overlap_where_they_part_the_same_answers(page):
    rows = surveyed({DEFAULT: 1.0, BARE: 1.2}, n_datasets=2, n_trials=6)
    table = ranks.relative_errors(page(rows, simulated=["set1"]), "choices")

    def reach_over_spread(dataset):
        row = only(table, dataset=dataset)
        errors = {
            key: [r["value"] for r in rows if r["dataset"] == dataset and r["method"] == key]
            for key in ("default", "bare")
        }
        half = 0.5 / (6 * 20)
        ours, theirs = (np.array(errors[key]) / (np.mean(errors[key]) + half) for key in errors)
        t = stats.t.ppf(0.975, 5)
        return np.log((1 + row["high"]) / (1 + row["relative"])) / t / (theirs - ours).std(ddof=1)

    assert reach_over_spread("set0") == pytest.approx(np.sqrt(1 / 6 + 20 / 80))
    assert reach_over_spread("set1") == pytest.approx(np.sqrt(1 / 6))


@pytest.mark.parametrize("n_trials", [5, 50])
def test_intervals_hold_the_truth_though_trials_part_the_same_answers(n_trials):
    """Check coverage with true errors of 0.3 and 0.2; each trial tests 100 of 500 answers.

    Without the correction, the intervals of 50 trials cover the truth in fewer than half of the
    cases. With 400 cases, the standard error of a coverage of 0.95 is 0.011.
    """
    rng = np.random.default_rng(0)
    held = {0.25: 0, 0.0: 0}
    for _ in range(400):
        missed = rng.random((2, 500)) < [[0.3], [0.2]]
        tests = [rng.permutation(500)[:100] for _ in range(n_trials)]
        ours, theirs = (np.array([each[test].mean() for test in tests]) for each in missed)
        for overlap in held:
            ratio, reach = ranks.log_ratio(ours, theirs, 100, overlap)
            held[overlap] += abs(ratio - np.log(1.5)) <= reach
    assert held[0.25] / 400 > 0.91
    assert n_trials == 5 or held[0.0] / 400 < 0.6


def test_an_error_of_zero_counts_as_half_a_miss(page):
    rows = rows_of(DEFAULT, "a", [0.0, 0.1]) + rows_of(BARE, "a", [0.0, 0.0])
    row = only(ranks.relative_errors(page(rows), "choices"), dataset="a")
    assert row["relative"] == pytest.approx(0.5 / 2.5 - 1)  # 2 misses of 40 against none
    assert ranks.log_ratio([0.0, 0.0], [0.0, 0.0], 20) == (0.0, 0.0)


def test_all_data_sets_have_the_geometric_mean_and_an_interval_over_them(page):
    rows = []
    for dataset, factor in (("a", 1.1), ("b", 1.3), ("c", 0.9)):
        rows += rows_of(DEFAULT, dataset, [0.1, 0.2]) + rows_of(SOE, dataset, [0.1 * factor, None])
    row = only(ranks.relative_errors(page(rows, n_test=10**12), "choices"), dataset="all")
    logs = np.log([1.1, 1.3, 0.9])
    reach = stats.t.ppf(0.975, 2) * stats.sem(logs)
    assert (row["method"], row["loss"], row["n"]) == ("loss", "soe", 3)
    limits = np.expm1([logs.mean(), logs.mean() - reach, logs.mean() + reach])
    assert [row["relative"], row["low"], row["high"]] == pytest.approx(list(limits))


def test_trials_of_a_part_of_the_answers_overlap_less(page):
    """Each trial tests 20 of 400 answers, so two trials share 5 % of them, not 20 %."""
    page = page(rows_of(DEFAULT, "a", [0.1, 0.2]) + rows_of(BARE, "a", [0.1, 0.3]), n_answers=400)
    row = only(ranks.relative_errors(page, "choices"), dataset="a")
    half = 0.5 / 40
    shifts = [0.1 / (0.2 + half) - 0.1 / (0.15 + half), 0.3 / (0.2 + half) - 0.2 / (0.15 + half)]
    reach = stats.t.ppf(0.975, 1) * np.std(shifts, ddof=1) * np.sqrt(1 / 2 + 0.05 / 0.95)
    assert np.log((1 + row["high"]) / (1 + row["relative"])) == pytest.approx(reach)


def test_one_data_set_and_one_trial_have_no_interval(page):
    rows = rows_of(DEFAULT, "a", [0.1]) + rows_of(SOE, "a", [0.2])
    table = ranks.relative_errors(page(rows), "choices")
    assert len(table) == 2 and table[["low", "high"]].isna().all(axis=None)


def test_what_is_compared_with_must_be_there(page):
    with pytest.raises(ValueError, match="experiment choices has no errors of method and loss"):
        ranks.relative_errors(page(surveyed({SOE: 1.0})), "choices")


def test_controls_are_no_contenders(page):
    rows = surveyed({DEFAULT: 1.0, SOE: 1.1}) + rows_of(("random", "none"), "set0", [0.5] * 5)
    assert list(ranks.wide(page(rows), "choices")) == [DEFAULT, SOE]


# Ranks


def test_ranks_are_those_of_scipy_where_nothing_is_missing():
    values = np.random.default_rng(0).integers(0, 4, (200, 5)) / 10
    np.testing.assert_allclose(ranks.rank_rows(values), stats.rankdata(values, axis=1))


def test_errors_that_differ_by_rounding_alone_are_equal():
    assert ranks.rank_rows(np.array([0.1 + 0.2, 0.3, 0.4])).tolist() == [1.5, 1.5, 3.0]


def test_what_is_missing_stretches_the_ranks_of_the_others():
    found = ranks.rank_rows(np.array([[0.1, 0.2, 0.3, np.nan, 0.4], [1, *[np.nan] * 4]]))
    np.testing.assert_allclose(found[0], [1, 1 + 4 / 3, 1 + 8 / 3, np.nan, 5])
    assert np.isnan(found[1]).all()


def test_the_table_ranks_tests_and_says_who_is_better(page):
    factors = {DEFAULT: 1.0, STE: 1.0, SOE: 0.8, BARE: 1.3}
    page = page(surveyed(factors, n_datasets=12))
    table = ranks.ranks(page, "choices").set_index("contender")
    verdicts = {"other loss, SOE": "better", "default": "the default"}
    verdicts |= {"other loss, STE": "no difference shown", "no penalty": "worse"}
    assert table.verdict.to_dict() == verdicts
    assert table.index[0] == "other loss, SOE" and table.index[-1] == "no penalty"
    assert table["mean rank"].iloc[[0, -1]].tolist() == [1.0, 4.0]
    assert table["mean rank"].sum() == pytest.approx(1 + 2 + 3 + 4)
    # All twelve differences have one sign: 2 / 2^12. The other p-values are at least as large.
    assert table.p["no penalty"] == pytest.approx(3 * 2 / 2**12)
    assert table[ranks.ERROR]["no penalty"] == pytest.approx(30, abs=2)
    assert (table["mean rank, from"] <= table["mean rank"]).all()
    assert (table["mean rank, to"] >= table["mean rank"]).all()
    assert ranks.ranks(page, "choices").equals(table.reset_index())


@pytest.mark.parametrize(("factor", "verdict"), [(1.02, "worse"), (1.005, "no difference shown")])
def test_a_difference_that_does_not_count_is_not_shown(page, factor, verdict):
    rows = surveyed({DEFAULT: 1.0, BARE: factor}, n_datasets=12, noise=0.0)
    row = only(ranks.ranks(page(rows, n_test=10**9), "choices"), contender="no penalty")
    assert row["p"] < 0.01 and row["verdict"] == verdict


def test_equal_contenders_share_a_rank_in_every_draw(page):
    table = ranks.ranks(page(surveyed({DEFAULT: 1.0, STE: 1.0, BARE: 1.0}, noise=0.0)), "choices")
    columns = ["mean rank", "mean rank, from", "mean rank, to"]
    np.testing.assert_allclose(table[columns], 2.0)
    assert table.p.dropna().tolist() == [1.0, 1.0]


def test_the_interval_of_a_mean_rank_holds_it(monkeypatch):
    """Rank two contenders: the mean rank is 1 plus the share of data sets with the larger error.

    There are 80 surveys of 20 data sets, and the true share is 0.7. Percentiles over data sets are
    a little narrow; percentiles over trials widen them. The standard error of a coverage of 0.95 is
    0.024.
    """
    monkeypatch.setattr(ranks, "RESAMPLES", 400)  # enough for the ends, and faster
    rng, held = np.random.default_rng(0), 0
    for _ in range(80):
        worse = np.where(rng.random(20) < 0.7, 1.0, -1.0)
        values = np.stack([np.zeros((20, 3)), np.repeat(worse[:, None], 3, axis=1)], axis=-1)
        errors = pd.DataFrame(
            0.2 * np.exp(0.1 * values).reshape(-1, 2),
            pd.MultiIndex.from_product([range(20), range(3)], names=["dataset", "trial"]),
            pd.MultiIndex.from_tuples([DEFAULT, BARE]),
        )
        draws = ranks.resample(errors, dict.fromkeys(range(20), 100), rng)
        low, high = np.percentile(draws[:, 1], [2.5, 97.5])
        held += low <= 1.7 <= high
    assert held / 80 > 0.88


def test_missing_contenders_and_trials_are_ranked_by_what_is_there(page):
    rows = [
        r
        for r in surveyed({DEFAULT: 1.0, SOE: 0.8, BARE: 1.3}, n_datasets=3, n_trials=2)
        if (r["dataset"], r["method"]) != ("set1", "bare")
        and (r["dataset"], r["method"], r["trial"]) != ("set2", "loss", 1)
    ]
    page = page(rows)
    table = ranks.ranks(page, "choices")
    assert table.contender.tolist() == ["other loss, SOE", "default", "no penalty"]
    assert table["data sets"].tolist() == [3, 3, 2]
    assert table["mean rank"].tolist() == pytest.approx([1, 7 / 3, 3])
    assert "3 contenders on 2 data sets" in ranks.friedman_in_words(page, "choices")


def test_one_data_set_is_ranked_without_a_test(page):
    page = page(surveyed({DEFAULT: 1.0, SOE: 0.8}, n_datasets=1, n_trials=2))
    table = ranks.ranks(page, "choices")
    assert table.verdict.tolist() == ["no difference shown", "the default"]
    assert "there are 2 contenders on 1 data set" in ranks.friedman_in_words(page, "choices")


def test_friedmans_test_finds_what_differs(page):
    page = page(surveyed({DEFAULT: 1.0, SOE: 0.8, BARE: 1.3}, n_datasets=10))
    # All rankings agree, so the statistic has its largest value, n (k - 1).
    assert "χ² = 20.0, p < 0.001" in ranks.friedman_in_words(page, "choices")


# The default and the best of all


def test_the_best_of_the_grid_is_scored_where_it_was_not_chosen(page):
    """Sides that differ by chance alone do not beat the default on new trials."""
    rng = np.random.default_rng(0)
    rows = []
    for number in range(24):
        for contender in (DEFAULT, STE, SOE, BARE):
            rows += rows_of(contender, f"set{number}", 0.2 * np.exp(rng.normal(0, 0.2, 8)))
    table = ranks.check_default(page(rows), "choices")
    errors = np.log1p(table["difference, %"] / 100)
    assert abs(errors.mean()) < 3 * errors.std() / np.sqrt(24)
    # If all trials chose it, the best contender would seem at least 5 % better.
    frame = pd.DataFrame(rows).pivot_table(
        index="dataset", columns=["method", "loss"], values="value"
    )
    best = frame[[STE, SOE, BARE]].min(axis=1)
    assert np.log(frame[DEFAULT] / best).mean() > 0.05


def test_the_default_is_compared_with_the_best_by_brute_force(page):
    """Each of two trials is scored with the contender that the other trial chooses."""
    rows = rows_of(DEFAULT, "a", [0.2, 0.3]) + rows_of(BARE, "a", [0.1, 0.4])
    rows += rows_of(SOE, "a", [0.25, 0.25]) + rows_of(LAPSES, "a", [0.01, 0.01])
    page = page(rows, n_train=4e12, n_test=1e12)
    (row,) = ranks.check_default(page, "choices").to_dict("records")
    # Trial 0 chooses no penalty, with error 0.4 in trial 1. Trial 1 chooses SOE, with 0.25.
    assert row["ours"] == pytest.approx(0.25) and row["its error"] == pytest.approx(0.325)
    assert row["difference, %"] == pytest.approx(100 * (0.25 / 0.325 - 1))
    assert row["best contender"] in ("other loss, SOE", "no penalty") and row["trials"] == 2


def test_a_better_contender_is_found_and_named(page):
    table = ranks.check_default(page(surveyed({DEFAULT: 1.0, STE: 1.1, SOE: 0.9})), "choices")
    assert set(table["best contender"]) == {"other loss, SOE"}
    assert table["difference, %"].mean() == pytest.approx(100 * (1 / 0.9 - 1), abs=2)
    assert ((table["from"] < table["difference, %"]) & (table["difference, %"] < table.to)).all()


def test_the_promise_counts_the_data_sets_that_are_near(page):
    names = [f"set{n}" for n in range(10)]
    table = pd.DataFrame({"data set": names, "difference, %": [-5.0, 3.0, 3.1, 9.9] + [0.0] * 6})
    words = ranks.default_in_words(table)
    assert "within 3 % of the best on 8 of 10 data sets (80 %, 95 % interval 49 to 94 %)" in words
    assert words.endswith("at most +9.9 % (set3)")
    assert "not checked" in ranks.default_in_words(table.iloc[:0])


def test_a_data_set_with_one_trial_is_not_checked(page):
    rows = rows_of(DEFAULT, "a", [0.1]) + rows_of(SOE, "a", [0.2])
    assert ranks.check_default(page(rows), "choices").empty
