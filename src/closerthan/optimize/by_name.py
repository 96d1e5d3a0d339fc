"""Solvers by name: every estimator that a module of this package defines is one."""

from sklearn.base import BaseEstimator

from closerthan.discovery import find_by_short_name, find_class, short_names

_PACKAGE = "closerthan.optimize"


def find_solver(class_name: str) -> type:
    """Return the class of a solver, by the name of the class.

    Parameters
    ----------
    class_name : str
        Such as "SVRG".

    Returns
    -------
    type

    Raises
    ------
    ValueError
        If there is none; the message names those that there are.

    Examples
    --------
    >>> find_solver("SVRG")
    <class 'closerthan.optimize.svrg.SVRG'>
    """
    return find_class(class_name, _PACKAGE)


def make_solver(solver: str | BaseEstimator) -> BaseEstimator:
    """Return the solver that a name stands for; an object is returned as it is.

    Parameters
    ----------
    solver : {"auto", "batch", "l-bfgs", "minibatch-sgd", "sgd", "svrg"} or solver
        The short name of a class in this package; neither case nor hyphens matter.

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
    found = find_by_short_name(solver, _PACKAGE)
    if found is None:
        names = ", ".join(short_names(_PACKAGE))
        raise ValueError(f"solver={solver!r}; it must be a solver or one of {names}")
    return found()
