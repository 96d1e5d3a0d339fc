"""Cross-validation: how well a map predicts held-out answers."""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GroupKFold

from closerthan._core.threads import Team, count_threads


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions of held-out comparisons.

    `holds` says for each comparison whether the map fitted to the other folds predicts it.
    `probability` is the probability that this map gives the observed answer, or None if the loss
    has no probabilities. `error` is the weighted share of comparisons that are predicted wrongly.
    `standard_error` is its standard error, from the spread between folds.
    """

    holds: np.ndarray
    probability: np.ndarray | None
    error: float
    standard_error: float


def predict_held_out(model, answers, *, features=None, n_folds=5, n_jobs=None, random_state=0):
    """Predict each fold of questions with a model fitted to the other folds.

    All answers to a question are in the same fold. Otherwise a repeated question would help to
    predict itself.
    """
    folds = question_folds(answers, n_folds, random_state)
    n_objects = int(answers.comparisons.max()) + 1 if features is None else len(features)
    holds = np.zeros(len(answers), dtype=bool)
    probability = np.full(len(answers), np.nan)

    def predict(fold):
        train, test = folds[fold]
        rows = np.isin(answers.screen, test)
        fit = clone(model).set_params(n_objects=n_objects)
        fit.fit(answers.take(train), **({} if features is None else {"features": features}))
        holds[rows] = fit.predict(answers.comparisons[rows])
        if hasattr(fit, "predict_proba"):
            probability[rows] = fit.predict_proba(answers.comparisons[rows])[:, 1]

    with warnings.catch_warnings(), Team(count_threads(n_jobs)) as team:
        # Expected within a fold: comparisons with such an object count as errors.
        warnings.filterwarnings("ignore", "[0-9]+ of [0-9]+ objects occur in no comparison")
        team.each(predict, range(n_folds))
    return _sum_up(answers, folds, holds, probability)


def question_folds(answers, n_folds, random_state):
    """Return for each fold of questions the screens to fit to, and those to predict."""
    question = answers.question
    n_questions = int(question.max()) + 1
    if n_questions < n_folds:
        raise ValueError(
            f"the answers are to {n_questions} different questions; cross-validation needs "
            f"{n_folds} or more"
        )
    folds = GroupKFold(n_folds, shuffle=True, random_state=random_state)
    return list(folds.split(question, groups=question))


def _sum_up(answers, folds, holds, probability):
    weight = answers.sample_weight
    rows = [np.isin(answers.screen, test) for _, test in folds]
    errors = [np.average(~holds[row], weights=weight[row]) for row in rows if weight[row].any()]
    return HeldOut(
        holds,
        None if np.isnan(probability).any() else probability,
        error=float(np.average(~holds, weights=weight)),
        standard_error=float(np.std(errors, ddof=1) / np.sqrt(len(errors))),
    )
