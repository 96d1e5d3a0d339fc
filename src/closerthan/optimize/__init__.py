"""Solvers: what minimizes the mean loss of comparisons over the points X.

A solver is a small estimator with the method ``minimize(objective, X, trace, rng)``: it moves the
padded points X, asks the `trace` after about every epoch whether to stop, draws its random
numbers from `rng`, and returns the points. It never knows which loss it minimizes. A class with
this method in a module of this package is a solver that `make_solver` finds; other packages name
theirs in entry points (see `closerthan.discovery`).
"""

from closerthan.discovery import lazy_face as _lazy_face

__getattr__, __dir__ = _lazy_face(__name__, r"[A-Z]\w*|(find|make)_solver")
