"""Learning from relative similarity comparisons: "i is closer to j than to k"."""

from relsim.kernels import BatchKernel
from relsim.ordinal import OrdinalEmbedding

__all__ = ["BatchKernel", "OrdinalEmbedding"]
