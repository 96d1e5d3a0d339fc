"""What the kinds of fits share: losses from a study file, errors of kernels, tables written."""

import numpy as np

import relsim.losses
from relsim.study.files import replacing


def make_loss(settings, n_components=2):
    """Build a loss from its entry in a study file: a class name and its parameters."""
    parameters = {key: value for key, value in settings.items() if key != "class"}
    loss = getattr(relsim.losses, settings["class"])(**parameters)
    if loss.get_params().get("alpha", 1.0) is None:
        # Points and kernels shall minimize the same t-STE, but a kernel has no dimension.
        loss.set_params(alpha=loss._parameter(n_components))
    return loss


def kernel_error(kernel, comparisons):
    """Fraction of triplets that a kernel does not satisfy; ties count as errors."""
    i, j, k = comparisons.T
    diagonal = np.diag(kernel)
    near = diagonal[j] - 2 * kernel[i, j]
    far = diagonal[k] - 2 * kernel[i, k]
    return float(np.mean(~(near < far)))  # also where one is NaN


def write_tables(outputs, *tables):
    """Write tables to Parquet files, each whole or not at all."""
    for path, table in zip(outputs, tables, strict=True):
        with replacing(path) as temporary:
            table.to_parquet(temporary, index=False)
