"""Choose questions while answers come in: `AdaptiveQuestions`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_number, check_word
from closerthan.comparisons.check import check_triplets
from closerthan.comparisons.convert import to_quadruplets
from closerthan.losses import TSTE
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan_lab.adaptive.gains import (
    check_probability,
    checked,
    crowd_kernel_gain,
    most_informative,
    placed,
    spread_over_anchors,
    triplets_among,
)
from closerthan_lab.adaptive.numbers import number_questions, questions_of
from closerthan_lab.fit_many import missing_objects_allowed

STRATEGIES = ("information-gain", "crowd-kernel", "uncertainty", "random")
_ANSWERS_AN_OBJECT = 2  # until then, questions are drawn at random
_GROWN = 1.3  # factor of growth of the answers after which a fit starts anew
_FEW = 10**6  # questions, few enough to list all


class AdaptiveQuestions:
    """Choose questions while answers come in: call `propose`, then `tell`, and repeat.

    Parameters
    ----------
    objects : int or sequence of str
        The number of objects (three or more), or their names.
    n_components : int, default 2
        Dimension of the embedding.
    strategy : {"information-gain", "crowd-kernel", "uncertainty", "random"}, default \
"information-gain"
        "information-gain" takes the question with the largest `information_gain`. Each further
        question of a batch is chosen as if the earlier ones had been answered. "crowd-kernel" takes
        the questions with the largest `crowd_kernel_gain`. "uncertainty" takes the questions whose
        predicted probabilities are closest to one half. Both spread a batch over anchors. "random"
        draws questions at random.
    model : OrdinalEmbedding, optional
        The model to fit to the answers, by default with t-STE with five degrees of freedom. Its
        loss must have probabilities. `n_components` and `n_objects` are set automatically.
    n_random : int, optional
        Questions are drawn at random until there are this many answers; by default two answers an
        object.
    n_candidates : int, default 1000
        Number of random questions to choose from.
    n_jobs, random_state
        See :doc:`the glossary </glossary>`. A model without a `random_state` is seeded, too.

    Attributes
    ----------
    names : ndarray of shape (n_objects,)
        The names of the objects, or their ids. Show ``names[questions]`` to participants.
    answers : ndarray of shape (n_answers, 3) or (n_answers, 4)
        All answers so far. `weights`, of shape (n_answers,), has their weights.
    model_ : OrdinalEmbedding
        The model fitted to all answers so far. A fit starts from the points of the previous fit, or
        anew once there are 1.3 times as many answers as at the last new start.

    Examples
    --------
    >>> asked = AdaptiveQuestions(["ant", "bee", "cat", "dog"], random_state=0)
    >>> questions = asked.propose(3)
    >>> asked.names[questions].shape
    (3, 3)
    >>> asked.tell(questions)  # as if the second object was closer each time
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
        n_jobs: int | None = None,
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
        model = model or OrdinalEmbedding(loss=TSTE(alpha=5.0), n_jobs=n_jobs)
        self._model = clone(model).set_params(n_components=n_components, n_objects=n)
        check_probability(self._model)
        if model.random_state is None:
            self._model.set_params(random_state=int(self._rng.integers(2**31)))
        self._fit: Any = None  # an OrdinalEmbedding, once there are answers
        self._n_fitted, self._n_anew = 0, 0
        self._asked = np.empty(0, dtype=np.int64)  # sorted numbers of questions

    def tell(self, answers: ArrayLike, sample_weight: ArrayLike | None = None) -> None:
        """Add answers to proposed questions or to any other questions.

        Parameters
        ----------
        answers : Answers or array_like of shape (n, 3) or (n, 4), int
            Triplets (anchor, nearer, farther), or quadruplets. The model learns from quadruplets,
            too, although they are never proposed.
        sample_weight : array_like of shape (n,), optional
            See :doc:`the glossary </glossary>`.
        """
        answers, weights = checked(answers, len(self.names), sample_weight)
        both = [self.answers, answers] if len(self.answers) else [answers]
        if len({rows.shape[1] for rows in both}) > 1:
            both = [to_quadruplets(rows) for rows in both]
        self.answers = np.concatenate(both)
        self.weights = np.concatenate([self.weights, weights])
        self._note(triplets_among(answers)[0])

    def propose(self, n: int = 1, *, among: ArrayLike | None = None) -> np.ndarray:
        """Return the questions to ask next, none of which was proposed or answered before.

        They are rows (anchor, first, second) of ids, shape (n, 3). The order of first and second is
        random. Raise a ValueError if no question is left, or one of `among` is malformed.

        Parameters
        ----------
        n : int, default 1
            Number of questions. Fewer are returned if fewer are left.
        among : array_like of shape (m, 3), int, optional
            Questions to choose from, by default all. Candidates are drawn from these.
        """
        check_count("n", n)
        candidates = self._candidates(max(n, self.n_candidates), among)
        if self.strategy == "random" or len(self.answers) < self.n_random or len(candidates) <= n:
            chosen = slice(n)  # candidates are in random order
        else:
            chosen = self._choose(candidates, n)
        questions = candidates[chosen]
        self._note(questions)
        turned = self._rng.random(len(questions)) < 0.5  # because people may prefer a side
        return np.where(turned[:, None], questions[:, [0, 2, 1]], questions)

    @property
    def model_(self) -> OrdinalEmbedding:
        """The model fitted to all answers so far; raises a ValueError if there are none."""
        n_answers = len(self.answers)
        if not n_answers:
            raise ValueError("model_: there are no answers yet; call `tell` first")
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
        with missing_objects_allowed():  # answers about the others will follow
            return model.fit(self.answers, sample_weight=self.weights)

    def _choose(self, candidates, n):
        """Return the rows of the candidates to ask."""
        model = self.model_
        if self.strategy == "information-gain":
            return most_informative(model, self.answers, self.weights, candidates, n)
        if self.strategy == "crowd-kernel":
            given = {"sample_weight": self.weights, "random_state": self._rng.integers(2**31)}
            gains = crowd_kernel_gain(model, self.answers, candidates, **given)
        else:
            gains = -np.abs(placed(model).predict_proba(candidates)[:, 1] - 0.5)
        return spread_over_anchors(gains, candidates, n)

    def _candidates(self, size, among):
        """Draw questions that were not asked yet, in random order."""
        n = len(self.names)
        if among is None:
            numbers = self._draw(size)
        else:
            numbers = number_questions(check_triplets(among, n, source="among"), n)
            numbers = np.setdiff1d(numbers, self._asked)
            numbers = self._rng.choice(numbers, min(size, len(numbers)), replace=False)
        if not len(numbers):
            raise ValueError("no question is left: all were proposed or answered before")
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


def _names(objects):
    if isinstance(objects, (int, np.integer)) and not isinstance(objects, bool):
        names = np.arange(objects)
    else:
        names = np.asarray(objects)
    if names.ndim != 1 or len(names) < 3:
        raise ValueError(f"objects={objects!r}; give three or more objects")
    if len(np.unique(names)) < len(names):
        values, counts = np.unique(names, return_counts=True)
        raise ValueError(
            f"objects: {values[counts.argmax()]} occurs twice; give each object its own name"
        )
    return names
