"""What to ask next: the questions whose answers will say the most about where objects are.

A question is (head, first, second): which of the two is the head closer to? Its answer is a
triplet, (head, nearer, farther).
"""

import warnings
from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.base import clone

from relsim._lapse import with_lapses
from relsim._typing import Seed
from relsim._validation import check_count, check_number, check_weights, check_word
from relsim.comparisons.check import check_comparisons, check_triplets, pair_columns
from relsim.comparisons.convert import to_quadruplets
from relsim.losses import TSTE
from relsim.ordinal import OrdinalEmbedding

STRATEGIES = ("information-gain", "crowd-kernel", "uncertainty", "random")
_ANSWERS_AN_OBJECT = 2  # before which questions are drawn at random
_GROWN = 1.3  # times the answers, after which a fit begins anew
_PLACES = 300  # that a head may have, in the crowd kernel's posterior
_FEW = 10**6  # questions that may all be listed


class AdaptiveQuestions:
    """Choose questions while answers come in: `propose` some, `tell` the answers, and so on.

    Parameters
    ----------
    objects : int or sequence of str
        How many objects there are, three or more, or their names.
    n_components : int, default 2
        Dimension of the embedding.
    strategy : {"information-gain", "crowd-kernel", "uncertainty", "random"}, default \
"information-gain"
        "information-gain" takes the questions by `information_gain`, each as if those before it in
        the batch had been answered. "crowd-kernel" takes those of the largest
        `crowd_kernel_gain`, and "uncertainty" those whose answers are the closest to a coin toss;
        both spread a batch over heads. "random" draws them.
    model : OrdinalEmbedding, optional
        What is fitted to the answers; its `n_components` and `n_objects` are set, and its loss has
        to give answers a probability. By default with t-STE of five degrees of freedom.
    n_random : int, optional
        Answers before which questions are drawn at random, by default two an object.
    n_candidates : int, default 1000
        Questions that are drawn at random to choose from.
    random_state : int, SeedSequence, Generator or None, default None

    Attributes
    ----------
    names : ndarray of shape (n_objects,)
        The names, or the ids; ``names[questions]`` is what to show.
    answers : ndarray of shape (n_answers, 3) or (n_answers, 4)
        All that was told, and in `weights`, shape (n_answers,), how much each counts.
    model_ : OrdinalEmbedding
        Fitted to the answers so far.

    Notes
    -----
    A fit starts from the points of the one before, or anew where the answers have become 1.3 times
    as many. It takes about as long as to follow the new answers with `OnlineKernel`, some
    milliseconds, and with 30 objects in the plane and 400 answers of which a tenth is swapped it
    errs half as often.

    "information-gain" inverts a matrix with a row for each coordinate of each object: 0.1 s with
    600 objects in the plane, and n^3 times as long with n times as many.

    Examples
    --------
    >>> asked = AdaptiveQuestions(["ant", "bee", "cat", "dog"], random_state=0)
    >>> questions = asked.propose(3)
    >>> asked.names[questions].shape
    (3, 3)
    >>> asked.tell(questions)  # had the second object been closer each time
    >>> len(asked.answers)
    3
    """

    def __init__(
        self,
        objects: int | Sequence[str],
        n_components: int = 2,
        *,
        strategy: str = "information-gain",
        model: OrdinalEmbedding | None = None,
        n_random: int | None = None,
        n_candidates: int = 1000,
        random_state: Seed = None,
    ):
        self.names = _names(objects)
        n = len(self.names)
        check_count("n_components", n_components, n, "the number of objects")
        check_word("strategy", strategy, STRATEGIES)
        check_count("n_candidates", n_candidates)
        if n_random is not None:
            check_number("n_random", n_random)
        self.n_components = n_components
        self.strategy = strategy
        self.n_random = _ANSWERS_AN_OBJECT * n if n_random is None else n_random
        self.n_candidates = n_candidates
        self.answers = np.empty((0, 3), dtype=np.int64)
        self.weights = np.empty(0)
        self._rng = np.random.default_rng(random_state)
        model = OrdinalEmbedding(loss=TSTE(alpha=5.0)) if model is None else model
        self._model = clone(model).set_params(n_components=n_components, n_objects=n)
        _check_probability(self._model)
        if model.random_state is None:
            self._model.set_params(random_state=int(self._rng.integers(2**31)))
        self._fit: Any = None  # an OrdinalEmbedding, once there are answers
        self._n_fitted, self._n_anew = 0, 0
        self._asked = np.empty(0, dtype=np.int64)  # sorted numbers of questions

    def tell(self, answers: ArrayLike, sample_weight: ArrayLike | None = None) -> None:
        """Take answers, to questions that were proposed or to any others.

        Parameters
        ----------
        answers : Answers or array_like of shape (n, 3) or (n, 4), int
            Triplets (head, nearer, farther). Quadruplets, of any two pairs, may have been asked
            too; they are learned from, but are not proposed.
        sample_weight : array_like of shape (n,), optional
            Their weights; by default those of `Answers`, and of an array 1.

        Raises
        ------
        ValueError
            On a malformed comparison (naming row and value); nothing is taken then.
        """
        answers, weights = _checked(answers, len(self.names), sample_weight)
        both = [self.answers, answers] if len(self.answers) else [answers]
        if len({rows.shape[1] for rows in both}) > 1:
            both = [to_quadruplets(rows) for rows in both]
        self.answers = np.concatenate(both)
        self.weights = np.concatenate([self.weights, weights])
        self._note(_triplets_among(answers)[0])

    def propose(self, n: int = 1, *, among: ArrayLike | None = None) -> np.ndarray:
        """Return the questions to ask next.

        Parameters
        ----------
        n : int, default 1
            How many; fewer are returned if fewer are left.
        among : array_like of shape (m, 3), int, optional
            Questions to choose from; by default all. Candidates are drawn from them too.

        Returns
        -------
        ndarray of shape (n, 3)
            (head, first, second), of ids. Which of the two comes first is drawn. None was proposed
            or answered before.

        Raises
        ------
        ValueError
            If no question is left, or a question of `among` is malformed.
        """
        check_count("n", n)
        candidates = self._candidates(max(n, self.n_candidates), among)
        if self.strategy == "random" or len(self.answers) < self.n_random or len(candidates) <= n:
            chosen = slice(n)  # they were drawn at random
        else:
            chosen = self._choose(candidates, n)
        questions = candidates[chosen]
        self._note(questions)
        turned = self._rng.random(len(questions)) < 0.5  # people may prefer a side
        return np.where(turned[:, None], questions[:, [0, 2, 1]], questions)

    @property
    def model_(self) -> OrdinalEmbedding:
        """The model, fitted to the answers so far; a ValueError if there are none."""
        n_answers = len(self.answers)
        if not n_answers:
            raise ValueError("there are no answers yet; `tell` some")
        if self._n_fitted < n_answers:
            anew = self._fit is None or n_answers > _GROWN * self._n_anew
            self._fit = self._refit(anew)
            self._n_fitted = n_answers
            self._n_anew = n_answers if anew else self._n_anew
        return self._fit

    def _refit(self, anew):
        model = clone(self._model)
        if not anew:
            before = self._fit
            model.set_params(
                init=np.nan_to_num(before.embedding_), loss=before.loss_, solver="l-bfgs"
            )
        with warnings.catch_warnings():  # there will be answers about the others
            warnings.filterwarnings("ignore", "[0-9]+ of [0-9]+ objects occur in no comparison")
            return model.fit(self.answers, sample_weight=self.weights)

    def _choose(self, candidates, n):
        """Return which of the candidates to ask."""
        model = self.model_
        if self.strategy == "information-gain":
            return _most_informative(model, self.answers, self.weights, candidates, n)
        if self.strategy == "crowd-kernel":
            given = {"sample_weight": self.weights, "random_state": self._rng.integers(2**31)}
            gains = crowd_kernel_gain(model, self.answers, candidates, **given)
        else:
            gains = -np.abs(_placed(model).predict_proba(candidates)[:, 1] - 0.5)
        return spread_over_heads(gains, candidates, n)

    def _candidates(self, size, among):
        """Draw questions that were not asked, in random order."""
        n = len(self.names)
        if among is None:
            numbers = self._draw(size)
        else:
            numbers = number_questions(check_triplets(among, n, source="among"), n)
            numbers = np.setdiff1d(numbers, self._asked)
            numbers = self._rng.choice(numbers, min(size, len(numbers)), replace=False)
        if not len(numbers):
            raise ValueError(f"no question is left: all {len(self._asked)} were asked")
        return questions_of(numbers, n)

    def _draw(self, size):
        n = len(self.names)
        n_questions = n * (n - 1) * (n - 2) // 2
        if n_questions <= _FEW:
            left = np.setdiff1d(np.arange(n_questions), self._asked)
            return self._rng.choice(left, min(size, len(left)), replace=False)
        drawn = self._rng.choice(n_questions, size + len(self._asked), replace=False)
        return drawn[~np.isin(drawn, self._asked)][:size]

    def _note(self, questions):
        self._asked = np.union1d(self._asked, number_questions(questions, len(self.names)))


def information_gain(
    model: OrdinalEmbedding,
    answers: ArrayLike,
    questions: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
) -> np.ndarray:
    """Expected fall of the entropy of all places by the answer to each question, in bits.

    Given the answers so far, the places of all objects are about normal (Laplace's approximation):
    the mean is the fitted embedding, the precision the Fisher information J of the answers, and
    that of a prior with the variance of the embedding. An answer of probability P adds h h' to the
    precision, where h is the derivative of P by the places over sqrt(P (1 - P)), whatever it is. So
    the entropy falls by log2(1 + h' C h) / 2, with the covariance C.

    Parameters
    ----------
    model : OrdinalEmbedding
        Fitted to the answers, with a loss that gives answers a probability.
    answers : Answers or array_like of shape (n, 3) or (n, 4), int
        Triplets or quadruplets: what it was fitted to.
    questions : array_like of shape (m, 3), int
        (head, first, second); the order of the last two does not matter.
    sample_weight : array_like of shape (n,), optional
        Weights of the answers; by default those of `Answers`, and of an array 1.

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    ValueError
        On a malformed comparison, or a loss without probabilities.

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
    model = _placed(model)
    answers, weights = _checked(answers, len(model.embedding_), sample_weight)
    questions = check_triplets(questions, len(model.embedding_), source="questions")
    directions = _directions(model, questions)
    spread = directions @ _covariance(model, answers, weights)
    variance = directions.multiply(spread).sum(axis=1)
    return np.log2(1 + variance) / 2


def crowd_kernel_gain(
    model: OrdinalEmbedding,
    answers: ArrayLike,
    questions: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    n_places: int = _PLACES,
    random_state: Seed = None,
) -> np.ndarray:
    """Expected fall of the entropy of the head's place by the answer to each question, in bits.

    The place of the head is one of the fitted points or of some others, drawn from a normal
    distribution with the mean and covariance of these: all are as likely beforehand, and then by
    the answers of which it is the head, while all other objects are where the model has them.

    Parameters
    ----------
    model, answers, questions, sample_weight
        As for `information_gain`, and with the same errors.
    n_places : int, default 300
        Places drawn beside the fitted points.
    random_state : int, SeedSequence, Generator or None, default None

    Returns
    -------
    ndarray of shape (m,)
        From 0 to 1.

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
    model = _placed(model)
    answers, weights = _checked(answers, len(model.embedding_), sample_weight)
    points = model.embedding_
    questions = check_triplets(questions, len(points), source="questions")
    answers, rows = _triplets_among(answers)
    rng = np.random.default_rng(random_state)
    drawn = rng.multivariate_normal(
        points.mean(axis=0), np.cov(points.T).reshape(2 * points.shape[1:]), n_places, method="eigh"
    )
    squared = ((np.concatenate([points, drawn])[:, None] - points) ** 2).sum(axis=2)

    def probability(triplets):  # a row a place of the head
        return _probability(model, squared[:, triplets[:, 1]], squared[:, triplets[:, 2]])

    heads = csr_array(
        (weights[rows], (np.arange(len(answers)), answers[:, 0])), (len(answers), len(points))
    )
    likelihood = np.log(probability(answers)) @ heads
    posterior = np.exp(likelihood - likelihood.max(axis=0))
    posterior = (posterior / posterior.sum(axis=0))[:, questions[:, 0]]
    of_place = probability(questions)
    mean = (posterior * of_place).sum(axis=0)
    return _entropy(mean) - (posterior * _entropy(of_place)).sum(axis=0)


def spread_over_heads(gains: np.ndarray, questions: np.ndarray, n: int) -> np.ndarray:
    """Return the rows of n questions: of each head the best, then of each the second best, ...

    Parameters
    ----------
    gains : ndarray of shape (m,)
    questions : ndarray of shape (m, 3)
    n : int

    Returns
    -------
    ndarray of shape (min(n, m),)

    Examples
    --------
    >>> questions = np.array([[0, 1, 2], [0, 1, 3], [1, 0, 2]])
    >>> spread_over_heads(np.array([3.0, 2.0, 1.0]), questions, 2)
    array([0, 2])
    """
    order = np.lexsort((-gains, questions[:, 0]))
    heads = questions[order, 0]
    starts = np.flatnonzero(np.r_[True, heads[1:] != heads[:-1]])
    turn = np.arange(len(heads)) - np.repeat(starts, np.diff(np.r_[starts, len(heads)]))
    return order[np.lexsort((-gains[order], turn))[:n]]


def number_questions(questions: np.ndarray, n_objects: int) -> np.ndarray:
    """Return the number of each question; which of the two objects comes first does not matter.

    Examples
    --------
    >>> number_questions(np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2]]), 3)
    array([0, 0, 1])
    """
    head, *pair = questions.T
    first, second = (other - (other > head) for other in (np.minimum(*pair), np.maximum(*pair)))
    return head * _n_pairs(n_objects) + second * (second - 1) // 2 + first


def questions_of(numbers: np.ndarray, n_objects: int) -> np.ndarray:
    """Return the questions of some numbers.

    Examples
    --------
    >>> questions_of(np.array([0, 1]), 3)
    array([[0, 1, 2],
           [1, 0, 2]])
    """
    head, pair = np.divmod(numbers, _n_pairs(n_objects))
    second = ((1 + np.sqrt(1 + 8.0 * pair)) / 2).astype(np.int64)
    first = pair - second * (second - 1) // 2
    return np.column_stack([head, *(other + (other >= head) for other in (first, second))])


def _n_pairs(n_objects):
    """Pairs of objects that a head may be compared with."""
    return (n_objects - 1) * (n_objects - 2) // 2


def _names(objects):
    if isinstance(objects, (int, np.integer)) and not isinstance(objects, bool):
        names = np.arange(objects)
    else:
        names = np.asarray(objects)
    if names.ndim != 1 or len(names) < 3:
        raise ValueError(f"objects={objects!r}; three objects or more are needed")
    if len(np.unique(names)) < len(names):
        values, counts = np.unique(names, return_counts=True)
        raise ValueError(
            f"objects: {values[counts.argmax()]} stands there twice; every name must be another one"
        )
    return names


def _check_probability(model):
    if not hasattr(model, "predict_proba"):
        raise ValueError(
            f"loss={model.loss!r} gives answers no probability, so that nothing says which of them "
            "are uncertain; take ste, t-ste or ckl"
        )


def _placed(model):
    """Return the model with objects without a place in the middle of the others."""
    _check_probability(model)
    missing = np.isnan(model.embedding_[:, 0])
    if not missing.any():
        return model
    model = copy(model)
    middle = model.embedding_[~missing].mean(axis=0)
    model.embedding_ = np.where(missing[:, None], middle, model.embedding_)
    return model


def _checked(answers, n_objects, sample_weight):
    """Return checked comparisons and their weights."""
    comparisons = check_comparisons(answers, n_objects, source="answers")
    weights = check_weights(sample_weight, answers)
    return comparisons, np.ones(len(comparisons)) if weights is None else weights


def _triplets_among(comparisons):
    """Return the comparisons of two objects with a third, as triplets, and their rows."""
    i, j, l, k = pair_columns(comparisons)
    rows = np.flatnonzero(i == l)
    return np.column_stack([i, j, k])[rows], rows


def _probability(model, near, far):
    """Probability of answers with these squared distances, never quite 0 or 1."""
    probability = model.loss_.probability(near, far, model.n_components)
    return np.clip(with_lapses(probability, model.lapse_), 1e-12, 1 - 1e-12)


def _entropy(probability):
    other = 1 - probability
    return -(probability * np.log2(probability) + other * np.log2(other))


def _directions(model, comparisons):
    """Return the derivative of each answer's P by all places, over sqrt(P (1 - P)), as sparse rows.

    P is lapse / 2 + (1 - lapse) exp(-loss).
    """
    points = model.embedding_
    n, p = points.shape
    ends = pair_columns(comparisons)
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
    directions.sum_duplicates()  # of the head of a triplet, which both pairs have
    return directions


def _covariance(model, answers, weights):
    """Return the covariance of all coordinates after the answers."""
    directions = _directions(model, answers)
    information = (directions.T @ directions.multiply(weights[:, None])).toarray()
    variance = model.embedding_.var(axis=0).mean()
    information[np.diag_indices_from(information)] += 1 / max(variance, 1e-12)
    return np.linalg.inv(information)


def _most_informative(model, answers, weights, candidates, n):
    """Return the rows of n candidates, each the best if those before it are answered."""
    model = _placed(model)
    directions = _directions(model, candidates)
    spread = directions @ _covariance(model, answers, weights)
    variance = directions.multiply(spread).sum(axis=1)
    chosen = []
    for _ in range(n):
        variance[chosen] = -1.0
        best = int(variance.argmax())
        chosen.append(best)
        # Its answer takes from the covariance C a matrix of rank one, C h h' C / (1 + h' C h).
        along = spread[best] / np.sqrt(1 + variance[best])
        with_best = directions @ along
        spread -= np.outer(with_best, along)
        variance -= with_best**2
    return np.array(chosen)
