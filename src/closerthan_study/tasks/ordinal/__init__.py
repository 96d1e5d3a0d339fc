"""Ordinal embedding: points learned from comparisons, epoch by epoch."""
