"""Scores: accuracy, calibration, retrieval, stress, agreement of people and noise ceiling."""

from closerthan.scores.agreement import agreement
from closerthan.scores.ceiling import noise_ceiling
from closerthan.scores.embedding import procrustes_align, procrustes_distance, triplet_error
from closerthan.scores.inconsistency import inconsistency
from closerthan.scores.multiplicity import holm
from closerthan.scores.probability import (
    brier_score,
    expected_calibration_error,
    log_loss,
    reliability_curve,
)
from closerthan.scores.retrieval import (
    average_precision,
    mean_average_precision,
    precision_at_k,
    recall_at_k,
    retrieval_scores,
)
from closerthan.scores.stress import normalized_stress, raw_stress

__all__ = [
    "agreement",
    "average_precision",
    "brier_score",
    "expected_calibration_error",
    "holm",
    "inconsistency",
    "log_loss",
    "mean_average_precision",
    "noise_ceiling",
    "normalized_stress",
    "precision_at_k",
    "procrustes_align",
    "procrustes_distance",
    "raw_stress",
    "recall_at_k",
    "reliability_curve",
    "retrieval_scores",
    "triplet_error",
]
