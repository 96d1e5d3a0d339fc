"""Check scores of probabilities against closed forms, scikit-learn and simulated answers."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss
from sklearn.metrics import log_loss as log_loss_of_sklearn

from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers
from closerthan.scores import (
    brier_score,
    expected_calibration_error,
    log_loss,
    reliability_curve,
)

SCORES = [log_loss, brier_score, reliability_curve, expected_calibration_error]


def questions(n):
    return np.tile([0, 1, 2], (n, 1))


def drawn(n, seed=0):
    """Return a calibrated model's probabilities of the given answers."""
    rng = np.random.default_rng(seed)
    probability = rng.random(n)
    return np.where(rng.random(n) < probability, probability, 1 - probability)


def oriented(probability, seed=1):
    """Return the probability of a random answer of the two, and whether it was given."""
    first = np.random.default_rng(seed).random(len(probability)) < 0.5
    return np.where(first, probability, 1 - probability), first


def test_coin_tosses_in_closed_form():
    half = np.full(7, 0.5)
    assert log_loss(half, questions(7)) == pytest.approx(np.log(2))
    assert brier_score(half, questions(7)) == 0.25
    assert reliability_curve(half, questions(7)).to_numpy().tolist() == [[0.5, 0.5, 7]]
    assert expected_calibration_error(half, questions(7)) == 0


def test_sure_answers():
    assert log_loss([1.0, 1.0], questions(2)) == brier_score([1.0, 1.0], questions(2)) == 0
    assert log_loss([1.0, 0.0], questions(2)) == np.inf
    assert log_loss([1.0, 0.0], questions(2), sample_weight=[1, 0]) == 0
    assert brier_score([1.0, 0.0], questions(2)) == 0.5
    assert reliability_curve([1.0, 0.0], questions(2)).to_numpy().tolist() == [[1, 0.5, 2]]


def test_they_are_those_of_scikit_learn():
    probability, weights = drawn(500), np.random.default_rng(2).exponential(size=500)
    first, given = oriented(probability)
    options = {"sample_weight": weights}
    expected = log_loss_of_sklearn(given, first, **options)
    assert log_loss(probability, questions(500), **options) == pytest.approx(expected)
    expected = brier_score_loss(given, first, **options)
    assert brier_score(probability, questions(500), **options) == pytest.approx(expected)
    # Folded: the likelier answer's probability, in bins over the upper half.
    curve = reliability_curve(probability, questions(500), n_bins=5)
    expected = calibration_curve(
        probability > 0.5, np.maximum(probability, 1 - probability), n_bins=10
    )
    np.testing.assert_allclose(curve[["prob_true", "prob_pred"]].to_numpy().T, expected)
    assert curve["weight"].sum() == 500
    gaps = (curve["prob_true"] - curve["prob_pred"]).abs()
    expected = pytest.approx(np.average(gaps, weights=curve["weight"]))
    assert expected_calibration_error(probability, questions(500), n_bins=5) == expected


@pytest.mark.parametrize("score", SCORES)
def test_weights_are_how_often_an_answer_is_given(score):
    probability, times = drawn(300), np.random.default_rng(3).integers(0, 4, size=300)
    repeated = score(np.repeat(probability, times), questions(times.sum()))
    own = score(probability, Answers(questions(300), weight=times))
    given = score(probability, questions(300), sample_weight=times)
    np.testing.assert_allclose(own, repeated)
    np.testing.assert_allclose(given, own)


@pytest.mark.parametrize("score", [reliability_curve, expected_calibration_error])
def test_reliability_does_not_depend_on_which_answer_is_the_comparison(score):
    """Turn half of the answers, with the probabilities that the model gives the turned ones."""
    probability = drawn(400)
    first, given = oriented(probability)
    right_first = np.where(given, first, 1 - first)
    np.testing.assert_allclose(
        score(probability, questions(400)), score(right_first, questions(400))
    )


@pytest.mark.parametrize("score", SCORES)
def test_what_predict_proba_returns_is_taken(score):
    triplets = np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0], [3, 2, 1]])
    model = OrdinalEmbedding(1, random_state=0).fit(triplets)
    both = model.predict_proba(triplets)
    np.testing.assert_array_equal(score(both, triplets), score(both[:, 1], triplets))


@pytest.mark.parametrize(
    ("probability", "options", "message"),
    [
        ([0.5], {}, r"probability has shape \(1,\); it must be \(2,\) or \(2, 2\)"),
        (np.ones((2, 3)), {}, r"shape \(2, 3\)"),
        ([0.5, 1.5], {}, r"probability, row 1: 1\.5; it must be from 0 to 1"),
        ([[0.9, 0.1], [1.1, -0.1]], {}, r"probability, row 1: -0\.1"),
        ([0.5, 0.5], {"sample_weight": [1, -1]}, r"sample_weight, row 1: -1\.0"),
    ],
)
@pytest.mark.parametrize("score", SCORES)
def test_bad_input_is_refused(score, probability, options, message):
    with pytest.raises(ValueError, match=message):
        score(probability, questions(2), **options)


def test_bins_are_whole_numbers():
    with pytest.raises(ValueError, match=r"n_bins=0; it must be a whole number from 1"):
        reliability_curve([0.5], questions(1), n_bins=0)
