"""Learning from relative similarity comparisons: "i is closer to j than to k"."""

from relsim.kernels import BatchKernel, OnlineKernel
from relsim.ordinal import OrdinalEmbedding

__all__ = ["BatchKernel", "OnlineKernel", "OrdinalEmbedding"]
