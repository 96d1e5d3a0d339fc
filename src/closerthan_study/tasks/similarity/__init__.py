"""Learned similarities: how alike two vectors of features are, from triplets, pairs or labels."""
