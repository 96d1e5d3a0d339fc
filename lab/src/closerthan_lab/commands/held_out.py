"""Cross-validation: how well a map predicts held-out answers."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import GroupKFold
from tqdm import tqdm

from closerthan.comparisons.check import count_objects
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan_lab.fit_many import fit_many
from closerthan_lab.people.posterior import share_interval

FOLDS = 5  # of questions


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions of held-out comparisons.

    `holds` says for each comparison whether the map fitted to the other folds predicts it. `placed`
    says whether this map has all objects of the comparison; if not, it does not hold.
    `probability` is the probability that this map gives the observed answer, or None if the loss
    has no probabilities. `error` is the weighted share of comparisons that are predicted wrongly.
    `standard_error` is its standard error, from the spread between questions.
    """

    holds: np.ndarray
    placed: np.ndarray
    probability: np.ndarray | None
    error: float
    standard_error: float


def predict_held_out(
    model, answers, *, features=None, n_folds=FOLDS, n_jobs=None, random_state=0, progress=False
):
    """Predict each fold of questions, with all answers to them, by a fit to the other folds."""
    folds = question_folds(answers, n_folds, random_state)
    n_objects = count_objects(answers.comparisons, None if features is None else len(features))
    holds, placed = np.zeros((2, len(answers)), dtype=bool)
    probability = np.full(len(answers), np.nan)

    def predict(fold):
        train, test = folds[fold]
        rows = np.isin(answers.screen, test)
        fit = clone(model).set_params(n_objects=n_objects)
        fit.fit(answers.take(train), features=features)
        holds[rows] = fit.predict(answers.comparisons[rows])
        placed[rows] = np.isfinite(fit.embedding_[answers.comparisons[rows], 0]).all(axis=1)
        if hasattr(fit, "predict_proba"):
            probability[rows] = fit.predict_proba(answers.comparisons[rows])[:, 1]

    fit_many(predict, n_folds, n_jobs, "folds", progress)
    return HeldOut(
        holds,
        placed,
        None if np.isnan(probability).any() else probability,
        *weighted_share(~holds, answers),
    )


def split_half_reliability(answers, n_components, random_state=0, progress=False):
    """Return how well a map of half of a participant's questions predicts the other half.

    Both halves are predicted once, and nobody else's answers are used. Only comparisons of objects
    that occur in both halves count. Someone with fewer answers than ten or than objects has NaN.

    Returns a DataFrame with one row per participant: ``participant``, ``n_answers``,
    ``reliability``, and the ends of its 90 % interval, ``low`` and ``high``.
    """
    names, person = np.unique(answers.participant, return_inverse=True)
    model = OrdinalEmbedding(n_components, random_state=random_state)
    n_answers = np.bincount(person)
    hits, n = np.zeros(len(names)), np.zeros(len(names))
    for number in tqdm(range(len(names)), "participants", disable=not progress):
        own = answers.take(person == number)
        ids = np.unique(own.comparisons, return_inverse=True)[1].reshape(own.comparisons.shape)
        enough = own.n_screens >= max(ids.max() + 1, 10) and ids.max() >= n_components
        if enough and own.question.max() > 0:
            own = replace(own, comparisons=ids)
            held_out = predict_held_out(model, own, n_folds=2, random_state=random_state)
            hits[number], n[number] = count_hits(own, held_out)
    low, high = share_interval(hits, n)
    shares = np.divide(hits, n, out=np.full(len(n), np.nan), where=n > 0)
    columns = {"reliability": shares, "low": low, "high": high}
    return pd.DataFrame({"participant": names, "n_answers": n_answers, **columns})


def count_hits(answers, held_out):
    """Return the number of screens that are predicted, in shares of comparisons, and of all."""
    screen = answers.screen[held_out.placed]
    n = np.bincount(screen)
    hits = np.bincount(screen, held_out.holds[held_out.placed])
    return (hits[n > 0] / n[n > 0]).sum(), (n > 0).sum()


def question_folds(answers, n_folds, random_state):
    """Return for each fold of questions the screens to fit to, and those to predict."""
    question = answers.question
    n_questions = int(question.max()) + 1
    if n_questions < n_folds:
        raise ValueError(
            f"the answers are to {n_questions} different question{'s' * (n_questions > 1)}; "
            f"cross-validation needs {n_folds} or more; ask more questions"
        )
    folds = GroupKFold(n_folds, shuffle=True, random_state=random_state)
    return list(folds.split(question, groups=question))


def weighted_share(rows, answers):
    """Return the weighted share of some comparisons, and its standard error between questions."""
    weight = answers.sample_weight
    share = float(np.average(rows, weights=weight))
    of_question = np.bincount(answers.question[answers.screen], weight * (rows - share))
    spread = np.sqrt((of_question**2).sum() * len(of_question) / (len(of_question) - 1))
    return share, float(spread / weight.sum())
