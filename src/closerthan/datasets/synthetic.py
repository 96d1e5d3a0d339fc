"""Generate points for experiments with a known truth."""

import numpy as np

from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_number
from closerthan.datasets.dataset import Dataset, describe


def make_gaussian(
    n_objects: int = 100,
    n_components: int = 10,
    variance: float = 1 / 20,
    random_state: Seed = None,
) -> Dataset:
    """Draw points independently from the normal distribution N(0, variance * I).

    The defaults come from the SVRG-SBB paper: 100 points in p = 10 dimensions with covariance
    I / (2p) = I / 20.

    The data set has ``points``, shape (n_objects, n_components).

    Parameters
    ----------
    n_objects : int, default 100
    n_components : int, default 10
    variance : float, default 0.05
        The variance of each coordinate. A ValueError is raised if it is not positive.
    random_state : None, int, SeedSequence or Generator, optional
        Passed to `numpy.random.default_rng`.

    References
    ----------
    K. Ma et al., Fast stochastic ordinal embedding with variance reduction and adaptive step size,
    IEEE TKDE, 2019, section 5.1. The covariance is taken from the released code.

    Examples
    --------
    >>> from closerthan.datasets import make_gaussian
    >>> make_gaussian(random_state=0).points.shape
    (100, 10)
    """
    check_count("n_objects", n_objects)
    check_count("n_components", n_components)
    check_number("variance", variance, positive=True)
    rng = np.random.default_rng(random_state)
    points = rng.normal(scale=np.sqrt(variance), size=(n_objects, n_components))
    return describe("synthetic", int(n_objects), points=points)
