"""Solvers, which minimize the mean loss of comparisons over the points X.

A solver has the method ``minimize(objective, X, trace, rng)``. It moves the padded points X and
returns them. After about every epoch, it asks the `trace` whether to stop. Random numbers come from
`rng`. A solver does not depend on the loss. `NAMES` has the short names of the solvers.
"""

from closerthan._core.faces import lazy_face as _lazy_face

NAMES = {  # module and class of each solver
    "auto": "auto.Auto",
    "batch": "batch.Batch",
    "l-bfgs": "lbfgs.LBFGS",
    "minibatch-sgd": "minibatch.MiniBatchSGD",
    "sgd": "sgd.SGD",
    "svrg": "svrg.SVRG",
}
# The module of each public name.
_PLACES = {name: module for module, name in (place.split(".") for place in NAMES.values())} | {
    "LapsingObjective": "lapse",
    "Objective": "objective",
    "Trace": "trace",
    "make_solver": "solvers",
}
__all__ = [*_PLACES]

__getattr__, __dir__ = _lazy_face(__name__, _PLACES)
