"""SPoSE: its gradient, its steps, what it finds and what it refuses."""

import numpy as np
import pytest
from scipy.optimize import check_grad

from closerthan._core.threads import Team
from closerthan._core.vectors import pad
from closerthan.comparisons import Answers, from_most_central, from_odd_one_out
from closerthan.optimize.trace import Trace
from closerthan_lab.spose import SPoSE, largest_correlations
from closerthan_lab.spose.descent import Descent
from closerthan_lab.spose.passes import fill_gradient, fill_probabilities, step_of_adam
from closerthan_lab.spose.spose import STRENGTHS
from spose.truth import ODD, QUESTIONS, TRUTH, N, P, odd_ones_out, softmax_of


@pytest.fixture(scope="module")
def fitted():
    return SPoSE(20, random_state=0).fit(QUESTIONS, ODD)


WEIGHED = Answers(
    [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1]], screen=[0, 0, 1, 1], weight=[1.0, 2.0]
)


def test_probabilities_are_the_softmax_of_three_inner_products():
    points = np.random.default_rng(0).uniform(0, 2, (9, 6))
    questions = np.random.default_rng(1).permuted(np.tile(np.arange(9), (50, 1)), axis=1)[:, :3]
    found = np.empty((50, 3))
    fill_probabilities(pad(points), questions.astype(np.uint32), found)
    np.testing.assert_allclose(found, softmax_of(points, questions), rtol=1e-13)


def test_large_inner_products_do_not_overflow():
    found = np.empty((1, 3))
    fill_probabilities(pad(np.full((3, 1), 1e3)), np.uint32([[0, 1, 2]]), found)
    np.testing.assert_allclose(found, 1 / 3)


def test_the_gradient_is_the_derivative_of_the_log_loss():
    rng = np.random.default_rng(0)
    triples = rng.permuted(np.tile(np.arange(7), (30, 1)), axis=1)[:, :3].astype(np.uint32)

    def loss(flat):
        return -np.log(softmax_of(flat.reshape(7, 4), triples)[4:29, 2]).sum()

    def gradient(flat):
        out = np.full((7, 4), np.nan)
        value = fill_gradient(flat.reshape(7, 4).copy(), triples, 4, 29, out)
        assert value == pytest.approx(loss(flat))
        return out.ravel()

    assert check_grad(loss, gradient, rng.uniform(0, 1.5, 28)) < 1e-5


def test_steps_are_those_of_adam_and_end_at_zero():
    rng = np.random.default_rng(0)
    points, mean, square = rng.uniform(0, 0.05, (3, 12))
    ours = [array.copy() for array in (points, mean, square)]
    for number in range(1, 6):
        gradients = rng.normal(size=(2, 12))
        step_of_adam(ours[0], gradients, *ours[1:], 0, 12, 0.5, 0.2, 0.3, 0.01, number)
        whole = 0.5 * gradients.sum(axis=0) + 0.2 + 0.3 * points
        mean = 0.9 * mean + 0.1 * whole
        square = 0.999 * square + 0.001 * whole**2
        fair = mean / (1 - 0.9**number), square / (1 - 0.999**number)
        points = np.maximum(points - 0.01 * fair[0] / (np.sqrt(fair[1]) + 1e-8), 0.0)
    np.testing.assert_allclose(ours, (points, mean, square), rtol=1e-12)
    assert (points == 0.0).any()


def test_planted_dimensions_are_found_and_no_others(fitted):
    assert P <= fitted.embedding_.shape[1] <= P + 2 and fitted.embedding_.min() >= 0
    assert largest_correlations(TRUTH, fitted.embedding_).min() > 0.95
    sums = fitted.embedding_.sum(axis=0)
    assert (np.diff(sums) <= 0).all()
    test, odd = odd_ones_out(TRUTH, 20_000, 2)
    best = softmax_of(TRUTH, test).argmax(axis=1) == (test == odd[:, None]).argmax(axis=1)
    assert fitted.score(test, odd) > best.mean() - 0.005


def test_predictions_follow_the_order_of_the_row(fitted):
    rows = QUESTIONS[:100]
    probability = fitted.predict_proba(rows)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)
    turned = fitted.predict_proba(rows[:, [2, 0, 1]])
    np.testing.assert_allclose(turned, probability[:, [2, 0, 1]], rtol=1e-12)
    most = rows[np.arange(100), probability.argmax(axis=1)]
    np.testing.assert_array_equal(fitted.predict(rows), most)
    assert fitted.score(rows, most) == 1.0


def test_any_number_of_threads_gives_the_same_bytes():
    models = [SPoSE(20, n_jobs=n_jobs, max_iter=3, random_state=0) for n_jobs in (1, 2, 3)]
    fits = [model.fit(QUESTIONS, ODD) for model in models]
    assert len({fit.embedding_.tobytes() for fit in fits}) == 1
    assert len({fit.path_.to_csv() for fit in fits}) == 1


def test_answers_rows_and_rows_with_the_odd_one_last_are_the_same():
    answers = from_odd_one_out(QUESTIONS[:500], ODD[:500])
    first, second = answers.comparisons[::2].T[:2]
    last = np.column_stack([first, second, ODD[:500]])
    model = SPoSE(5, max_iter=3, random_state=0)
    given = [(answers,), (QUESTIONS[:500], ODD[:500]), (last,)]
    found = [model.fit(*data).embedding_.tobytes() for data in given]
    assert found[0] == found[1] == found[2]
    assert model.score(answers) == model.score(last) == model.score(QUESTIONS[:500], ODD[:500])


def test_few_answers_get_a_ridge_and_many_get_sparsity(fitted):
    tried = np.outer([0, 0.12, 0.24, 0.48, 0.96, 1.92], 1000**0.5)[:, 0]
    np.testing.assert_allclose(fitted.path_.sparsity, tried[: len(fitted.path_)])
    assert fitted.strength_[0] >= tried[3] and fitted.path_.accuracy.min() > 0.6
    few = SPoSE(20, random_state=0).fit(QUESTIONS[:600], ODD[:600])
    assert few.strength_[0] < 0.5 * 15**0.5 and len(few.path_) < len(STRENGTHS)
    fewest = SPoSE(20, random_state=0).fit(QUESTIONS[:60], ODD[:60])
    per_object = 60 / len(np.unique(QUESTIONS[:60]))
    assert fewest.strength_ == pytest.approx((0.0, 1.3 * per_object**0.5)) and fewest.path_ is None


def test_an_object_without_answers_has_no_place():
    with pytest.warns(UserWarning, match="2 of 42 objects occur in no comparison.*40, 41"):
        model = SPoSE(5, n_objects=42, max_iter=2, random_state=0).fit(QUESTIONS, ODD)
    assert np.isnan(model.embedding_[40:]).all() and np.isfinite(model.embedding_[:40]).all()
    np.testing.assert_array_equal(model.predict_proba([[0, 1, 41]]), [[1 / 3] * 3])
    assert model.score([[0, 1, 41]]) == 0.0


def test_the_history_has_a_row_for_each_pass_and_a_callback_ends_the_fit():
    seen = []

    def second(points, row):
        seen.append((points, row["loss"]))
        return len(seen) == 2

    with pytest.warns(UserWarning, match="1 of 41 objects"):
        model = SPoSE(5, n_objects=N + 1, callback=second, random_state=0).fit(QUESTIONS, ODD)
    assert model.n_iter_ == 2 and seen[0][0].shape == (N + 1, 5)
    assert np.isnan(seen[0][0][N]).all() and (seen[0][0][:N] != seen[1][0][:N]).any()
    assert [*model.history_.loss] == [loss for _, loss in seen]
    assert [*model.history_.evaluations] == [40_000, 80_000]
    assert seen[1][1] < seen[0][1] < np.log(3)


def test_if_nothing_is_left_a_warning_says_so():
    with pytest.warns(UserWarning, match="no dimension is left") as caught:
        model = SPoSE(5, strength=(1e6, 0.0), random_state=0).fit(QUESTIONS, ODD)
    assert caught[0].filename == __file__  # the user's line
    assert model.embedding_.shape == (N, 0)
    np.testing.assert_allclose(model.predict_proba(QUESTIONS[:3]), 1 / 3)


@pytest.mark.parametrize(("n", "n_objects"), [(18, 6), (199, 50), (3000, 1000), (7300, 1854)])
def test_every_pass_uses_every_answer(n, n_objects, monkeypatch):
    used = np.zeros(n, dtype=int)

    def note(X, triples, first, last, out):
        used[first:last] += 1
        return float(last - first)

    monkeypatch.setattr("closerthan_lab.spose.descent.fill_gradient", note)
    triples = np.tile(np.uint32([0, 1, 2]), (n, 1))
    descent = Descent(triples, np.ones((n_objects, 2)), (0.0, 0.0), 3, Team(1))
    trace = Trace(descent, 3, 0.0)
    descent.run(trace, np.random.default_rng(0))
    assert (used == 3).all() and trace.rows[-1]["evaluations"] == 3 * n


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (([[0, 1, 2], [3, 4, 5]], [2, 6]), r"y, row 1: 6 is not one of \(3, 4, 5\)"),
        (([[0, 1, 2], [3, 4, 3]],), r"X, row 1: \(3, 4, 3\) names object 3 twice"),
        (([[0, 1, 2], [0, 1, 3]],), "X: 2 answers about 4 objects; give at least as many answers"),
        (([[0, 1, 2, 3]],), r"X: shape \(1, 4\); expected \(n, 3\)"),
        (([[0, 1, 2]], [2, 2]), "y: shape"),
        ((WEIGHED,), "X, screen 1: the weight is 2.0, and that of screen 0 is 1.0"),
        ((from_odd_one_out([[0, 1, 2]], [2]), [2]), "y: X are Answers"),
        ((from_most_central([[0, 1, 2]], [2]),), "do not come from an odd one out"),
    ],
)
def test_wrong_answers_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        SPoSE(2).fit(*data)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        *[("strength", value) for value in ("both", 0.5, (1.0,), (1.0, -1.0), (np.nan, 0.0))],
        *[(name, value) for name in ("n_components", "max_iter") for value in (0, 1.5)],
        ("n_jobs", 0),
    ],
)
def test_wrong_parameters_are_refused(parameter, value):
    with pytest.raises(ValueError, match=f"{parameter}="):
        SPoSE(**{"n_components": 5, parameter: value}).fit(QUESTIONS, ODD)
