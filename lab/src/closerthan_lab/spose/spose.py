"""SPoSE: learn sparse, non-negative dimensions from odd ones out."""

from collections.abc import Callable
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted
from tqdm.auto import tqdm

from closerthan._core.threads import Team, count_threads
from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_word, is_number
from closerthan._core.vectors import pad
from closerthan._core.warn import warn, warn_of_missing
from closerthan.comparisons.answers import Answers, hash_numbers
from closerthan.comparisons.check import check_length, check_triplets, count_objects, without_gaps
from closerthan.comparisons.forms.checks import refuse_first
from closerthan.comparisons.forms.three import faults_of_pick, to_odd_one_out
from closerthan.optimize.trace import HISTORY, Trace
from closerthan_lab.spose.descent import Descent
from closerthan_lab.spose.passes import fill_probabilities

# Sparsity and ridge from dense to sparse, for one answer an object. Like the noise of the gradient,
# they grow with the square root of this number.
STRENGTHS = ((0.0, 1.3), (0.12, 0.5), (0.24, 0.14), (0.48, 0.0), (0.96, 0.0), (1.92, 0.0))
_SHORTER = 4  # times fewer passes while the strength is chosen
_FOLDS = 10  # one is held out
_LEAST_HELD, _MOST_HELD = 50, 100_000
_START = 6.0  # four times the mean inner product of two objects at the start


class SPoSE(BaseEstimator):
    """Learn sparse, non-negative dimensions from odd ones out.

    The similarity of two objects is the inner product of their rows of `embedding_`. The
    probability of each of three pairs to stay together is the softmax of their similarities; the
    third object is the odd one out (Hebart et al., 2020).

    The fit minimizes the sum of the answers' log losses, plus the sparsity times the sum of the
    coordinates, plus half the ridge times the sum of their squares. Dimensions that stay small are
    dropped. The others are sorted by the sum of their coordinates.

    Parameters
    ----------
    n_components : int, default 100
        Number of dimensions to start with.
    strength : "auto" or (float, float), default "auto"
        The pair (sparsity, ridge). Sparsity removes weak dimensions, so that the others are easier
        to name. If answers are few, it removes useful dimensions too, and a ridge predicts better.
        "auto" tries the pairs of `STRENGTHS`, times the square root of (answers / objects), from
        ridge only to sparsity only, on the held-out answers to a tenth of the questions. It takes
        the last pair before the accuracy is more than one standard error below the best, or the
        first pair if answers are too few.
    n_objects : int, optional
        Number of objects; by default the largest id plus one.
    max_iter : int, default 1000
        Largest number of passes over the answers. A fit has 20 passes, or more if answers are few,
        so that there are 3,000 steps.
    n_jobs, callback, verbose, random_state
        See :doc:`the glossary </glossary>`. At most four threads have work. The callback gets
        dimensions that are not sorted yet.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_objects, n_dimensions)
        The coordinates, none negative; the dimension with the largest sum comes first. An object
        that no answer names has a row of NaN.
    strength_ : (float, float)
        Sparsity and ridge of the fit.
    path_ : DataFrame or None
        The strengths that "auto" tried, and the share of held-out answers that they predict.
    history_, n_iter_
        As for `OrdinalEmbedding`, with a row for each pass.

    References
    ----------
    Hebart, Zheng, Pereira and Baker, Revealing the multidimensional mental representations of
    natural objects underlying human similarity judgements, Nature Human Behaviour 4, 2020.

    Zheng, Pereira, Baker and Hebart, Revealing interpretable object representations from human
    behavior, ICLR 2019.

    Examples
    --------
    Six objects of two kinds. The odd one out is the one of the other kind.

    >>> from itertools import combinations
    >>> triples = [t for t in combinations(range(6), 3) if len({o < 3 for o in t}) == 2]
    >>> odd = [next(o for o in t if sum((o < 3) == (p < 3) for p in t) == 1) for t in triples]
    >>> model = SPoSE(4, strength=(0.5, 0.0), random_state=0).fit(triples, odd)
    >>> model.score(triples, odd), model.embedding_.shape
    (1.0, (6, 2))
    >>> int(model.predict([[0, 1, 5]])[0])
    5
    """

    def __init__(
        self,
        n_components: int = 100,
        *,
        strength: str | tuple[float, float] = "auto",
        n_objects: int | None = None,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        callback: Callable | None = None,
        verbose: int = 0,
        random_state: Seed = None,
    ):
        self.n_components = n_components
        self.strength = strength
        self.n_objects = n_objects
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.callback = callback
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn the dimensions.

        Parameters
        ----------
        X : Answers, or array_like of shape (n, 3), int
            Odd ones out (see `closerthan.comparisons.from_odd_one_out`), or the three objects of
            each question. Fewer answers than objects are a ValueError.
        y : array_like of shape (n,), int, optional
            The id of the odd one of each question; by default the last object of the row.
        """
        triples = triples_of(X, y, self.n_objects)
        n_objects = count_objects(triples, self.n_objects)
        check_count("n_components", self.n_components)
        check_count("max_iter", self.max_iter, 10**9, "passes")
        triples, ids = without_gaps(triples, n_objects)
        if len(triples) < len(ids):
            raise ValueError(
                f"X: {len(triples)} answers about {len(ids)} objects; give at least as many "
                "answers as objects"
            )

        def in_place(points):
            embedding = np.full((n_objects, points.shape[1]), np.nan)
            embedding[ids] = points
            return embedding

        rng = np.random.default_rng(self.random_state)
        triples = triples[rng.permutation(len(triples))].astype(np.uint32)
        start = rng.uniform(0.0, np.sqrt(_START / self.n_components), (len(ids), self.n_components))
        strength, path = self._strength(), None
        with Team(count_threads(self.n_jobs)) as team:
            if strength is None:
                strength, path = self._choose(triples, start, team)
            descent = Descent(triples, start, strength, self.max_iter, team)
            call = self.callback
            callback = call and (lambda points, row: call(in_place(points), row))
            trace = Trace(descent, descent.n_passes, 0.0, callback, self.verbose)
            try:
                points = descent.run(trace, rng)
            finally:
                trace.close()
        points = points[:, np.argsort(-points.sum(axis=0), kind="stable")]
        self.embedding_ = in_place(points)
        self.strength_, self.path_ = strength, path
        self._history, self.n_iter_ = trace.rows, len(trace.rows)
        warn_of_missing(ids, n_objects)
        if not points.size:
            warn("no dimension is left; give more answers or a weaker strength")
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the ids of the odd ones among rows of three objects; ties go to the first."""
        X, probability = self._probability(X)
        return np.take_along_axis(X, probability.argmax(axis=1)[:, None], axis=1)[:, 0]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Predict the probability that each of three objects is the odd one, of shape (n, 3).

        All are 1/3 if an object has no point (NaN).
        """
        return self._probability(X)[1]

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """Compute the share of answers whose odd one is the most likely; ties count as errors.

        Chance is 1/3. Parameters as for `fit`.
        """
        check_is_fitted(self)
        triples = triples_of(X, y, len(self.embedding_))
        return _share_predicted(self._probability(triples)[1])

    @property
    def history_(self) -> pd.DataFrame:
        """The progress, with one row per pass."""
        check_is_fitted(self)
        return pd.DataFrame(self._history, columns=HISTORY)

    def _probability(self, X):
        """Return checked rows, and the probability that each object is the odd one."""
        check_is_fitted(self)
        X = check_triplets(X, len(self.embedding_), source="X")
        missing = np.flatnonzero(np.isnan(self.embedding_).any(axis=1))
        probability = _probabilities(np.nan_to_num(self.embedding_), X)
        probability[np.isin(X, missing).any(axis=1)] = 1 / 3
        return X, probability

    def _strength(self):
        """Return the given strength, or None if it must be chosen."""
        if isinstance(self.strength, str):
            check_word("strength", self.strength, ["auto"])
            return None
        pair = self.strength if isinstance(self.strength, tuple | list) else ()
        if len(pair) != 2 or not all(is_number(part) and part >= 0 for part in pair):
            raise ValueError(
                f"strength={self.strength!r}; it must be 'auto' or two numbers not below 0, the "
                "sparsity and the ridge"
            )
        return tuple(pair)

    def _choose(self, triples, start, team):
        """Return the strength to take, and a table of those that were tried."""
        scale = np.sqrt(len(triples) / len(start))
        strengths = [(float(scale * a), float(scale * b)) for a, b in STRENGTHS]
        held = _hold_out(triples)
        if min(held.sum(), (~held).sum()) < _LEAST_HELD:
            return strengths[0], None
        train, test, rows = triples[~held], triples[held], []
        for strength in tqdm(strengths, "strength", disable=not self.verbose):
            descent = Descent(train, start, strength, self.max_iter, team, _SHORTER)
            trace = Trace(descent, descent.n_passes, 0.0)
            points = descent.run(trace, np.random.default_rng(0))
            rows.append((*strength, _share_predicted(_probabilities(points, test))))
            best = max(accuracy for *_, accuracy in rows)
            if rows[-1][-1] < best - np.sqrt(best * (1.0 - best) / len(test)):
                strength = strengths[len(rows) - 2]
                break
        return strength, pd.DataFrame(rows, columns=["sparsity", "ridge", "accuracy"])


def triples_of(X, y=None, n_objects=None):
    """Return checked rows of three objects, the odd one last, for `Answers` or arrays."""
    if isinstance(X, Answers):
        if y is not None:
            raise ValueError("y: X are Answers, which already have the odd ones; leave y out")
        weight = X.weight
        other = np.flatnonzero(weight != weight[0])
        if other.size:
            raise ValueError(
                f"X, screen {other[0]}: the weight is {weight[other[0]]}, and that of screen 0 is "
                f"{weight[0]}; SPoSE counts all answers alike, so give equal weights"
            )
        X, y = to_odd_one_out(X)
    rows = check_triplets(X, n_objects, source="X")
    return rows if y is None else _odd_last(rows, y)


def _odd_last(rows, y):
    """Return rows of three objects with the odd one last."""
    y = check_length(y, len(rows), "y")
    refuse_first(faults_of_pick(rows, y, "y"))
    odd = rows == y[:, None]
    return np.column_stack([rows[~odd].reshape(-1, 2), rows[odd]])


def _probabilities(points, triples):
    """Return the probability that each of three objects is the odd one."""
    probability = np.empty(triples.shape)
    fill_probabilities(pad(points), triples.astype(np.uint32), probability)
    return probability


def _share_predicted(probability):
    """Return the share of rows whose last probability is the largest."""
    return float((probability[:, 2] > probability[:, :2].max(axis=1)).mean())


def _hold_out(triples):
    """Return which answers to hold out: those to about a tenth of the questions."""
    question = hash_numbers(np.sort(triples, axis=1) + np.uint64([0, 2**21, 2**42])).sum(axis=1)
    n_folds = max(_FOLDS, len(triples) // _MOST_HELD)
    return hash_numbers(question) % np.uint64(n_folds) == 0
