"""Dimensions that explain odd ones out: sparse and not negative, so that people can name them.

`SPoSE` learns them. `reproducibility` says which of them are found again from other random starts.
"""

from closerthan.spose.model import SPoSE
from closerthan.spose.refits import Reproducibility, largest_correlations, reproducibility

__all__ = ["Reproducibility", "SPoSE", "largest_correlations", "reproducibility"]
