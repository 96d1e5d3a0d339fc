"""Learned Mahalanobis metrics, which papers compare with: `RCA`, `LMNN`, `ITML` and `LEGO`.

They learn a positive semidefinite matrix M = L'L for d^2(x, y) = (x - y)' M (x - y), the first two
from labels, the others from pairs. Their `components_` are L, so Euclidean methods can use
``transform(X)``. The modules `fixed_directions` and `descent` have other solvers to compare with.
"""

from closerthan_study.baselines.itml import ITML
from closerthan_study.baselines.lego import LEGO
from closerthan_study.baselines.lmnn import LMNN
from closerthan_study.baselines.mahalanobis import MahalanobisMetric
from closerthan_study.baselines.pairs import distance_bounds, pairs_from_triplets
from closerthan_study.baselines.rca import RCA

__all__ = [
    "ITML",
    "LEGO",
    "LMNN",
    "RCA",
    "MahalanobisMetric",
    "distance_bounds",
    "pairs_from_triplets",
]
