"""Learned similarities of feature vectors: bilinear ones and Mahalanobis metrics.

`OASIS` and `SDCA` learn x'My from triplets (i, j, k) of rows of X, one by one. A triplet says "x_i
is more similar to x_j than to x_k", that is, x_i' M x_j > x_i' M x_k. `OASIS` takes
passive-aggressive steps on the hinge. `SDCA` minimizes the squared hinge with a penalty on M, by
stochastic dual coordinate ascent. Its duality gap tells how far it is from the optimum.

`RCA`, `LMNN`, `ITML` and `LEGO` learn a positive semidefinite matrix M = L'L for
d^2(x, y) = (x - y)' M (x - y). Their `components_` are L, so Euclidean methods can use
``transform(X)``. RCA and LMNN learn from labels, ITML and LEGO from pairs.

>>> from closerthan.similarity import SDCA
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(60, 3))
>>> X[:30, 0] += 3.0  # two groups, which the first feature tells apart
>>> i, j = rng.integers(30, size=(2, 500))
>>> triplets = np.column_stack([i, j, rng.integers(30, 60, size=500)])[i != j]
>>> model = SDCA(n_epochs=20, random_state=0).fit(X, triplets)
>>> bool(model.score(X, triplets) > 0.95)
True
>>> model.rank(X[:1], X).shape
(1, 60)
"""

import numpy as np  # noqa: F401  (for the example)

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
