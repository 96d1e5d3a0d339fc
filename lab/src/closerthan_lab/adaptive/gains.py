"""The expected information gain of questions, and the choice of questions by it."""

from copy import copy

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_weights
from closerthan.comparisons.check import check_comparisons, check_triplets, pair_columns
from closerthan.losses import probable_losses
from closerthan.optimize.lapse import with_lapses
from closerthan.ordinal.embedding import OrdinalEmbedding

_PLACES = 300  # drawn points of an anchor, in the crowd kernel's posterior


def information_gain(
    model: OrdinalEmbedding,
    answers: ArrayLike,
    questions: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
) -> np.ndarray:
    """Compute the expected information gain of each question about all points, in bits.

    The posterior of the points is approximated by a normal distribution (Laplace's approximation).
    Its mean is the fitted embedding. Its precision is the Fisher information of the answers plus
    the precision of a prior with the variance of the embedding. An answer with probability P adds
    h h' to the precision, where h is the gradient of P divided by sqrt(P (1 - P)). Both answers add
    the same. The entropy falls by log2(1 + h' C h) / 2, where C is the covariance.

    Parameters
    ----------
    model : OrdinalEmbedding
        A model fitted to the answers. A loss without probabilities is a ValueError.
    answers : Answers or array_like of shape (n, 3) or (n, 4), int
        The triplets or quadruplets that the model was fitted to.
    questions : array_like of shape (m, 3), int
        Rows (anchor, first, second). The order of first and second does not matter.
    sample_weight : array_like of shape (n,), optional
        See :doc:`the glossary </glossary>`.

    References
    ----------
    MacKay, Information-based objective functions for active data selection, Neural Computation 4,
    1992, eq. (7).

    Examples
    --------
    >>> triplets = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> model = OrdinalEmbedding(1, loss="ste", random_state=0).fit(triplets)
    >>> gains = information_gain(model, triplets, [[0, 1, 2], [1, 0, 2]])
    >>> bool(gains[0] < gains[1])  # 0 and 2 are about as far from 1
    True
    """
    model = placed(model)
    answers, weights = checked(answers, len(model.embedding_), sample_weight)
    questions = check_triplets(questions, len(model.embedding_), source="questions")
    return np.log2(1 + _variance(model, answers, weights, questions)[2]) / 2


def crowd_kernel_gain(
    model: OrdinalEmbedding,
    answers: ArrayLike,
    questions: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    n_places: int = _PLACES,
    random_state: Seed = None,
) -> np.ndarray:
    """Compute the expected information gain of each question about its anchor's point, in bits.

    The anchor is at one of the fitted points, or at one of `n_places` points drawn from a normal
    distribution with their mean and covariance, all with the same prior probability. The posterior
    follows from the answers about this anchor, with all other objects fixed at their fitted points.

    Parameters
    ----------
    model, answers, questions, sample_weight
        As for `information_gain`.
    n_places : int, default 300
        Number of drawn points.
    random_state
        See :doc:`the glossary </glossary>`.

    References
    ----------
    Tamuz et al., Adaptively learning the crowd kernel, ICML 2011, sec. 4.

    Examples
    --------
    >>> triplets = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> model = OrdinalEmbedding(1, loss="ste", random_state=0).fit(triplets)
    >>> crowd_kernel_gain(model, triplets, [[0, 1, 2], [3, 1, 2]], random_state=0).shape
    (2,)
    """
    check_count("n_places", n_places)
    model = placed(model)
    answers, weights = checked(answers, len(model.embedding_), sample_weight)
    points = model.embedding_
    questions = check_triplets(questions, len(points), source="questions")
    answers, rows = triplets_among(answers)
    rng = np.random.default_rng(random_state)
    drawn = rng.multivariate_normal(
        points.mean(axis=0), np.cov(points.T).reshape(2 * points.shape[1:]), n_places, method="eigh"
    )
    squared = ((np.concatenate([points, drawn])[:, None] - points) ** 2).sum(axis=2)

    def probability(triplets):  # one row for each possible point of the anchor
        return _probability(model, squared[:, triplets[:, 1]], squared[:, triplets[:, 2]])

    anchors = csr_array(
        (weights[rows], (np.arange(len(answers)), answers[:, 0])), (len(answers), len(points))
    )
    likelihood = np.log(probability(answers)) @ anchors
    posterior = np.exp(likelihood - likelihood.max(axis=0))
    posterior = (posterior / posterior.sum(axis=0))[:, questions[:, 0]]
    of_place = probability(questions)
    mean = (posterior * of_place).sum(axis=0)
    return _entropy(mean) - (posterior * _entropy(of_place)).sum(axis=0)


def most_informative(model, answers, weights, candidates, n):
    """Choose n candidates, each as the best one once the earlier ones are answered."""
    model = placed(model)
    directions, spread, variance = _variance(model, answers, weights, candidates)
    chosen = []
    for _ in range(n):
        variance[chosen] = -1.0
        best = int(variance.argmax())
        chosen.append(best)
        # Its answer reduces the covariance C by a rank-one matrix, C h h' C / (1 + h' C h).
        along = spread[best] / np.sqrt(1 + variance[best])
        with_best = directions @ along
        spread -= np.outer(with_best, along)
        variance -= with_best**2
    return np.array(chosen)


def spread_over_anchors(gains: np.ndarray, questions: np.ndarray, n: int) -> np.ndarray:
    """Choose n questions by gain: first the best of each anchor, then the second best, and so on.

    `gains` has the gain of each question, shape (m,), and `questions` has rows (anchor, first,
    second). Returns the rows of the min(n, m) chosen questions.

    Examples
    --------
    >>> questions = np.array([[0, 1, 2], [0, 1, 3], [1, 0, 2]])
    >>> spread_over_anchors(np.array([3.0, 2.0, 1.0]), questions, 2)
    array([0, 2])
    """
    order = np.lexsort((-gains, questions[:, 0]))
    anchors = questions[order, 0]
    starts = np.flatnonzero(np.r_[True, anchors[1:] != anchors[:-1]])
    turn = np.arange(len(anchors)) - np.repeat(starts, np.diff(np.r_[starts, len(anchors)]))
    return order[np.lexsort((-gains[order], turn))[:n]]


def check_probability(model):
    if not hasattr(model, "predict_proba"):
        raise ValueError(
            f"loss={model.loss!r} has no probabilities of answers, so uncertain answers cannot be "
            f"found; take {probable_losses()}"
        )


def placed(model):
    """Return the model with missing points (NaN) moved to the mean of the others."""
    check_probability(model)
    missing = np.isnan(model.embedding_[:, 0])
    if not missing.any():
        return model
    model = copy(model)
    middle = model.embedding_[~missing].mean(axis=0)
    model.embedding_ = np.where(missing[:, None], middle, model.embedding_)
    return model


def checked(answers, n_objects, sample_weight):
    """Return checked comparisons and their weights."""
    comparisons = check_comparisons(answers, n_objects, source="answers")
    weights = check_weights(sample_weight, answers)
    return comparisons, np.ones(len(comparisons)) if weights is None else weights


def triplets_among(comparisons):
    """Return the comparisons that are triplets, and their rows."""
    i, j, l, k = pair_columns(comparisons)
    rows = np.flatnonzero(i == l)
    return np.column_stack([i, j, k])[rows], rows


def _probability(model, near, far):
    """Return probabilities of answers with these squared distances, clipped from 0 and 1."""
    probability = model.loss_.probability(near, far, model.n_components)
    return np.clip(with_lapses(probability, model.lapse_), 1e-12, 1 - 1e-12)


def _entropy(probability):
    other = 1 - probability
    return -(probability * np.log2(probability) + other * np.log2(other))


def _directions(model, comparisons):
    """Return the gradients of answers' P over sqrt(P (1 - P)), by all points, as sparse rows."""
    points = model.embedding_
    n, p = points.shape
    ends = np.array(pair_columns(comparisons))
    i, j, l, k = points[ends]
    near, far = (np.einsum("nc,nc->n", d, d) for d in (i - j, l - k))
    by_near, by_far = model.loss_.slopes(near, far, p)
    own = model.loss_.probability(near, far, p)
    mixed = _probability(model, near, far)
    scale = -2 * (1 - model.lapse_) * own / np.sqrt(mixed * (1 - mixed))
    of_near, of_far = (scale * by_near)[:, None] * (i - j), (scale * by_far)[:, None] * (l - k)
    values = np.hstack([of_near, -of_near, of_far, -of_far])
    columns = (ends.T[:, :, None] * p + np.arange(p)).reshape(values.shape)
    starts = np.arange(0, values.size + 1, 4 * p)
    shape = len(comparisons), n * p
    directions = csr_array((values.ravel(), columns.ravel(), starts), shape=shape)
    directions.sum_duplicates()  # both pairs of a triplet contain its anchor
    return directions


def _variance(model, answers, weights, questions):
    """Return the directions h, the rows h' C and h' C h, with C the posterior covariance."""
    directions = _directions(model, answers)
    information = (directions.T @ directions.multiply(weights[:, None])).toarray()
    variance = model.embedding_.var(axis=0).mean()
    information[np.diag_indices_from(information)] += 1 / max(variance, 1e-12)
    directions = _directions(model, questions)
    spread = directions @ np.linalg.inv(information)
    return directions, spread, directions.multiply(spread).sum(axis=1)
