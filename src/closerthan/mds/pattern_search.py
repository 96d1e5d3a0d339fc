"""PatternSearchMDS: metric MDS without gradients, by moves of a fixed length along the axes."""

import time
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from closerthan._core.validation import check_number, positive_or_auto
from closerthan.mds.metric_mds import MetricMDS

_RADIUS_TRIALS = 20


@dataclass(eq=False, repr=False)
class PatternSearchMDS(MetricMDS):
    """Metric MDS by pattern search, Algorithms 2 to 4 of Paraskevopoulos et al. (2018).

    The search minimizes the stress, the sum of w (delta - d)**2 over the pairs of points, where d
    is the distance in the embedding. In each epoch, every point moves by the radius along the
    dimension and direction with the least stress. If an epoch lowers the stress by a share of `tol`
    or less, the radius is halved.

    Parameters
    ----------
    n_components : int, default 2
        Dimension of the embedding, less than the number of points.
    metric : str or callable, default "euclidean"
        Distance between points of `fit`, as in `sklearn.metrics.pairwise_distances`, or
        "precomputed" if `fit` gets dissimilarities.
    metric_params : dict, optional
        Further arguments of the distance.
    radius : float or "auto", default "auto"
        Length of the first moves. "auto" searches it as in section 4.2.3: one epoch with this
        radius lowers the stress, and one with double the radius raises it.
    bad_moves : bool, default True
        Whether a point always makes its best move, even if that raises the stress (section 4.2.1).
        If False, a point stays unless a move lowers the stress.
    directions : float in (0, 1], default 1.0
        Share of the dimensions that are tried, drawn anew in each epoch (section 4.2.3). One half
        works at twenty dimensions; at two it often ends in a poor minimum.
    tol : float, default 1e-4
        The share of the stress, the paper's epsilon.
    min_radius : float or "auto", default "auto"
        The search ends when the radius is no longer above this value, the paper's delta. "auto" is
        a ten-thousandth of the root mean square of the dissimilarities.
    n_init : int, default 1
        Number of runs; the run with the least stress is kept. With an array there is one run.
    init : {"classical_mds", "random"} or array_like, default "classical_mds"
        Where to start; an array has the shape (n, n_components). "random" draws points evenly from
        a cube of the data's scale. With "classical_mds", the first run starts from rough points of
        `classical_mds`, and the other runs as with "random". Missing entries are filled in for it
        from the means of rows.
    n_jobs, random_state, verbose
        See :doc:`the glossary </glossary>`. Use no more threads than there are idle cores, because
        threads wait for each other many times per epoch.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, n_components)
        The points.
    stress_ : float
        The stress of `embedding_`, each pair counted once.
    n_iter_ : int
        Epochs of the best run.
    dissimilarity_matrix_ : ndarray of shape (n, n)
        The dissimilarities that the distances should match.
    history_ : DataFrame
        A row for the start and for each epoch: evaluations so far (of the distance between a
        candidate place and another point), seconds so far, stress and radius. The first row
        includes the search for the first radius.

    References
    ----------
    Paraskevopoulos et al., Pattern Search Multidimensional Scaling, arXiv 1806.00416, 2018.

    Examples
    --------
    >>> square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> model = PatternSearchMDS(2, random_state=0).fit(square)
    >>> model.stress_ < 1e-4
    True
    >>> model.transform([[0.5, 0.5]]).shape
    (1, 2)
    """

    _: KW_ONLY
    radius: float | str = "auto"
    bad_moves: bool = True
    directions: float = 1.0
    tol: float = 1e-4
    min_radius: float | str = "auto"

    _columns: ClassVar = ["evaluations", "seconds", "stress", "radius"]

    def _search(self, problem, X, rng):
        check_number("tol", self.tol, positive=True)
        check_number("directions", self.directions, positive=True)
        if self.directions > 1:
            raise ValueError(f"directions={self.directions!r}; it must be at most 1")
        n_tried = max(1, round(self.directions * self.n_components))
        epoch_evaluations = 2 * n_tried * problem.n * (problem.n - 1)
        min_radius = self._min_radius(problem.scale * problem.unit) / problem.unit
        started = time.perf_counter()
        stress = problem.stress(X)
        radius, trials = self._first_radius(problem, X, stress, n_tried, rng)
        evaluations, previous = trials * epoch_evaluations, np.inf
        yield evaluations, time.perf_counter() - started, stress, radius
        while radius > min_radius and stress > 0.0:
            if previous - stress <= self.tol * stress:
                radius /= 2
            problem.epoch(X, self._draw(n_tried, rng), radius, self.bad_moves)
            previous, stress = stress, problem.stress(X)
            evaluations += epoch_evaluations
            yield evaluations, time.perf_counter() - started, stress, radius

    def _draw(self, n_tried, rng):
        if n_tried == self.n_components:
            return np.arange(n_tried)
        return np.sort(rng.choice(self.n_components, size=n_tried, replace=False))

    def _first_radius(self, problem, X, stress, n_tried, rng):
        """Return the first radius, and the number of epochs of its search (section 4.2.3)."""
        given = positive_or_auto("radius", self.radius)
        if given is not None:
            return given / problem.unit, 0

        def lowers(radius):
            tried = X.copy()
            problem.epoch(tried, self._draw(n_tried, rng), radius, self.bad_moves)
            return problem.stress(tried) < stress

        radius = problem.scale / 2 or 1.0
        error = np.sqrt(2 * stress) / problem.n  # of a distance; a good start needs short moves
        if 0 < error < radius / 4:
            radius *= 2.0 ** -round(np.log2(radius / error))
        first = lowers(radius)
        factor = 2.0 if first else 0.5
        for trial in range(2, _RADIUS_TRIALS):
            good = lowers(factor * radius)
            if first and not good:
                return radius, trial
            radius *= factor
            if not first and good:
                break
        return radius, trial

    def _min_radius(self, scale):
        given = positive_or_auto("min_radius", self.min_radius)
        return super()._min_radius(scale) if given is None else given
