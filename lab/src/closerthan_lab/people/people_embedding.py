"""PeopleEmbedding: shared points, and how much each dimension weighs for each person."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from closerthan._core.typing import Seed
from closerthan._core.validation import is_number
from closerthan._core.vectors import pad
from closerthan.comparison_model import ComparisonModel
from closerthan.comparisons.answers import Answers, hash_numbers, number_people, number_rows
from closerthan.comparisons.check import check_comparisons, count_objects
from closerthan.comparisons.convert import to_quadruplets
from closerthan.losses import STE, Loss, probable_losses
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.trace import Trace
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan_lab.checks import look_alikes
from closerthan_lab.fit_many import fit_many, missing_objects_allowed
from closerthan_lab.people.posterior import (
    Z90,
    covariances,
    log_slopes,
    share_interval,
    slopes_with_lapses,
)
from closerthan_lab.people.weights import PeopleObjective, Places, Widths, likelihoods

WIDTHS = (0.1, 0.2, 0.4, 0.8)
_SCALE = 0.5  # width of the log scale
_FOLDS = 5  # one is held out
_LEAST = 20  # screens to hold out
_KNOWN = 1e9  # precision of log weights that are not estimated
_QUICK = 50  # epochs at most while the width is chosen
_TOL, _ROUGH = 1e-5, 1e-3  # of the fit, and while the width is chosen


class PeopleEmbedding(ComparisonModel):
    """Embed objects for people who weigh the dimensions differently.

    All people share the points x. For person p, the squared distance of i and j is the sum over
    the dimensions k of exp(t_pk) (x_ik - x_jk)^2, as in the weighted Euclidean model of Carroll and
    Chang (1970). The mean of t_pk over k is the log scale of the person: with a large scale,
    answers are nearly certain. The rest are the log weights. Both have normal priors, which draw
    them to those of all people. Weights fix the axes. Everyone has a lapse rate of their own.

    `predict`, `predict_proba` and `score` take each person's own map and lapse rate, if they get
    `Answers` with participants, and otherwise the common map.

    Parameters
    ----------
    n_components : int, default 2
        Dimension of the embedding, at most the number of objects.
    loss : {"auto", "ste", "t-ste", "ckl", "smooth-soe"} or Loss, default "auto"
        As for `OrdinalEmbedding`. The loss must have probabilities.
    width : "auto" or float, default "auto"
        Standard deviation of the log weights over people, by the prior. 0 gives everyone the same
        weights. "auto" tries 0, 0.1, 0.2, 0.4 and 0.8 on a held-out fifth of each person's
        questions; see the :doc:`page on people </people>`.
    n_objects : int, optional
        Number of objects; by default the largest id plus one.
    max_iter : int, default 200
        Largest number of epochs of L-BFGS, after the fit of the common map.
    n_jobs, verbose, random_state
        See :doc:`the glossary </glossary>`.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_objects, n_components)
        The points, for someone with the common weights. An object that no answer names has a row of
        NaN.
    people_ : DataFrame
        A row for each participant, sorted by name:

        - ``participant``, and ``n_answers`` (screens).
        - ``own``: whether the fit gave them weights of their own.
        - ``scale``, and ``weight_1``, ``weight_2``, ..., with a product of 1: relative to the
          common map. This is that of people without own weights, or of the average person.
        - ``lapse``: the lapse rate, the share of answers given at random, estimated together with
          points and weights. It has an interval with STE only: the other losses hide lapses.
        - ``accuracy``, ``accuracy_common``: the share of held-out comparisons that the person's own
          map and the common map predict. NaN if nothing was held out. The same answers chose the
          width.

        After each number stand the ends of its 90 % interval, ``_low`` and ``_high``.
    common_ : OrdinalEmbedding
        The map that was fitted to all answers as if they were of one person.
    width_, loss_ : float and Loss
        The width and the loss, given or chosen.
    choice_ : DataFrame or None
        The widths tried by "auto", how many had own weights, the held-out error and log loss. None
        if the width was given, or if there were too few answers to hold some out.
    history_ : DataFrame
        As for `OrdinalEmbedding`, without the fit of the common map.

    References
    ----------
    Carroll and Chang, Analysis of individual differences in multidimensional scaling via an N-way
    generalization of "Eckart-Young" decomposition, Psychometrika 35, 1970.

    Examples
    --------
    Ten people see the second dimension only, ten others the first only.

    >>> from closerthan.comparisons import Answers, sample_from_points
    >>> points = np.random.default_rng(0).normal(size=(20, 2))
    >>> asked = [sample_from_points(points * seen, 200, random_state=p)
    ...          for p, seen in enumerate([[0.2, 1]] * 10 + [[1, 0.2]] * 10)]
    >>> answers = Answers(np.concatenate(asked), participant=np.repeat(np.arange(20), 200))
    >>> model = PeopleEmbedding(random_state=0).fit(answers)
    >>> first = model.people_["weight_1"] > 1
    >>> bool((first[:10] == first[0]).all() and (first[10:] != first[0]).all())
    True
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        loss: str | Loss = "auto",
        width: float | Literal["auto"] = "auto",
        n_objects: int | None = None,
        max_iter: int = 200,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Seed = None,
    ):
        self.n_components = n_components
        self.loss = loss
        self.width = width
        self.n_objects = n_objects
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Answers, y: None = None) -> Self:
        """Fit points, weights and lapse rates to Answers of at least two participants.

        To compare groups, give the group of each answer as its participant. Raise a ValueError if X
        has fewer than two participants, or two whose names differ only by case or blanks.
        """
        names, person = people_of(X)
        width = 0.0 if self.width == "auto" else self.width
        if not is_number(width) or width < 0:
            raise ValueError(f"width={self.width!r}; it must be 'auto' or a number not below 0")
        asked = _Asked(X, person, len(names), count_objects(X.comparisons, self.n_objects))
        own, loss, held = np.ones(len(names), dtype=bool), (self.loss,), None
        self.choice_ = None
        if self.width == "auto":
            own, width, loss, held = self._choose(asked)
        self.common_ = base = self._common(asked, *loss)
        fit = _fit_weights(asked, base, own, width, self.max_iter, verbose=self.verbose)
        self.embedding_ = np.where(np.isnan(base.embedding_), np.nan, fit.points)
        self.loss_, self.width_, self._history = base.loss_, width, fit.history
        self._logs, self._row = fit.logs, {str(name): row for row, name in enumerate(names)}
        self._lapse = np.append(fit.lapses, fit.lapses.mean())
        self.people_ = _table(names, asked, fit, own & (width > 0), width, held)
        return self

    def embedding_of(self, person: int | str) -> np.ndarray:
        """Return the map of a person; someone who gave no answers has the common map.

        It is `embedding_`, with each column multiplied by the square root of scale and weight.
        """
        check_is_fitted(self)
        return self.embedding_ * np.exp(0.5 * self._logs[self._row.get(str(person), -1)])

    def __sklearn_is_fitted__(self):
        return hasattr(self, "embedding_")

    @property
    def _loss(self):
        return self.loss_

    def _n_fitted(self):
        return len(self.embedding_)

    def _rows(self, X):
        """Return for each comparison the row of its participant's log weights."""
        if not isinstance(X, Answers) or X.participant is None:
            return np.full(len(X), -1)
        names, person = np.unique(X.participant, return_inverse=True)
        return np.array([self._row.get(str(name), -1) for name in names])[person][X.screen]

    def _lapses_of(self, X):
        return self._lapse[self._rows(X)]

    def _distances_of(self, comparisons):
        check_is_fitted(self)
        quadruplets = to_quadruplets(check_comparisons(comparisons, self._n_fitted()))
        logs = self._logs[self._rows(comparisons)]
        return _squared_distances(self.embedding_, logs, quadruplets)

    def _both_distances(self, quadruplets):
        return _squared_distances(self.embedding_, self._logs[-1:], quadruplets)

    def _common(self, asked, loss, strength="prior"):
        """Return the fitted common map."""
        model = OrdinalEmbedding(
            self.n_components,
            loss=loss,
            strength=strength,
            n_objects=asked.n_objects,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )
        with missing_objects_allowed():
            model.fit(asked.answers)
        if not hasattr(model.loss_, "probability"):
            raise ValueError(
                f"loss={self.loss!r}: it has no probabilities; take {probable_losses()}"
            )
        return model

    def _choose(self, asked):
        """Return who has own weights, their width, the loss, and the held-out hits."""
        held = asked.held_out()
        everyone = np.ones(asked.n_people, dtype=bool)
        if min(held.sum(), (~held).sum()) < _LEAST:
            return everyone, 0.0, (self.loss,), None
        train, test = asked.take(~held), asked.take(held)
        base = self._common(train, self.loss)
        shared = asked.shares_questions()
        tried = [(~everyone, 0.0)]
        for own in [everyone] if shared.all() or not shared.any() else [shared, everyone]:
            tried += [(own, width) for width in WIDTHS]
        right, losses = np.empty((2, len(tried), test.answers.n_screens))

        def try_out(number):
            fit = _fit_weights(train, base, *tried[number], _QUICK, _ROUGH)
            right[number], losses[number] = test.results(fit)

        fit_many(try_out, len(tried), self.n_jobs, "widths", progress=False)
        size = np.bincount(test.answers.screen, test.answers.sample_weight)
        self.choice_ = pd.DataFrame(
            {
                "width": [width for _, width in tried],
                "people": [own.sum() for own, _ in tried],
                "error": 1 - right.sum(axis=1) / size.sum(),
                "log_loss": losses.sum(axis=1) / size.sum(),
            }
        )
        best = _widest_good(losses, right, [own.sum() for own, _ in tried])
        own, width = tried[best]
        per_person = [
            np.bincount(test.person, amount, minlength=asked.n_people)
            for amount in (right[best], right[0], size)
        ]
        # As for a prior, the strength falls as the answers grow.
        share = train.answers.sample_weight.sum() / asked.answers.sample_weight.sum()
        return own, width, (base.loss_, base.strength_ * share), per_person


@dataclass(frozen=True, eq=False)
class _Asked:
    """Answers, and the number of the person who gave each."""

    answers: Answers
    person: np.ndarray  # of each screen
    n_people: int
    n_objects: int

    def take(self, screens):
        return _Asked(
            self.answers.take(screens), self.person[screens], self.n_people, self.n_objects
        )

    @property
    def of(self):
        """The person of each comparison."""
        return self.person[self.answers.screen]

    def held_out(self):
        """Return which screens to hold out: about a fifth of the questions of each person."""
        number = number_rows(self.person, self.answers.question).astype(np.uint64)
        return hash_numbers(number) % np.uint64(_FOLDS) == 0

    def shares_questions(self):
        """Return who answered at least half of their questions together with someone else."""
        question = self.answers.question
        pairs = np.unique(np.stack([question, self.person]), axis=1)
        shared = np.bincount(pairs[0], minlength=question.max() + 1)[question] > 1
        share = np.bincount(self.person, shared, self.n_people)
        return share >= np.bincount(self.person, minlength=self.n_people) / 2

    def results(self, fit):
        """Return for each screen how many comparisons are predicted, and their log loss."""
        quadruplets = to_quadruplets(self.answers.comparisons)
        a, b = _squared_distances(fit.points, fit.logs[self.of], quadruplets)
        probability = fit.loss.probability(a, b, fit.points.shape[1])
        losses = -np.log(likelihoods(probability, fit.lapses[self.of]))
        screen, weight = self.answers.screen, self.answers.sample_weight
        return np.bincount(screen, weight * (a < b)), np.bincount(screen, weight * losses)


@dataclass(frozen=True, eq=False)
class _Fit:
    """Points of the common map, log weights of people (a last row is new), and lapse rates."""

    points: np.ndarray
    logs: np.ndarray
    lapses: np.ndarray
    loss: Loss
    history: list


def _squared_distances(points, logs, quadruplets):
    """Return the squared distances of both pairs, for the log weights of each row."""
    i, j, l, k = points[quadruplets].transpose(1, 0, 2)
    weights = np.exp(logs)
    return (weights * (i - j) ** 2).sum(axis=1), (weights * (l - k) ** 2).sum(axis=1)


def _fit_weights(asked, base, own, width, max_iter, tol=_TOL, verbose=0):
    """Fit points and people, from the common map on; people without own weights share a row."""
    points = np.nan_to_num(base.embedding_)
    own = own & (width > 0)
    row = np.where(own, np.cumsum(own) - 1, own.sum())
    objective = PeopleObjective(
        base.loss_,
        Places(asked.answers.comparisons, asked.of, len(points)),
        points.shape,
        row,
        Widths(_SCALE, width),
        base.strength_ * len(points) / np.isfinite(base.embedding_[:, 0]).sum(),
        asked.answers.sample_weight,
    )
    trace = Trace(objective, max_iter, tol, None, verbose)
    start = pad(np.vstack([points, np.zeros((row.max() + 1, points.shape[1]))]))
    try:
        found = LBFGS().minimize(objective, start, trace, None)
    finally:
        trace.close()
    objective.value(found)  # finds the lapse rates; the last trial was at other points
    points, logs = objective.points(found), objective.logs(found)[row]
    common = np.zeros(points.shape[1]) if own.all() else logs[np.flatnonzero(~own)[0]]
    points, logs = points * np.exp(0.5 * common), np.vstack([logs - common, 0 * common])
    return _Fit(points, logs, objective.lapses, base.loss_, trace.rows)


def _widest_good(losses, right, n_own):
    """Return the number of the fit to take, for held-out losses and hits of each fit and screen.

    Fits are good if they are better than the first, by more than one standard error, and predict
    as many comparisons. Of the good fits with as many people as the best, the last one is taken
    that is not worse than the best by more than one standard error.
    """

    def is_worse(one, other):
        gap = losses[one] - losses[other]
        return gap.sum() > np.sqrt((gap**2).sum())

    hits = right.sum(axis=1)
    good = [n for n in range(1, len(losses)) if is_worse(0, n) and hits[n] >= hits[0]]
    if not good:
        return 0
    best = min(good, key=lambda n: losses[n].sum())
    return max(n for n in good if n_own[n] == n_own[best] and not is_worse(n, best))


def people_of(answers):
    """Return the participants' names, at least two, and the number of each screen's participant."""
    if not isinstance(answers, Answers):
        raise ValueError("X: give Answers with participants")
    person = number_people(answers, "people are compared")
    names = np.unique(answers.participant)
    if len(names) < 2:
        raise ValueError(
            f"all answers are of {names.tolist()[0]!r}; two participants or more are needed"
        )
    for one, other, *_ in look_alikes(names) if names.dtype.kind == "U" else ():
        raise ValueError(
            f"the participants {one!r} and {other!r} differ only by blanks or case; give one "
            "name to each person"
        )
    return names, person


def _table(names, asked, fit, own, width, held):
    """Return the table of people."""
    n_people, n_components = len(names), fit.points.shape[1]
    columns = {
        "participant": names,
        "n_answers": np.bincount(asked.person, minlength=n_people),
        "own": own,
    }

    def add(name, value, low, high):
        columns.update({name: value, f"{name}_low": low, f"{name}_high": high})

    mean = np.full(n_components, 1 / n_components)
    parts = np.vstack([mean, np.eye(n_components) - mean])
    spread = _spread(asked, fit, own, width)
    of_logs = np.einsum("ka,pab,kb->kp", parts, spread[:, :-1, :-1], parts)
    half = Z90 * np.sqrt(np.where(own, of_logs, np.nan))
    for number, (part, ends) in enumerate(zip(parts, half, strict=True)):
        value = fit.logs[:-1] @ part
        name = f"weight_{number}" if number else "scale"
        add(name, *np.exp([value, value - ends, value + ends]))
    half = Z90 * np.sqrt(spread[:, -1, -1]) if isinstance(fit.loss, STE) else np.nan
    add("lapse", fit.lapses, *np.clip([fit.lapses - half, fit.lapses + half], 0, 1))
    hits, hits_common, n_held = held or (np.zeros(n_people),) * 3
    with np.errstate(invalid="ignore"):
        add("accuracy", hits / n_held, *share_interval(hits, n_held))
        add("accuracy_common", hits_common / n_held, *share_interval(hits_common, n_held))
    return pd.DataFrame(columns)


def _spread(asked, fit, own, width):
    """Return the covariance of each person's log weights, known if not own, and lapse rate."""
    answers, n_components = asked.answers, fit.points.shape[1]
    precision = np.zeros((asked.n_people, n_components + 1, n_components + 1))
    precision[:] = np.diag([*[_KNOWN] * n_components, 12])  # a uniform rate has variance 1/12
    if own.any():
        precision[own, :-1, :-1] = Widths(_SCALE, width).precision(n_components)
    comparisons = to_quadruplets(answers.comparisons)
    slopes = log_slopes(fit.loss, fit.points, fit.logs, comparisons, asked.of)
    # A low rate is evaluated as an average one: at zero, one certain answer would say all about it.
    lapses = np.maximum(fit.lapses, fit.lapses.mean() + 1 / len(asked.person))
    slopes = slopes_with_lapses(slopes, lapses[asked.of])
    weight, who = answers.sample_weight, (asked.of, asked.n_people)
    return covariances(slopes, precision, weight, answers.screen, *who)
