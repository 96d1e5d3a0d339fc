"""Find solvers by their names in the table of `closerthan.optimize`."""

from sklearn.base import BaseEstimator

from closerthan.discovery import make_named


def make_solver(solver: str | BaseEstimator) -> BaseEstimator:
    """Return a solver by its name; a solver is returned unchanged, and case does not matter."""
    if hasattr(solver, "minimize"):
        return solver
    return make_named("solver", solver, "closerthan.optimize", "a solver")
