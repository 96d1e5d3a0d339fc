"""The quality of people's answers, judged without a map: agreement, ceiling, guessers."""

from closerthan_lab.quality.agreement import agreement
from closerthan_lab.quality.ceiling import noise_ceiling
from closerthan_lab.quality.inconsistency import inconsistency
from closerthan_lab.quality.multiplicity import holm

__all__ = ["agreement", "holm", "inconsistency", "noise_ceiling"]
