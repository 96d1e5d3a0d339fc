"""Multidimensional scaling and its kin: points from dissimilarities, or from features."""
