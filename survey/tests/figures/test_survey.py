"""Check that a survey's figures and tables show the planted values, even if some are missing."""

from itertools import combinations, pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import stats

from closerthan_study.figures.curves import GRAY
from closerthan_survey.figures import ranks, survey, survey_tables
from survey_page import BARE, DEFAULT, SOE, STE, make_page, only, rows_of, surveyed

LBFGS, SVRG = ("lbfgs", "ste"), ("svrg", "ste")
CHOSEN, CEILING = ("chosen", "none"), ("ceiling", "none")
FACTORS = {DEFAULT: 1.0, STE: 1.1, SOE: 0.8, BARE: 1.3}


@pytest.fixture
def page(tmp_path):
    def make(rows, name="choices", **words):
        return make_page(tmp_path, name, rows, **words)

    yield make
    plt.close("all")


def dots(ax, marker=None):
    """Return the points drawn one by one as an array of places, by line."""
    lines = [line for line in ax.lines if line.get_linestyle() == "None"]
    return [line.get_xydata() for line in lines if marker in (None, line.get_marker())]


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def words_of(legend):
    return [text.get_text() for text in legend.texts]


def is_inside(figure):
    """Return whether all drawn points lie within the figure."""
    figure.draw_without_rendering()
    drawn = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    return drawn.x0 > -0.02 < drawn.y0 and drawn.x1 < width + 0.02 and drawn.y1 < height + 0.02


# Ranks and relative errors


def test_ranks_are_drawn_from_the_best_on_with_their_intervals(page):
    table = ranks.ranks(page(surveyed(FACTORS, n_datasets=10)), "choices")
    figure = survey.draw_ranks(table)
    (ax,) = figure.axes
    assert labels(ax) == ["other loss, SOE", "default", "other loss, STE", "no penalty"]
    top, bottom = ax.get_ylim()[::-1]
    assert top < 0 < 3 < bottom
    drawn = np.concatenate(dots(ax))
    drawn = drawn[drawn[:, 1].argsort()]
    np.testing.assert_allclose(drawn, np.column_stack([table["mean rank"], range(4)]))
    segments = [s for lines in ax.collections for s in lines.get_segments()]
    ends = {int(segment[0, 1]): segment[:, 0].tolist() for segment in segments}
    for place, row in table.iterrows():
        assert ends[place] == [row["mean rank, from"], row["mean rank, to"]]
    assert words_of(figure.legends[0]) == ["the default", "better", "worse"]
    assert is_inside(figure)


def test_what_is_not_shown_to_differ_is_hollow(page):
    table = ranks.ranks(page(surveyed({DEFAULT: 1.0, SOE: 1.0, BARE: 1.3})), "choices")
    (ax,) = survey.draw_ranks(table).axes
    faces = {line.get_label(): line.get_markerfacecolor() for line in ax.lines}
    assert faces["no difference shown"] == "white" != faces["the default"]


def test_relative_errors_have_a_row_a_data_set_and_one_for_all(page):
    page = page(surveyed(FACTORS, n_datasets=3), simulated=["set0"])
    figure = survey.draw_relative(page, "choices", BARE)
    (ax,) = figure.axes
    assert labels(ax) == ["set1", "set2", "set0", "all"]  # people's answers first
    assert ax.get_xlabel() == "error relative to the default, %"  # named by its label
    table = ranks.relative_errors(page, "choices")
    (drawn,) = dots(ax)
    for place, dataset in enumerate(["set1", "set2", "set0", "all"]):
        expected = only(table, dataset=dataset, method="bare")
        assert drawn[place] == pytest.approx([100 * expected["relative"], place])
        segment = ax.collections[0].get_segments()[place]
        assert segment[:, 0] == pytest.approx([100 * expected["low"], 100 * expected["high"]])
    assert ax.get_xlim()[1] > 30  # all dots are inside
    assert is_inside(figure)


def test_a_matrix_has_a_number_for_each_contender_and_data_set(page):
    page = page(surveyed(FACTORS, n_datasets=3), simulated=["set0"])
    panels = {"losses": [STE, SOE], "penalties": [BARE], "none": [("absent", "none")]}
    one, two = survey.draw_matrix(page, "choices", panels).axes
    assert labels(one) == ["set1", "set2", "set0", "all"]
    assert (one.get_xlabel(), two.get_xlabel()) == ("losses", "penalties")
    names = [label.get_text() for label in one.get_xticklabels()]
    assert names == ["other loss, STE", "other loss, SOE"]
    table = ranks.relative_errors(page, "choices")
    for y, (text, dataset) in enumerate(zip(two.texts, labels(one), strict=True)):
        expected = only(table, dataset=dataset, method="bare")
        digits = 1 if dataset == "all" else 0  # or an interval without zero would be of a zero
        assert text.get_text() == f"{100 * expected['relative']:+.{digits}f}"
        assert text.get_position() == (0, y)
        assert (text.get_weight() == "bold") == (expected["low"] > 0)


def test_colors_are_of_losses_where_these_differ_and_of_methods_where_not(page):
    page = page(surveyed(FACTORS, n_datasets=2))
    found = [
        [look.color for look in survey._looks(page, "choices", asked).values()]
        for asked in ([BARE, STE, SOE], [BARE, STE])
    ]
    colors = {key: page.colors[key].color for key in ("ste", "soe", "bare", "loss")}
    assert found[0] == ["black", colors["ste"], colors["soe"]]
    assert found[1] == [colors["bare"], colors["loss"]]


def test_thirty_three_data_sets_fit_on_a_page_and_can_be_read(page):
    figure = survey.draw_matrix(
        page(surveyed(FACTORS, n_datasets=33)), "choices", {"a": [STE, SOE], "b": [BARE]}
    )
    assert figure.get_figwidth() <= 8.5 and figure.get_figheight() <= 11
    assert is_inside(figure)
    boxes = [label.get_window_extent() for label in figure.axes[0].get_yticklabels()]
    assert all(one.y0 >= two.y1 for one, two in pairwise(boxes))
    for ax in figure.axes:
        cell = ax.transData.transform([[0, 1], [1, 0]])
        width, height = cell[1] - cell[0]
        boxes = [text.get_window_extent() for text in ax.texts]
        assert all(box.width < width and box.height < height for box in boxes)


# Curves


def swept(dataset, values=(0.4, 0.2, 0.3), trials=5, **columns):
    rows = []
    for contender, factor in ((DEFAULT, 1.0), (BARE, 1.5)):
        for x, value in zip((1.0, 2.0, 5.0), values, strict=True):
            own = [factor * value + 0.001 * trial for trial in range(trials)]
            rows += rows_of(contender, dataset, own, sweep=x, **columns)
    return rows


def test_errors_over_the_dimension_with_the_ceiling_and_what_is_chosen(page):
    rows = swept("a") + swept("b", (0.3, 0.2, 0.1))
    rows += rows_of(CHOSEN, "a", [2.0, 5.0, 2.0, 3.0, 2.0], "n_components")
    rows += rows_of(CHOSEN, "a", [0.2] * 5)
    rows += rows_of(CEILING, "a", [0.11, 0.1, 0.12, 0.1, 0.11])
    figure = survey.draw_dimensions(page(rows, "sweeps", simulated=["a"]), "sweeps")
    assert [ax.get_title() for ax in figure.axes] == ["b", "a"]
    curves = [line for line in figure.axes[1].lines if len(line.get_xdata()) == 3]
    assert curves[0].get_xdata().tolist() == [1.0, 2.0, 5.0]
    assert curves[0].get_ydata() == pytest.approx([0.402, 0.202, 0.302])
    (mark,) = (line for line in figure.axes[1].lines if line.get_marker() == "^")
    assert mark.get_xdata() == [2.0]
    across = [[line for line in ax.lines if len(line.get_xdata()) == 2] for ax in figure.axes]
    across = [[line for line in lines if line.get_color() == GRAY] for lines in across]
    assert [len(lines) for lines in across] == [0, 1]  # one data set has no known ceiling
    assert across[1][0].get_ydata()[0] == 0.11
    words = ["default", "no penalty", "least possible", "dimension chosen"]
    assert words_of(figure.legends[0]) == words
    assert is_inside(figure)


@pytest.mark.parametrize("draw", [survey.draw_dimensions, survey.draw_amounts])
def test_labels_below_panels_overlap_neither_each_other_nor_the_legend(page, draw):
    of = amounts if draw is survey.draw_amounts else swept
    rows = [row for dataset in "abcdefgh" for row in of(dataset, (0.3, 0.2, 0.1))]
    figure = draw(page(rows, "sweeps"), "sweeps")
    assert is_inside(figure)
    below = [ax.xaxis.label for ax in figure.axes if ax.get_xlabel()]
    assert len(below) == 6
    boxes = [label.get_window_extent() for label in below]
    boxes.append(figure.legends[0].get_window_extent())
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def amounts(dataset, values, sizes=(10, 20, 50), trials=5):
    rows = swept(dataset, values, trials)
    for contender in (DEFAULT, BARE):
        for x, n in zip((1.0, 2.0, 5.0), sizes, strict=True):
            rows += rows_of(contender, dataset, [n] * trials, "n_train", sweep=x)
    return rows


def test_amounts_are_counted_in_n_p_log_n(page):
    page = page(amounts("a", (0.4, 0.2, 0.19)) + rows_of(CEILING, "a", [0.1]), "sweeps")
    (ax,) = survey.draw_amounts(page, "sweeps").axes
    curves = [line for line in ax.lines if len(line.get_xdata()) == 3]
    unit = 16 * 2 * 4  # objects, dimensions, log2
    assert curves[0].get_xdata() == pytest.approx([10 / unit, 20 / unit, 50 / unit])
    assert curves[0].get_ydata() == pytest.approx([0.402, 0.202, 0.192])


def test_enough_is_the_least_number_with_an_error_near_that_of_all(page):
    page = page(amounts("a", (0.4, 0.2, 0.19)) + amounts("b", (0.2, 0.1, 0.05)), "sweeps")
    table = survey_tables.enough(page, "sweeps")
    row = only(table, method="default", **{"data set": "a"})
    assert (row["enough"], row["enough, from"], row["enough, to"], row["all"]) == (20, 20, 20, 50)
    assert row["enough / (n p log₂ n)"] == pytest.approx(20 / 128)
    assert only(table, method="default", **{"data set": "b"})["enough"] == 50


def test_how_many_are_enough_is_uncertain_where_trials_differ(page):
    rows = rows_of(DEFAULT, "a", [0.3] * 5, sweep=1.0)
    rows += rows_of(DEFAULT, "a", [0.20, 0.30, 0.20, 0.20, 0.20], sweep=2.0)
    rows += rows_of(DEFAULT, "a", [0.2] * 5, sweep=5.0)
    for x, n in ((1.0, 10), (2.0, 20), (5.0, 50)):
        rows += rows_of(DEFAULT, "a", [n] * 5, "n_train", sweep=x)
    (row,) = survey_tables.enough(page(rows, "sweeps"), "sweeps").to_dict("records")
    assert (row["enough"], row["enough, from"], row["enough, to"]) == (20, 20, 50)


# Solvers


def timed(seconds, errors):
    """Return rows of two solvers: a pair of seconds and a pair of errors for each data set."""
    rows = []
    for number, (times, found) in enumerate(zip(seconds, errors, strict=True)):
        for solver, time, error in zip((LBFGS, SVRG), times, found, strict=True):
            dataset = f"set{number}"
            rows += rows_of(solver, dataset, [error, error])
            rows += rows_of(solver, dataset, [time, time], "seconds")
            rows += rows_of(solver, dataset, [10 * time, 10 * time], "epochs")
    return rows


def test_solvers_are_related_to_the_best_of_each_data_set(page):
    rows = timed([(1, 4), (2, 18), (3, 6)], [(0.2, 0.1), (0.3, 0.3), (0.1, 0.2)])
    page = page(rows, "solvers", n_test=10**12)
    relative, means = survey_tables.compare_solvers(page, "solvers")
    assert relative[relative.method == "svrg"].seconds.tolist() == [4.0, 9.0, 2.0]
    assert relative[relative.method == "svrg"].test_error.tolist() == pytest.approx([1, 1, 2])
    logs = np.log([4.0, 9.0, 2.0])
    reach = stats.t.ppf(0.975, 2) * stats.sem(logs)
    found = means.loc[SVRG, ["seconds", "seconds, from", "seconds, to"]].tolist()
    assert found == pytest.approx(
        np.exp([logs.mean(), max(logs.mean() - reach, 0), logs.mean() + reach])
    )
    table = survey_tables.solvers(page, "solvers")
    assert table.solver.tolist() == ["L-BFGS", "SVRG"]
    assert table.epochs.tolist() == [20.0, 60.0] and table["data sets"].tolist() == [3, 3]
    figure = survey.draw_solvers(page, "solvers")
    (ax,) = figure.axes
    assert len({line.get_color() for line in ax.lines}) == 2  # by solver, not by loss
    small, large = dots(ax)[2:]
    assert small.tolist() == pytest.approx(np.array([[4, 1], [9, 1], [2, 2]]))
    assert large[0, 0] == pytest.approx(np.exp(logs.mean()))
    assert ax.get_xlim()[1] > 9 and ax.get_ylim()[1] > 2
    assert is_inside(figure)


def test_solvers_without_a_miss_are_as_good(page):
    page = page(timed([(1, 2)], [(0.0, 0.0)]), "solvers")
    relative, _ = survey_tables.compare_solvers(page, "solvers")
    assert relative.test_error.tolist() == [1.0, 1.0]
    survey.draw_solvers(page, "solvers").draw_without_rendering()


# Probabilities and stability


def test_reliability_is_the_median_over_data_sets_of_the_mean_over_trials(page):
    rows = surveyed({DEFAULT: 1.0}, n_datasets=3)
    for dataset, shift in (("set0", 0.0), ("set1", 0.1), ("set2", -0.3)):
        for k, p in ((0, 0.5), (9, 0.9)):
            rows += rows_of(DEFAULT, dataset, [p, p + 0.02], "predicted", k=k)
            rows += rows_of(DEFAULT, dataset, [p + shift, p + shift + 0.04], "observed", k=k)
    figure = survey.draw_reliability(page(rows), "choices", [DEFAULT, BARE])
    (ax,) = figure.axes
    diagonal, line = ax.lines
    np.testing.assert_allclose(*diagonal.get_xydata().T)
    np.testing.assert_allclose(line.get_xydata(), [[0.51, 0.52], [0.91, 0.92]])
    corners = ax.collections[0].get_paths()[0].vertices
    at = corners[np.isclose(corners[:, 0], 0.51), 1]
    assert (at.min(), at.max()) == pytest.approx((0.22, 0.62))
    assert words_of(figure.legends[0]) == ["default"]


def test_probabilities_are_compared_by_trial_over_data_sets(page):
    rows = surveyed({DEFAULT: 1.0, BARE: 1.0, SOE: 1.0}, n_datasets=2)
    for dataset, shift in (("set0", 0.1), ("set1", 0.3)):
        rows += rows_of(DEFAULT, dataset, [0.4, 0.6], "log_loss")
        rows += rows_of(BARE, dataset, [0.4 + shift, None], "log_loss")
        rows += rows_of(BARE, dataset, [0.05, 0.07], "calibration_error")
    table = survey_tables.probabilities(page(rows), "choices").set_index("contender")
    assert table.index.tolist() == ["default", "no penalty"]
    row = table.loc["no penalty"]
    assert row["log loss"] == pytest.approx(0.6)
    assert row["log loss, difference"] == pytest.approx(0.2)  # the second trial has no partner
    reach = stats.t.ppf(0.975, 1) * 0.1
    assert row["log loss, difference, to"] == pytest.approx(0.2 + reach)
    assert row["calibration error"] == pytest.approx(0.06)
    assert np.isnan(row["calibration error, difference"])
    assert np.isnan(table.loc["default", "log loss, difference"])


def test_stability_is_the_median_over_data_sets(page):
    rows = surveyed({DEFAULT: 1.0, BARE: 1.0}, n_datasets=3)
    for dataset, value in (("set0", 0.1), ("set1", 0.2), ("set2", 0.6)):
        rows += rows_of(DEFAULT, dataset, [value, value, 0.9], "start_spread")
        rows += rows_of(BARE, dataset, [2 * value] * 2, "resample_spread")
    table = survey_tables.stability(page(rows), "choices").set_index("contender")
    names = ["other starts", "other starts, from", "other starts, to"]
    assert table.loc["default", names].tolist() == pytest.approx([0.2, 0.1, 0.6])
    assert table.loc["no penalty", "other answers"] == pytest.approx(0.4)
    assert np.isnan(table.loc["no penalty", "other starts"])


# Little data


def test_long_names_of_data_sets_are_broken(page):
    page = page(surveyed(FACTORS, n_datasets=2))
    page.study.labels["set0"] = "60 objects in 3 dimensions, of whose answers 10 % are swapped"
    figure = survey.draw_relative(page, "choices", STE)
    assert labels(figure.axes[0])[0].count("\n") == 1


def test_everything_is_drawn_of_two_trials_on_one_data_set(page, tmp_path):
    rows = surveyed(FACTORS, n_datasets=1, n_trials=2)
    for measure in ("log_loss", "calibration_error", "start_spread", "predicted", "observed"):
        rows += rows_of(DEFAULT, "set0", [0.6, 0.6], measure, k=1)
    one = page(rows)
    figures = [survey.draw_ranks(ranks.ranks(one, "choices"))]
    figures.append(survey.draw_relative(one, "choices", STE))
    figures.append(survey.draw_matrix(one, "choices", {"losses": [STE, SOE], "none": []}))
    figures.append(survey.draw_reliability(one, "choices", [DEFAULT]))
    assert len(survey_tables.probabilities(one, "choices")) == 1
    assert len(ranks.check_default(one, "choices")) == 1
    swept_page = make_page(tmp_path, "sweeps", amounts("a", (0.3, 0.2, 0.1), trials=2))
    figures += [
        draw(swept_page, "sweeps") for draw in (survey.draw_dimensions, survey.draw_amounts)
    ]
    assert len(survey_tables.enough(swept_page, "sweeps")) == 2
    solved = make_page(tmp_path, "solvers", timed([(1, 2)], [(0.1, 0.2)]))
    figures.append(survey.draw_solvers(solved, "solvers"))
    assert all(map(is_inside, figures)) and len(figures) == 7
