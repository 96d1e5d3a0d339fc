"""Check shares, and names that look alike."""

import unicodedata
from collections import defaultdict

from closerthan._core.validation import check_number


def check_share(name, value):
    """Check that a parameter, such as a confidence level, is above 0 and below 1."""
    check_number(name, value, positive=True)
    if value >= 1:
        raise ValueError(f"{name}={value}; it must be less than 1")


def look_alikes(names):
    """Return groups of names that differ only in case, blanks or the encoding of accents.

    Examples
    --------
    >>> look_alikes(["Paris", "Rome", "paris ", "rome", "Oslo"])
    [['Paris', 'paris '], ['Rome', 'rome']]
    """
    alike = defaultdict(list)
    for name in names:
        plain = unicodedata.normalize("NFKC", str(name)).casefold()
        alike["".join(plain.split())].append(str(name))
    return [some for some in alike.values() if len(some) > 1]
