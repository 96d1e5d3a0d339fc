"""Similarities x'My of feature vectors, learned from triplets.

`OASIS` and `SDCA` learn M from triplets (i, j, k) of rows of X: x_i' M x_j > x_i' M x_k.
"""

from closerthan.similarity.oasis import OASIS
from closerthan.similarity.sdca import SDCA

__all__ = ["OASIS", "SDCA"]
