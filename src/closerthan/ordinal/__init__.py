"""Maps of objects from comparisons: OrdinalEmbedding, by any loss and any solver."""

from closerthan.ordinal.model import OrdinalEmbedding

__all__ = ["OrdinalEmbedding"]
