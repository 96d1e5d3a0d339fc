"""Solvers: what minimizes the mean loss of comparisons over the points X.

A solver is a small estimator with the method ``minimize(objective, X, trace, rng)``: it moves the
padded points X, asks the `trace` after about every epoch whether to stop, draws its random
numbers from `rng`, and returns the points. It never knows which loss it minimizes.
"""

from relsim.optimize.batch import LBFGS, Batch
from relsim.optimize.objective import Objective
from relsim.optimize.sgd import SGD
from relsim.optimize.svrg import SVRG
from relsim.optimize.trace import Trace

__all__ = ["LBFGS", "SGD", "SVRG", "Batch", "Objective", "Trace", "make_solver"]

SOLVERS = {"auto": LBFGS, "batch": Batch, "l-bfgs": LBFGS, "sgd": SGD, "svrg": SVRG}


def make_solver(solver):
    """Return the solver that a name stands for; an object is returned as it is.

    Parameters
    ----------
    solver : {"auto", "batch", "l-bfgs", "sgd", "svrg"} or solver
        "auto" is L-BFGS: the fastest safe choice in our measurements, for every loss.

    Returns
    -------
    solver

    Raises
    ------
    ValueError
        If there is no solver of that name.

    Examples
    --------
    >>> make_solver("svrg")
    SVRG()
    """
    if hasattr(solver, "minimize"):
        return solver
    if solver not in SOLVERS:
        raise ValueError(f"solver={solver!r}; it must be a solver or one of {', '.join(SOLVERS)}")
    return SOLVERS[solver]()
