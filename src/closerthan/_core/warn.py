"""Warnings that point at the user's line of code."""

import sys
import warnings

_PASSED_OVER = {"closerthan", "sklearn"}  # sklearn wraps methods and calls them in pipelines


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn with the innermost line of code outside closerthan and scikit-learn."""
    frame, level = sys._getframe(1), 2
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] in _PASSED_OVER:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
