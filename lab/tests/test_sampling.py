"""Check drawn odd ones out: probabilities by hand, and refusals."""

import numpy as np
import pytest
from scipy.stats import chisquare

from closerthan_lab.sampling import sample_odd_ones


def test_odd_ones_have_the_probabilities_of_the_softmax():
    dimensions = np.array([[1.0, 0.2], [0.5, 1.0], [0.1, 1.5]])
    similar = dimensions @ dimensions.T
    odds = np.exp([similar[1, 2], similar[0, 2], similar[0, 1]])
    triples = sample_odd_ones(dimensions, 20_000, random_state=0)
    counts = np.bincount(triples[:, 2], minlength=3)
    assert chisquare(counts, 20_000 * odds / odds.sum()).pvalue > 0.01
    assert (np.sort(triples, axis=1) == [0, 1, 2]).all()


def test_every_three_objects_are_as_likely_to_be_shown():
    triples = np.sort(sample_odd_ones(np.zeros((5, 1)), 20_000, random_state=0), axis=1)
    _, counts = np.unique(triples, axis=0, return_counts=True)
    assert len(counts) == 10 and chisquare(counts).pvalue > 0.01


@pytest.mark.parametrize(
    ("dimensions", "n", "message"),
    [
        ([[1.0], [np.nan], [0.0]], 5, r"dimensions, row 1, column 0: nan is not allowed"),
        ([[1.0], [2.0]], 5, "dimensions: 2 objects; at least 3 are needed"),
        ([[1.0], [2.0], [3.0]], 0, "n_answers=0"),
    ],
)
def test_odd_ones_of_bad_dimensions_are_refused(dimensions, n, message):
    with pytest.raises(ValueError, match=message):
        sample_odd_ones(dimensions, n)
