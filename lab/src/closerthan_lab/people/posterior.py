"""What the answers say about each person: the information about log weights and lapse rates."""

import itertools

import numpy as np

from closerthan._core.threads import one_blas_thread
from closerthan.optimize.lapse import with_lapses

Z90 = 1.6448536269514722  # quantile of the standard normal distribution for 90 % intervals


def log_slopes(loss, points, logs, comparisons, person):
    """Return derivatives of log probabilities by the person's log weights, and probabilities.

    The derivatives are of the given answers and of the opposite ones, of shape (n, n_components).
    """
    i, j, l, k = points[comparisons].transpose(1, 0, 2)
    weights = np.exp(logs[person])
    near, far = weights * (i - j) ** 2, weights * (l - k) ** 2
    a, b = near.sum(axis=1), far.sum(axis=1)
    n_components = points.shape[1]
    probability = loss.probability(a, b, n_components)

    def derivative(of_near, of_far):
        return -(of_near[:, None] * near + of_far[:, None] * far)

    given = derivative(*loss.slopes(a, b, n_components))
    opposite = derivative(*loss.slopes(b, a, n_components)[::-1])
    return given, opposite, probability


def slopes_with_lapses(slopes, lapse):
    """Return the slopes and probabilities if answers lapse; a last column is by the lapse rate."""
    given, opposite, probability = slopes

    def mix(slopes, probability):
        mixed = with_lapses(probability, lapse)
        kept = (1 - lapse) * probability / mixed
        return np.column_stack([kept[:, None] * slopes, (0.5 - probability) / mixed])

    return mix(given, probability), mix(opposite, 1 - probability), with_lapses(probability, lapse)


def informations(slopes, weight, person, n_people):
    """Return the Fisher information of each person about their log weights."""
    given, opposite, probability = slopes
    rows = (
        np.concatenate([given, opposite])
        * np.sqrt(np.concatenate([weight * probability, weight * (1 - probability)]))[:, None]
    )
    return _squares(rows, np.tile(person, 2), n_people)


def covariances(slopes, precision, weight, screen, person, n_people):
    """Return the covariance of each person's estimates, for the prior's precision.

    The comparisons of one screen are not independent. The variance of the scores is therefore the
    Fisher information times the factor by which sums over screens vary more than independent sums.
    """
    information = informations(slopes, weight, person, n_people)
    of_screen = np.stack([np.bincount(screen, weight * score) for score in slopes[0].T])
    factor = (of_screen**2).sum() / (weight @ slopes[0] ** 2).sum()
    with one_blas_thread():
        bread = np.linalg.inv(information + precision)
        return bread @ (factor * information + precision) @ bread


def _squares(rows, person, n_people):
    """Return for each person the sum of the outer products of rows with themselves."""
    order = np.argsort(person, kind="stable")
    ends = np.searchsorted(person[order], np.arange(n_people + 1))
    with one_blas_thread():
        parts = (rows[order[first:last]] for first, last in itertools.pairwise(ends))
        return np.array([part.T @ part for part in parts])


def share_interval(hits, n):
    """Return the ends of Wilson's 90 % interval of shares hits / n; NaN where n is zero."""
    with np.errstate(invalid="ignore", divide="ignore"):
        share, spread = hits / n, Z90**2 / n
        middle = (share + spread / 2) / (1 + spread)
        half = np.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return middle - half, middle + half
