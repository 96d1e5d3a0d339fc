"""The base class of the kernel models, and the embedding of a kernel."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from closerthan._core.threads import one_blas_thread
from closerthan._core.ties import tie_of_kernel
from closerthan._core.validation import check_count, check_points
from closerthan.comparison_model import ComparisonModel
from closerthan.comparisons.check import count_objects

_MOST = 30_000  # objects, whose kernel takes 6.7 GiB


class KernelModel(ComparisonModel):
    """A model of comparisons whose distances come from a kernel, `kernel_`."""

    def embedding(self, n_components: int = 2) -> np.ndarray:
        """Return centered points whose inner products approximate the centered kernel.

        They have the shape (n_objects, n_components). The columns are the principal axes, largest
        first.
        """
        check_is_fitted(self)
        check_count("n_components", n_components, self._n_fitted(), "the number of objects")
        with one_blas_thread(self._n_fitted()):
            return embed_kernel(self.kernel_, n_components)

    def _count(self, comparisons, first=0):
        """Return how many objects there are from id `first` on; refuse kernels of vast size."""
        check_count("n_objects", self.n_objects, _MOST, "the most for a kernel", optional=True)
        return count_objects(comparisons, self.n_objects, first, _MOST)

    def _tie(self):
        return tie_of_kernel(self.kernel_)

    def _loss_components(self):
        return 2  # a kernel has none; only t-STE without `alpha` asks, and takes 1


def embed_kernel(kernel: np.ndarray, n_components: int) -> np.ndarray:
    """Return points whose inner products approximate a centered kernel (classical scaling).

    `kernel`, of shape (n, n), is symmetric; the function centers it. The points have the shape
    (n, n_components). The columns are the principal axes, largest first.

    Examples
    --------
    >>> points = np.array([[-1.0], [0.0], [1.0]])
    >>> np.abs(embed_kernel(points @ points.T, 1)).round(6).ravel()
    array([1., 0., 1.])
    """
    kernel = check_points(kernel, "kernel")
    means = kernel.mean(axis=0)
    centered = kernel - means - means[:, None] + means.mean()
    values, vectors = np.linalg.eigh(centered)
    leading = slice(None, -n_components - 1, -1)
    return vectors[:, leading] * np.sqrt(np.maximum(values[leading], 0.0))
