"""How good is it: triplet error, Procrustes distance and retrieval scores."""

from .embedding import procrustes_align, procrustes_distance, triplet_error
from .retrieval import (
    average_precision,
    mean_average_precision,
    precision_at_k,
    recall_at_k,
    retrieval_scores,
)

__all__ = [
    "average_precision",
    "mean_average_precision",
    "precision_at_k",
    "procrustes_align",
    "procrustes_distance",
    "recall_at_k",
    "retrieval_scores",
    "triplet_error",
]
