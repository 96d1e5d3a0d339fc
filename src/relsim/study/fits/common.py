"""What the kinds of fits share: losses, errors of kernels, turns to compile, tables written."""

import fcntl
import os
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def one_at_a_time():
    """Keep other jobs of a node waiting while one compiles, where numba's cache is the node's own.

    Two jobs that add to the same cache at once can leave one with the code of the other. On a
    single machine the rule `compile` comes first; on a cluster each node needs a first job.
    """
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder:
        yield
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    with open(Path(folder, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
