"""Points of objects from comparisons: `OrdinalEmbedding`."""

from closerthan.ordinal.embedding import OrdinalEmbedding

__all__ = ["OrdinalEmbedding"]
