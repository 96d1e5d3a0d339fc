"""The stress of maps, of which only some keep the scale of the dissimilarities."""

from scipy.spatial.distance import pdist, squareform

from closerthan.scores.stress import normalized_stress


def scaled_stress(points, dissimilarities):
    """Return Stress-1 of points after the scaling with the least sum of squared errors.

    Examples
    --------
    >>> import numpy as np
    >>> line = np.array([[0.0], [1.0], [3.0]])
    >>> scaled_stress(10 * line, squareform(pdist(line)))
    0.0
    """
    distances, wanted = pdist(points), squareform(dissimilarities, checks=False)
    scale = distances @ wanted / (distances @ distances)
    return normalized_stress(scale * points, dissimilarities)
