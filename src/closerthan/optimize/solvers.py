"""Find solvers by name, in the table of `closerthan.optimize`."""

from sklearn.base import BaseEstimator

from closerthan.discovery import find_class, make_named

_PACKAGE = "closerthan.optimize"


def find_solver(class_name: str) -> type:
    """Return the class of a solver by its name; if unknown, list all names in a ValueError."""
    return find_class(class_name, _PACKAGE)


def make_solver(solver: str | BaseEstimator) -> BaseEstimator:
    """Return a solver by its name; a solver is returned unchanged, and case does not matter."""
    if hasattr(solver, "minimize"):
        return solver
    return make_named("solver", solver, _PACKAGE, "a solver")
