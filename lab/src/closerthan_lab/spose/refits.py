"""Test which dimensions other random starts find again."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from closerthan._core.threads import one_blas_thread
from closerthan._core.typing import Seed
from closerthan._core.validation import check_count
from closerthan_lab.fit_many import fit_many
from closerthan_lab.spose.spose import SPoSE

FOUND = 0.8  # a dimension counts as found again if its correlation is above this


@dataclass(frozen=True, eq=False)
class Reproducibility:
    """The result of `reproducibility`: how well refits find the dimensions of a model again.

    Attributes
    ----------
    correlations : ndarray of shape (n_refits, n_dimensions)
        The largest correlation of each dimension with a dimension of each refit.
    n_dimensions : ndarray of shape (n_refits,), int
        The number of dimensions of each refit.
    """

    correlations: np.ndarray
    n_dimensions: np.ndarray

    def frame(self) -> pd.DataFrame:
        """Return a table with a row for each dimension.

        `reproducibility` is the mean correlation over the refits, by Fisher's z. `share_of_refits`
        is the share of the refits in which the correlation is above 0.8.
        """
        z = np.arctanh(np.clip(self.correlations, -0.999999, 0.999999))
        return pd.DataFrame(
            {
                "reproducibility": np.tanh(z.mean(axis=0)),
                "share_of_refits": (self.correlations > FOUND).mean(axis=0),
            }
        )


def reproducibility(
    estimator: SPoSE,
    X: ArrayLike,
    y: ArrayLike | None = None,
    *,
    n_refits: int = 20,
    n_jobs: int | None = None,
    random_state: Seed = None,
    progress: bool = False,
) -> Reproducibility:
    """Fit the same answers from other random starts, and compare the dimensions.

    Each dimension is compared with the dimension of a refit that correlates most with it, as in
    Hebart et al. (2020). All refits use the same answers and the strength of the given fit, so they
    do not tell whether other people would give the same dimensions.

    Parameters
    ----------
    estimator : SPoSE
        A fitted model. Its dimensions are those to be found again.
    X, y
        The answers that it was fitted to; see `SPoSE.fit`.
    n_refits : int, default 20
        Number of refits.
    n_jobs, random_state
        See :doc:`the glossary </glossary>`.
    progress : bool, default False
        Whether to show a progress bar on stderr.

    Examples
    --------
    >>> from itertools import combinations
    >>> triples = [t for t in combinations(range(6), 3) if len({o < 3 for o in t}) == 2]
    >>> odd = [next(o for o in t if sum((o < 3) == (p < 3) for p in t) == 1) for t in triples]
    >>> model = SPoSE(4, strength=(0.5, 0.0), random_state=0).fit(triples, odd)
    >>> reproducibility(model, triples, odd, n_refits=3, random_state=1).frame().round(1)
       reproducibility  share_of_refits
    0              1.0              1.0
    1              1.0              1.0
    """
    check_count("n_refits", n_refits)
    check_is_fitted(estimator)
    seeds = np.random.default_rng(random_state).spawn(n_refits)
    same = {
        "strength": estimator.strength_,
        "n_objects": len(estimator.embedding_),
        "n_jobs": None,
        "callback": None,
        "verbose": 0,
    }
    correlations = np.empty((n_refits, estimator.embedding_.shape[1]))
    n_dimensions = np.empty(n_refits, dtype=np.int64)

    def fit(number):
        refit = clone(estimator).set_params(**same, random_state=seeds[number]).fit(X, y)
        correlations[number] = largest_correlations(estimator.embedding_, refit.embedding_)
        n_dimensions[number] = refit.embedding_.shape[1]

    fit_many(fit, n_refits, n_jobs, "refits", progress)
    return Reproducibility(correlations, n_dimensions)


def largest_correlations(dimensions: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the largest correlation of each dimension with one of the others, from 0 on.

    Columns of the two arrays are dimensions of the same objects. Rows with NaN are left out. The
    correlation of a constant dimension is zero.

    Examples
    --------
    >>> x = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 3.0]])
    >>> largest_correlations(x, x[:, :1]).round(3)
    array([1.   , 0.655])
    """
    return correlations(dimensions, others).max(axis=1, initial=0.0)


def correlations(dimensions: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the correlations, shape (n, m), of n dimensions with m others; 0 for a constant."""
    known = np.isfinite(dimensions).all(axis=1) & np.isfinite(others).all(axis=1)
    x, y = (_standardized(points[known]) for points in (dimensions, others))
    with one_blas_thread():
        return x.T @ y


def _standardized(points):
    """Return columns with mean zero and length one; a constant column becomes zeros."""
    centered = points - points.mean(axis=0)
    lengths = np.sqrt((centered**2).sum(axis=0))
    return centered / np.where(lengths > 0, lengths, 1.0)
