"""Ordinal embedding of objects from comparisons: `OrdinalEmbedding`."""

from closerthan.ordinal.model import OrdinalEmbedding

__all__ = ["OrdinalEmbedding"]
