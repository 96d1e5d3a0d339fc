"""Warnings that point at the user's line of code."""

import sys
import warnings

import numpy as np

# Packages called closerthan_... build on this one. scikit-learn wraps methods, also in pipelines.
_PASSED_OVER = ("closerthan.", "closerthan_", "sklearn.")
AT_START = "made no step from its start, which may be a saddle point; try init='random'"


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn with the innermost line of code outside these packages."""
    frame, level = sys._getframe(1), 2
    while frame and frame.f_globals.get("__name__", "").startswith(_PASSED_OVER):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def is_silenced(message: str) -> bool:
    """Return whether a filter ignores a warning, so that its reason need not be computed."""
    for action, pattern, category, module, _ in warnings.filters:
        is_any = module is None and issubclass(UserWarning, category)
        if is_any and (pattern is None or pattern.match(message)):
            return action == "ignore"
    return False


def warn_of_missing(ids: np.ndarray, n_objects: int) -> None:
    """Warn if some objects are not among the sorted `ids` of those that comparisons name."""
    if len(ids) == n_objects:
        return
    missing = np.setdiff1d(np.arange(n_objects), ids)
    warn(
        f"{len(missing)} of {n_objects} objects occur in no comparison; their rows of "
        f"`embedding_` are NaN: {', '.join(map(str, missing[:5]))}"
        + (", ..." if len(missing) > 5 else ""),
    )
