"""Solvers, which minimize the mean loss of comparisons over the points X.

A solver is a small estimator with the method ``minimize(objective, X, trace, rng)``. The method
moves the padded points X and returns them. After about every epoch, it asks the `trace` whether to
stop. Random numbers come from `rng`. A solver does not depend on the loss. `make_solver` finds
every class with this method in this package, and solvers of other packages by their entry points
(see `closerthan.discovery`).
"""

from closerthan.discovery import lazy_face as _lazy_face

__getattr__, __dir__ = _lazy_face(__name__, r"[A-Z]\w*|(find|make)_solver")
