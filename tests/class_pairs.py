"""Make pairs of the points of three classes, for the tests of the baselines."""

import numpy as np

from class_points import X, Y
from closerthan.comparisons import sample_from_labels
from closerthan_study.baselines import distance_bounds, pairs_from_triplets

PAIRS, SIDES = pairs_from_triplets(sample_from_labels(Y, 75, replace=True, random_state=0))
BOUNDS = distance_bounds(X)
TARGETS = np.where(SIDES == 1, *BOUNDS)


def matrix_of(model):
    """Return M = L'L, the matrix of the squared metric."""
    return model.components_.T @ model.components_
