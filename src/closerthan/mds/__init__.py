"""Multidimensional scaling: find points whose distances match given dissimilarities.

`PatternSearchMDS` and `SMACOF` minimize the stress; `classical_mds` minimizes the strain.
`geodesic_distances` returns distances along a manifold. `LandmarkMDS` embeds more points than a
matrix of all pairs can hold.
"""

from .classical import classical_mds
from .geodesic import geodesic_distances
from .landmarks import LandmarkMDS
from .pattern_search import PatternSearchMDS
from .smacof import SMACOF

__all__ = ["SMACOF", "LandmarkMDS", "PatternSearchMDS", "classical_mds", "geodesic_distances"]
