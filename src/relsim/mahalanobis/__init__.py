"""Learned Mahalanobis metrics: RCA, LMNN, ITML and LEGO.

Each learns a positive semidefinite matrix M = L'L for d^2(x, y) = (x - y)' M (x - y), and hands out
L as `components_`, so that Euclidean methods work on ``transform(X)``. RCA and LMNN learn from
labels, ITML and LEGO from pairs.
"""

from relsim.mahalanobis.base import MahalanobisMetric
from relsim.mahalanobis.itml import ITML
from relsim.mahalanobis.lego import LEGO
from relsim.mahalanobis.lmnn import LMNN
from relsim.mahalanobis.pairs import distance_bounds, pairs_from_labels, pairs_from_triplets
from relsim.mahalanobis.rca import RCA

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
