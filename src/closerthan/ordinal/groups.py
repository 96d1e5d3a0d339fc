"""Groups of objects that no comparison links: where one lies relative to another is arbitrary."""

import numpy as np

from closerthan._core.compiled import compiled
from closerthan._core.warn import is_silenced, warn

_MESSAGE = "No comparison links"


def connected_objects(comparisons, n_objects):
    """Return the group of each object, the largest first; no comparison connects two groups."""
    leader = np.arange(n_objects)
    _link(comparisons, leader)
    by_size = np.argsort(-np.bincount(leader), kind="stable")  # what leads no group comes last
    return np.argsort(by_size)[leader]


@compiled
def _link(comparisons, leader):
    """Make the smallest object of each group the leader of all (union-find, halving paths)."""
    for row in range(len(comparisons)):
        for column in range(1, comparisons.shape[1]):
            a, b = comparisons[row, 0], comparisons[row, column]
            while leader[a] != a:
                leader[a] = a = leader[leader[a]]
            while leader[b] != b:
                leader[b] = b = leader[leader[b]]
            leader[max(a, b)] = min(a, b)
    for x in range(len(leader)):  # whose own leader is smaller, and so done
        leader[x] = leader[leader[x]]


def warn_of_groups(comparisons, ids):
    """Warn if comparisons leave some objects unlinked; `ids` are those of the objects."""
    if is_silenced(_MESSAGE):
        return
    group = connected_objects(comparisons, len(ids))
    apart = ids[group > 0]
    if apart.size:
        more = f" and {apart.size - 5} more" if apart.size > 5 else ""
        warn(
            f"{_MESSAGE} {group.max() + 1} groups of objects, so where one group lies relative to "
            f"another is arbitrary. Not linked to the largest group: "
            f"{', '.join(map(str, apart[:5]))}{more}. Ask questions across the groups"
        )
