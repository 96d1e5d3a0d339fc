"""Pairs of similar and of dissimilar points, and the distances that they shall have."""

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.utils.validation import check_array

from relsim.base import check_count
from relsim.comparisons import check_comparisons, sample_from_labels

_MOST_ROWS = 1000


def pairs_from_triplets(triplets):
    """Split each triplet (i, j, k) into the similar pair (i, j) and the dissimilar pair (i, k).

    Parameters
    ----------
    triplets : array_like of shape (n, 3), int

    Returns
    -------
    pairs : ndarray of shape (2 n, 2), int64
        Similar and dissimilar pairs in turn.
    y : ndarray of shape (2 n,), int64
        1 for similar, -1 for dissimilar.

    Raises
    ------
    ValueError
        On a malformed triplet, naming row and value.

    Examples
    --------
    >>> pairs, y = pairs_from_triplets([[0, 1, 2]])
    >>> pairs.tolist(), y.tolist()
    ([[0, 1], [0, 2]], [1, -1])
    """
    triplets = check_comparisons(triplets, source="triplets")
    if triplets.shape[1] != 3:
        raise ValueError(f"triplets has shape {triplets.shape}; it must be (n, 3)")
    return triplets[:, [0, 1, 0, 2]].reshape(-1, 2), np.tile([1, -1], len(triplets))


def pairs_from_labels(y, n_pairs, *, random_state=None):
    """Draw random pairs of one class and of two, with replacement.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels, numbers or strings.
    n_pairs : int
        Similar and dissimilar pairs take turns.
    random_state : int, SeedSequence, Generator or None, default None

    Returns
    -------
    pairs : ndarray of shape (n_pairs, 2), int64
    y : ndarray of shape (n_pairs,), int64
        1 for similar, -1 for dissimilar.

    Raises
    ------
    ValueError
        If there is one class only, or no class has two objects.

    Examples
    --------
    >>> pairs, y = pairs_from_labels(["cat", "dog", "dog"], 2, random_state=0)
    >>> sorted(pairs[0].tolist()), y.tolist()
    ([1, 2], [1, -1])
    """
    check_count("n_pairs", n_pairs, 10**9, "pairs")
    triplets = sample_from_labels(y, -(-n_pairs // 2), replace=True, random_state=random_state)
    pairs, y = pairs_from_triplets(triplets)
    return pairs[:n_pairs], y[:n_pairs]


def distance_bounds(X, percentiles=(5, 95), *, random_state=None):
    """Percentiles of the squared Euclidean distances of points.

    Davis et al. (2007), in their experiments, ask similar pairs to be nearer than the 5th one and
    dissimilar ones farther than the 95th.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Of more than 1,000 rows, 1,000 random ones are looked at.
    percentiles : pair of float, default (5, 95)
    random_state : int, SeedSequence, Generator or None, default None

    Returns
    -------
    ndarray of shape (2,)
        In the order of `percentiles`.

    Examples
    --------
    >>> distance_bounds([[0.0], [1.0], [3.0]], (0, 100))
    array([1., 9.])
    """
    X = check_array(X, dtype=np.float64, ensure_min_samples=2)
    if len(X) > _MOST_ROWS:
        rng = np.random.default_rng(random_state)
        X = X[rng.choice(len(X), _MOST_ROWS, replace=False)]
    return np.percentile(pdist(X, "sqeuclidean"), percentiles)


def check_pairs(pairs, targets, n_points, rule, allowed):
    """Return pairs of row numbers below `n_points`, and a float for each for which `rule` holds."""
    pairs, targets = np.asarray(pairs), np.asarray(targets, dtype=float)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs) or pairs.dtype.kind not in "iuf":
        raise ValueError(
            f"pairs has shape {pairs.shape} and type {pairs.dtype}; it must be (n, 2), two row "
            "numbers of X a pair"
        )
    bad = ~((pairs >= 0) & (pairs < n_points) & (pairs == np.floor(pairs))).all(axis=1)
    if bad.any():
        row = bad.argmax()
        raise ValueError(
            f"pairs, row {row}: {tuple(pairs[row].tolist())}; a pair is two row numbers of X, "
            f"from 0 to {n_points - 1}"
        )
    if targets.shape != (len(pairs),):
        raise ValueError(
            f"{len(pairs)} pairs come with values of shape {targets.shape}; it must be "
            f"({len(pairs)},), one a pair"
        )
    bad = ~rule(targets)
    if bad.any():
        raise ValueError(f"pairs, row {bad.argmax()}: {targets[bad.argmax()]:g}; {allowed}")
    return np.ascontiguousarray(pairs, dtype=np.int64), targets
