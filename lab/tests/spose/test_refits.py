"""Which dimensions are found again."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from closerthan_lab.spose import SPoSE, largest_correlations, reproducibility
from spose.truth import ODD, QUESTIONS, P, odd_ones_out


def test_correlations_are_those_of_the_best_match():
    x, y = np.random.default_rng(0).normal(size=(2, 30, 4))
    x[3] = np.nan
    rows = np.arange(30) != 3
    expected = np.corrcoef(x[rows].T, y[rows].T)[:4, 4:].max(axis=1)
    np.testing.assert_allclose(largest_correlations(x, y), expected, rtol=1e-12)


def test_a_constant_dimension_and_no_dimension_match_nothing():
    x = np.column_stack([np.ones(5), np.arange(5.0)])
    np.testing.assert_allclose(largest_correlations(x, x), [0, 1])
    np.testing.assert_array_equal(largest_correlations(x, x[:, :0]), [0, 0])
    assert largest_correlations(x[:, :0], x).shape == (0,)


@pytest.fixture(scope="module")
def found():
    model = SPoSE(20, random_state=0).fit(QUESTIONS, ODD)
    return model, reproducibility(model, QUESTIONS, ODD, n_refits=2, random_state=1)


def test_planted_dimensions_are_found_again(found):
    model, again = found
    assert again.correlations.shape == (2, model.embedding_.shape[1])
    assert again.correlations[:, :P].min() > 0.98  # the largest are the planted ones
    table = again.frame()
    assert (table.share_of_refits[:P] == 1).all() and len(table) == model.embedding_.shape[1]
    expected = np.tanh(np.arctanh(again.correlations).mean(axis=0))
    np.testing.assert_allclose(table.reproducibility, expected, rtol=1e-6)
    assert (again.n_dimensions >= P).all() and (again.n_dimensions <= P + 2).all()


def test_dimensions_of_random_answers_are_not_found_again():
    questions, odd = odd_ones_out(np.zeros((40, 1)), 2_000, 0)
    model = SPoSE(20, strength=(0.1, 0.5), random_state=0).fit(questions, odd)
    again = reproducibility(model, questions, odd, n_refits=3, random_state=1)
    assert again.frame().reproducibility.median() < 0.8


def test_a_model_that_is_not_fitted_is_refused():
    with pytest.raises(NotFittedError):
        reproducibility(SPoSE(), QUESTIONS, ODD)


def test_wrong_numbers_of_refits_are_refused(found):
    with pytest.raises(ValueError, match="n_refits=0"):
        reproducibility(found[0], QUESTIONS, ODD, n_refits=0)
