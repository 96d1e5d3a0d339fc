"""Groups of objects that no comparison links: where one lies relative to another is arbitrary."""

import numpy as np

from closerthan._core.warn import is_silenced, warn
from closerthan.comparisons.check import pair_columns

_MESSAGE = "No comparison links"


def connected_objects(comparisons, n_objects):
    """Return the group of each object, the largest first; no comparison connects two groups."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    i, j, l, k = pair_columns(comparisons)
    tails, heads = (i, i, l), (j, l, k)
    if comparisons.shape[1] == 3:  # i is l
        tails, heads = (i, i), (j, k)
    tail, head = np.concatenate(tails), np.concatenate(heads)
    graph = coo_array((np.ones(len(tail), dtype=bool), (tail, head)), (n_objects, n_objects))
    group = connected_components(graph, directed=False)[1]
    sizes = np.bincount(group)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[group]


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
