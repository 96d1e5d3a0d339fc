"""Multidimensional scaling and related methods: points from dissimilarities or features."""
