"""Points or a scale of objects from comparisons: `OrdinalEmbedding`, `DifferenceScale`."""

from closerthan.ordinal.difference_scale import DifferenceScale
from closerthan.ordinal.embedding import OrdinalEmbedding

__all__ = ["DifferenceScale", "OrdinalEmbedding"]
