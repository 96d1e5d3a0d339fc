"""Measure the distance of two maps of the same objects."""

import numpy as np

from closerthan.scores.procrustes import procrustes_distance


def distance_of_maps(one, other):
    """Return the Procrustes distance of two maps, over the objects in both."""
    placed = np.isfinite(one).all(axis=1) & np.isfinite(other).all(axis=1)
    one, other = one[placed], other[placed]
    if not (one != one[:1]).any():
        return np.nan
    return procrustes_distance(one, other)
