"""Similarities of feature vectors, learned from triplets, pairs or labels."""
