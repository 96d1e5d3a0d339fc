"""Multidimensional scaling: find points whose distances match given dissimilarities."""

from .classical import classical_mds
from .geodesic import geodesic_distances
from .pattern_search import PatternSearchMDS
from .smacof import SMACOF

__all__ = ["SMACOF", "PatternSearchMDS", "classical_mds", "geodesic_distances"]
