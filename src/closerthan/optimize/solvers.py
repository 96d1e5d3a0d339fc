"""Solvers by name: every estimator that a module of this package defines is one."""

from sklearn.base import BaseEstimator

from closerthan.discovery import find_class, make_named

_PACKAGE = "closerthan.optimize"


def find_solver(class_name: str) -> type:
    """Return the class of a solver by its name; a ValueError says which there are.

    Examples
    --------
    >>> find_solver("SVRG")
    <class 'closerthan.optimize.svrg.SVRG'>
    """
    return find_class(class_name, _PACKAGE)


def make_solver(solver: str | BaseEstimator) -> BaseEstimator:
    """Return the solver that a name stands for (or a ValueError); a solver is returned as it is.

    Parameters
    ----------
    solver : {"auto", "batch", "l-bfgs", "minibatch-sgd", "sgd", "svrg"} or solver
        The short name of a class in this package, or in an entry point of the group
        ``closerthan.optimize``; neither case nor hyphens matter.

    Returns
    -------
    solver

    Examples
    --------
    >>> make_solver("svrg")
    SVRG()
    """
    if hasattr(solver, "minimize"):
        return solver
    return make_named("solver", solver, _PACKAGE, "a solver")
