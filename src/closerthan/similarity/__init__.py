"""Learned similarities of feature vectors: bilinear ones and Mahalanobis metrics.

`OASIS` and `SDCA` learn x'My from triplets (i, j, k) of rows of X: x_i' M x_j > x_i' M x_k. `RCA`,
`LMNN`, `ITML` and `LEGO` learn a positive semidefinite matrix M = L'L for
d^2(x, y) = (x - y)' M (x - y), the first two from labels, the others from pairs. Their
`components_` are L, so Euclidean methods can use ``transform(X)``.
"""

from closerthan.similarity.itml import ITML
from closerthan.similarity.lego import LEGO
from closerthan.similarity.lmnn import LMNN
from closerthan.similarity.mahalanobis import MahalanobisMetric
from closerthan.similarity.oasis import OASIS
from closerthan.similarity.pairs import distance_bounds, pairs_from_labels, pairs_from_triplets
from closerthan.similarity.rca import RCA
from closerthan.similarity.sdca import SDCA

__all__ = [
    "ITML",
    "LEGO",
    "LMNN",
    "OASIS",
    "RCA",
    "SDCA",
    "MahalanobisMetric",
    "distance_bounds",
    "pairs_from_labels",
    "pairs_from_triplets",
]
