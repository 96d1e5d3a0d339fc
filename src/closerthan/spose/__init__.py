"""Which dimensions of `closerthan.SPoSE` are found again.

`SPoSE` learns dimensions that explain odd ones out. `reproducibility` says which of them other
random starts find again.
"""

from closerthan.spose.refits import Reproducibility, largest_correlations, reproducibility

__all__ = ["Reproducibility", "largest_correlations", "reproducibility"]
