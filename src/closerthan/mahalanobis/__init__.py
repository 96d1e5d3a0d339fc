"""Learned Mahalanobis metrics: RCA, LMNN, ITML and LEGO.

Each method learns a positive semidefinite matrix M = L'L for d^2(x, y) = (x - y)' M (x - y). Its
`components_` are L, so Euclidean methods can use ``transform(X)``. RCA and LMNN learn from labels,
ITML and LEGO from pairs.
"""

from closerthan.mahalanobis.base import MahalanobisMetric
from closerthan.mahalanobis.itml import ITML
from closerthan.mahalanobis.lego import LEGO
from closerthan.mahalanobis.lmnn import LMNN
from closerthan.mahalanobis.pairs import distance_bounds, pairs_from_labels, pairs_from_triplets
from closerthan.mahalanobis.rca import RCA

__all__ = [
    "ITML",
    "LEGO",
    "LMNN",
    "RCA",
    "MahalanobisMetric",
    "distance_bounds",
    "pairs_from_labels",
    "pairs_from_triplets",
]
