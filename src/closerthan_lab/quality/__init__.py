"""The quality of people's answers: agreement, noise ceiling, inconsistency, guessers.

These functions judge answers, without a map. `closerthan.scores` judges maps.
"""

from closerthan_lab.quality.agreement import agreement
from closerthan_lab.quality.ceiling import noise_ceiling
from closerthan_lab.quality.inconsistency import inconsistency
from closerthan_lab.quality.multiplicity import holm

__all__ = ["agreement", "holm", "inconsistency", "noise_ceiling"]
