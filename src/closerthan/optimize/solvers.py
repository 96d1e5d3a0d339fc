"""Find solvers by name, in the table of `closerthan.optimize`."""

from sklearn.base import BaseEstimator

from closerthan.discovery import find_class, make_named

_PACKAGE = "closerthan.optimize"


def find_solver(class_name: str) -> type:
    """Return the class of a solver by its name; if unknown, raise a ValueError with all names.

    Examples
    --------
    >>> find_solver("SVRG")
    <class 'closerthan.optimize.svrg.SVRG'>
    """
    return find_class(class_name, _PACKAGE)


def make_solver(solver: str | BaseEstimator) -> BaseEstimator:
    """Return a solver by its name; a solver is returned unchanged.

    Case and hyphens do not matter. An error lists the names.

    Examples
    --------
    >>> make_solver("svrg")
    SVRG()
    """
    if hasattr(solver, "minimize"):
        return solver
    return make_named("solver", solver, _PACKAGE, "a solver")
