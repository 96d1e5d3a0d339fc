"""Kernels learned from comparisons: a positive semidefinite matrix K instead of points.

With d^2(i, j) = K_ii - 2 K_ij + K_jj, losses of the difference of squared distances are convex in
K. `BatchKernel` minimizes them over all comparisons, the "convex" rows of the papers;
`OnlineKernel` takes one comparison at a time.
"""

from closerthan.kernels.batch import BatchKernel, KernelObjective
from closerthan.kernels.model import embed_kernel
from closerthan.kernels.online import OnlineKernel

__all__ = ["BatchKernel", "KernelObjective", "OnlineKernel", "embed_kernel"]
