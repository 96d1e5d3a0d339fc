"""Dimensions that explain odd ones out, and which of them other random starts find again."""

from closerthan_lab.spose.refits import Reproducibility, largest_correlations, reproducibility
from closerthan_lab.spose.spose import SPoSE

__all__ = ["Reproducibility", "SPoSE", "largest_correlations", "reproducibility"]
