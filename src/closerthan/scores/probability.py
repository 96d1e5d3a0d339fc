"""How good probabilities of answers are: log loss, Brier score, and whether they are calibrated.

What is scored are the probabilities that a model gave to the answers that people then gave, as
``model.predict_proba(answers)`` has them in its column 1.

Which of the two answers is written as the comparison is arbitrary. So reliability is that of the
answer that the model takes for the likelier one, whose probability is the larger of p and 1 - p.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from closerthan._core.validation import check_count, check_weights


def log_loss(
    probability: ArrayLike, comparisons: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean of -log(p) over the answers, by weight, p being the probability of the one given.

    Parameters
    ----------
    probability : array-like of shape (n,) or (n, 2)
        Of the answers that were given, from 0 to 1; or what `predict_proba` returns.
    comparisons : Answers or array-like of shape (n, 3) or (n, 4)
        These answers. They count as many as there are probabilities, and by their weights.
    sample_weight : array-like of shape (n,), default=None
        Weights of the comparisons; by default those of `Answers`, and of an array 1.

    Returns
    -------
    float
        Not negative; log(2) for coin tosses, and infinite if an answer was given that had no
        probability.

    Raises
    ------
    ValueError
        If there are not as many probabilities as comparisons, or one is not from 0 to 1, or a
        weight is negative or not finite.

    Examples
    --------
    >>> round(log_loss([0.5, 0.25], [[0, 1, 2], [1, 0, 2]]), 4)  # (log 2 + log 4) / 2
    1.0397
    """
    probability, weights = _check(probability, comparisons, sample_weight)
    with np.errstate(divide="ignore"):
        losses = -np.log(probability[weights > 0])
    return float(np.average(losses, weights=weights[weights > 0]))


def brier_score(
    probability: ArrayLike, comparisons: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean of (1 - p)^2 over the answers, by weight, p being the probability of the one given.

    It is the `brier_score_loss` of scikit-learn, after Brier, Verification of forecasts expressed
    in terms of probability, Monthly Weather Review 78, 1950, whose sum over both answers is twice
    that. Parameters and errors are those of `log_loss`.

    Returns
    -------
    float
        From 0 to 1; 1/4 for coin tosses.

    Examples
    --------
    >>> brier_score([0.5, 0.0], [[0, 1, 2], [1, 0, 2]])
    0.625
    """
    probability, weights = _check(probability, comparisons, sample_weight)
    return float(np.average((1 - probability) ** 2, weights=weights))


def reliability_curve(
    probability: ArrayLike,
    comparisons: ArrayLike,
    *,
    n_bins: int = 10,
    sample_weight: ArrayLike | None = None,
) -> pd.DataFrame:
    """How often the likelier answer is given, beside the probability that the model gave it.

    The probabilities of the likelier answers, from 1/2 to 1, are cut into bins of equal width.
    Where both answers were as likely, half of one was right. Columns are called as by the
    `calibration_curve` of scikit-learn.

    Parameters
    ----------
    probability, comparisons, sample_weight
        As for `log_loss`, and with the same errors.
    n_bins : int, default=10

    Returns
    -------
    DataFrame with the columns prob_pred, prob_true and weight
        A row a bin that is not empty: mean probability of the likelier answer, share of the answers
        that were this one, both by weight, and the sum of the weights.

    Examples
    --------
    >>> reliability_curve([0.9, 0.9, 0.1, 0.6], [[0, 1, 2]] * 4, n_bins=2)
       prob_pred  prob_true  weight
    0        0.6   1.000000     1.0
    1        0.9   0.666667     3.0
    """
    check_count("n_bins", n_bins)
    probability, weights = _check(probability, comparisons, sample_weight)
    likelier = np.maximum(probability, 1 - probability)
    right = (1 + np.sign(probability - 0.5)) / 2
    place = np.minimum((2 * n_bins * (likelier - 0.5)).astype(int), n_bins - 1)
    total, predicted, true = (
        np.bincount(place, weights * x, n_bins) for x in (np.ones(len(place)), likelier, right)
    )
    filled = total > 0
    total = total[filled]
    columns = {"prob_pred": predicted[filled] / total, "prob_true": true[filled] / total}
    return pd.DataFrame({**columns, "weight": total})


def expected_calibration_error(
    probability: ArrayLike,
    comparisons: ArrayLike,
    *,
    n_bins: int = 10,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean distance, by weight, between the two shares of the `reliability_curve`.

    Naeini, Cooper and Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning,
    AAAI 2015. Chance alone brings it above zero: by some 0.8 sqrt(p (1 - p) / n) in a bin of n
    answers at p, so at most by 0.4 / sqrt(n). Other parameters and errors are those of
    `reliability_curve`.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> answers = [[0, 1, 2]] * 4
    >>> round(expected_calibration_error([0.9, 0.9, 0.1, 0.6], answers, n_bins=2), 3)
    0.275
    """
    curve = reliability_curve(probability, comparisons, n_bins=n_bins, sample_weight=sample_weight)
    gaps = (curve["prob_pred"] - curve["prob_true"]).abs()
    return float(np.average(gaps, weights=curve["weight"]))


def _check(probability, comparisons, sample_weight):
    """Return the probabilities of the answers that were given, and their weights."""
    probability, n = np.asarray(probability, dtype=float), len(comparisons)
    if probability.shape not in ((n,), (n, 2)) or not n:
        raise ValueError(
            f"probability has shape {probability.shape}; it must be ({n},) or ({n}, 2), a row a "
            "comparison"
        )
    if probability.ndim == 2:
        probability = probability[:, 1]
    bad = ~((probability >= 0) & (probability <= 1))
    if bad.any():
        row = bad.argmax()
        raise ValueError(
            f"probability, row {row}: {probability[row]}; probabilities are from 0 to 1"
        )
    weights = check_weights(sample_weight, comparisons)
    return probability, np.ones(n) if weights is None else weights
