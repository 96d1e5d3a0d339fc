"""Scores of a map or a ranking: error, calibration, Procrustes distance, retrieval, stress."""

from closerthan.scores.error import kernel_error, triplet_error
from closerthan.scores.probability import (
    brier_score,
    expected_calibration_error,
    log_loss,
    reliability_curve,
)
from closerthan.scores.procrustes import procrustes_align, procrustes_distance
from closerthan.scores.retrieval import (
    average_precision,
    mean_average_precision,
    precision_at_k,
    recall_at_k,
    retrieval_scores,
)
from closerthan.scores.stress import normalized_stress, raw_stress

__all__ = [
    "average_precision",
    "brier_score",
    "expected_calibration_error",
    "kernel_error",
    "log_loss",
    "mean_average_precision",
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
