"""Losses of comparisons as study files name them, and the error of kernels that minimize one."""

import numpy as np

from closerthan.losses import find_loss


def make_loss(entry, n_components=2):
    """Build a loss from its entry in a study file: a class and its parameters."""
    loss = find_loss(entry.cls)(**entry.parameters)
    if loss.get_params().get("alpha", 1.0) is None:
        # Points and kernels shall minimize the same t-STE, but a kernel has no dimension.
        loss.set_params(alpha=loss.parameter(n_components))
    return loss


def kernel_error(kernel, comparisons):
    """Fraction of triplets that a kernel does not satisfy; ties count as errors."""
    i, j, k = comparisons.T
    diagonal = np.diag(kernel)
    near = diagonal[j] - 2 * kernel[i, j]
    far = diagonal[k] - 2 * kernel[i, k]
    return float(np.mean(~(near < far)))  # also where one is NaN
