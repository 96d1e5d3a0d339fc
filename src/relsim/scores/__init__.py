"""How good is it: triplet error, Procrustes distance, stress and retrieval scores."""

from .embedding import procrustes_align, procrustes_distance, triplet_error
from .retrieval import (
    average_precision,
    mean_average_precision,
    precision_at_k,
    recall_at_k,
    retrieval_scores,
)
from .stress import normalized_stress, raw_stress

__all__ = [
    "average_precision",
    "mean_average_precision",
    "normalized_stress",
    "precision_at_k",
    "procrustes_align",
    "procrustes_distance",
    "raw_stress",
    "recall_at_k",
    "retrieval_scores",
    "triplet_error",
]
