"""How far two maps of the same objects are apart."""

import numpy as np

from closerthan.scores.embedding import procrustes_distance


def distance_of_maps(one, other):
    """Procrustes distance of two maps, of the objects that both have; NaN where these coincide."""
    placed = np.isfinite(one).all(axis=1) & np.isfinite(other).all(axis=1)
    one, other = one[placed], other[placed]
    if not (one != one[:1]).any():
        return np.nan
    return procrustes_distance(one, other)
