"""Multidimensional scaling: points whose distances come close to given dissimilarities.

`PatternSearchMDS` and `SMACOF` minimize the stress, `classical_mds` the strain;
`geodesic_distances` gives the distances along a manifold, and `LandmarkMDS` embeds more points
than a matrix of all pairs could hold.
"""

from .classical import classical_mds
from .geodesic import geodesic_distances
from .landmarks import LandmarkMDS
from .pattern_search import PatternSearchMDS
from .smacof import SMACOF

__all__ = ["SMACOF", "LandmarkMDS", "PatternSearchMDS", "classical_mds", "geodesic_distances"]
