"""Find names that differ only in what a reader overlooks."""

import unicodedata
from collections import defaultdict


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
