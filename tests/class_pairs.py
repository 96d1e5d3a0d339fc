"""Make pairs of the points of three classes, for the tests of the baselines."""

import numpy as np

from class_points import X, Y
from closerthan_study.baselines import distance_bounds, pairs_from_labels

PAIRS, SIDES = pairs_from_labels(Y, 150, random_state=0)
BOUNDS = distance_bounds(X)
TARGETS = np.where(SIDES == 1, *BOUNDS)
