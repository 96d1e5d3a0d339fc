"""Kernels learned from comparisons: a positive semidefinite matrix K instead of points.

The squared distances are d^2(i, j) = K_ii - 2 K_ij + K_jj, so losses of their difference are convex
in K. `BatchKernel` minimizes the loss over all comparisons (the "convex" rows of the papers).
`OnlineKernel` learns from one comparison at a time.
"""

from closerthan.kernels.batch import BatchKernel, KernelObjective
from closerthan.kernels.kernel_model import embed_kernel
from closerthan.kernels.online import OnlineKernel

__all__ = ["BatchKernel", "KernelObjective", "OnlineKernel", "embed_kernel"]
