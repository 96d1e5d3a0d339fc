"""Scores of predicted probabilities: log loss, Brier score and calibration.

All scores take the probabilities of the given answers, column 1 of ``predict_proba(answers)``.
Reliability is computed for the answer that the model predicts, with the probability max(p, 1 - p),
because the order of the two answers in a comparison is arbitrary.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from closerthan._core.validation import as_floats, check_count, check_weights, refuse_entries


def log_loss(
    probability: ArrayLike, comparisons: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Compute the weighted mean of -log(p), where p is the probability of the given answer.

    Coin tosses give log(2). The loss is infinite if a given answer had probability 0.

    Parameters
    ----------
    probability : array_like of shape (n,) or (n, 2)
        Probabilities of the given answers, from 0 to 1, or the result of `predict_proba`.
    comparisons : Answers or array_like of shape (n, 3) or (n, 4)
        The given answers. Only their number and their weights are used.
    sample_weight : array_like of shape (n,), optional
        Weights of the comparisons; by default those of `Answers`, or 1.

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
    """Compute the weighted mean of (1 - p)^2, where p is the probability of the given answer.

    This equals the `brier_score_loss` of scikit-learn. The original score (Brier, Verification of
    forecasts expressed in terms of probability, Monthly Weather Review 78, 1950) sums over both
    answers and is twice as large. Coin tosses give 1/4. Parameters as for `log_loss`.

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
    """Compute the accuracy of predicted answers in bins of their probability.

    The probabilities of the predicted answers, from 1/2 to 1, are divided into bins of equal width.
    A prediction of exactly 1/2 counts as half right.

    Parameters
    ----------
    probability, comparisons, sample_weight
        As for `log_loss`.
    n_bins : int, default 10

    Returns
    -------
    DataFrame with the columns prob_pred, prob_true and weight
        One row per bin that is not empty: mean probability of the predicted answers, share of right
        predictions (both weighted), and the sum of the weights.

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
    """Compute the weighted mean distance between the two columns of the `reliability_curve`.

    Naeini, Cooper and Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning,
    AAAI 2015. The error of a calibrated model is above zero by chance: by about
    0.8 sqrt(p (1 - p) / n) in a bin of n answers with probability p, and at most 0.4 / sqrt(n).
    Parameters as for `reliability_curve`.

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
    probability, n = as_floats(probability, "probability"), len(comparisons)
    if probability.shape not in ((n,), (n, 2)) or not n:
        raise ValueError(
            f"probability has shape {probability.shape}; it must be ({n},) or ({n}, 2), one row "
            "per comparison"
        )
    if probability.ndim == 2:
        probability = probability[:, 1]
    bad = ~((probability >= 0) & (probability <= 1))
    refuse_entries(bad, probability, "probability", "it must be from 0 to 1")
    weights = check_weights(sample_weight, comparisons)
    return probability, np.ones(n) if weights is None else weights
