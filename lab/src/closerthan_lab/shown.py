"""Show values in messages: on one line, shortened if they are long."""

import reprlib

import numpy as np

_REPR = reprlib.Repr()
_REPR.maxlevel = 3
_REPR.maxlist = _REPR.maxtuple = _REPR.maxdict = 12
_REPR.maxstring = _REPR.maxother = 40


def shown(value, length=60):
    """Return a value as Python writes it, on one line, shortened if it is long.

    Examples
    --------
    >>> print(shown("Zürich"), shown("12 34", 2), shown([1, None]), shown([[[[[1]]]]]))
    'Zürich' '12'... [1, None] [[[...]]]
    """
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str):
        return repr(value) if len(value) <= length else f"{value[:length]!r}..."
    text = _REPR.repr(value)  # which neither nests deeply nor is much longer than a line
    return text if len(text) <= length else f"{text[:length]}..."


def shown_list(values, most=8):
    """Return the first values of a list as an error message shows them."""
    values = list(values)
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(shown(str(value)) for value in values[:most]) + more
