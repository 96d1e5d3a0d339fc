"""Warnings that point at the line of the user, through however many calls it came to them."""

import sys
import warnings

_PASSED_OVER = {"closerthan", "sklearn"}  # which wraps methods, and calls them in pipelines


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn as from the innermost line that is neither closerthan's nor scikit-learn's."""
    frame, level = sys._getframe(1), 2
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] in _PASSED_OVER:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
