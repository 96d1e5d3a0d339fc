"""Geodesic distances: the lengths of shortest paths along a graph of nearest neighbors."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, shortest_path
from sklearn.metrics import pairwise_distances_argmin_min
from threadpoolctl import threadpool_limits

from closerthan._core.threads import count_threads, one_blas_thread
from closerthan._core.validation import check_count, check_points, check_rows

_LENGTHS = 2**20  # found at a time, between which Python may hear of an interrupt


def geodesic_distances(
    X: ArrayLike,
    n_neighbors: int = 10,
    *,
    bridge: bool = False,
    sources: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> np.ndarray:
    """Return the distances along the graph that joins each point to its nearest neighbors.

    Dijkstra's algorithm finds the paths, as in Isomap (Tenenbaum et al., 2000) and section 5.2 of
    Paraskevopoulos et al. (2018).

    Raise a ValueError if the graph is not connected and not bridged, or if a point is not finite.

    Parameters
    ----------
    X : array_like of shape (n, n_features)
        The points.
    n_neighbors : int, default 10
        Neighbors of each point. An edge goes both ways.
    bridge : bool, default False
        If the graph is not connected, whether to join each two of its parts by their shortest edge,
        as scikit-learn's Isomap does. By default, such a graph is an error.
    sources : array_like of int, shape (m,), optional
        Points to measure from, or a bool for each point; by default all.
    n_jobs : int, optional
        Threads that look for neighbors; see :doc:`the glossary </glossary>`.

    Returns
    -------
    ndarray of shape (m, n)
        Row s holds the distances of all points from sources[s].

    Examples
    --------
    >>> geodesic_distances([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], n_neighbors=1)
    array([[0., 1., 2.],
           [1., 0., 1.],
           [2., 1., 0.]])
    """
    from sklearn.neighbors import kneighbors_graph  # here, because MDS itself does not need it

    points = check_points(X, "X")
    check_count("n_neighbors", n_neighbors, len(points) - 1, "the number of points less one")
    with one_blas_thread(), threadpool_limits(count_threads(n_jobs), user_api="openmp"):
        graph = csr_array(kneighbors_graph(points, n_neighbors, mode="distance", n_jobs=n_jobs))
        n_parts, part = connected_components(graph, directed=False)
        if n_parts > 1:
            if not bridge:
                raise ValueError(_apart(n_parts, part, n_neighbors))
            graph = _bridged(graph, points, n_parts, part)
    n = len(points)
    sources = np.arange(n) if sources is None else check_rows(sources, n, "sources")
    lengths = np.empty((len(sources), len(points)))
    size = max(1, _LENGTHS // len(points))
    for first in range(0, len(sources), size):
        rows = slice(first, first + size)
        lengths[rows] = shortest_path(graph, method="D", directed=False, indices=sources[rows])
    return lengths


def _apart(n_parts, part, n_neighbors):
    sizes = np.bincount(part)
    smallest = np.argmin(sizes)
    inside, outside = np.argmax(part == smallest), np.argmax(part != smallest)
    return (
        f"the graph of {n_neighbors} neighbors falls into {n_parts} parts, the smallest of "
        f"{sizes[smallest]} points: no path leads from point {inside} to point {outside}; use more "
        "neighbors, or geodesic_distances with bridge=True"
    )


def _bridged(graph, points, n_parts, part):
    rows, columns, lengths = [], [], []
    for a in range(n_parts):
        for b in range(a):
            of_a, of_b = np.flatnonzero(part == a), np.flatnonzero(part == b)
            nearest, distance = pairwise_distances_argmin_min(points[of_a], points[of_b])
            best = np.argmin(distance)
            rows.append(of_a[best])
            columns.append(of_b[nearest[best]])
            lengths.append(distance[best])
    edges = graph.tocoo()
    both = [edges.row, rows], [edges.col, columns]
    places = tuple(np.concatenate(one).astype(np.int32) for one in both)  # for scipy 1.13
    return coo_array((np.concatenate([edges.data, lengths]), places), shape=graph.shape).tocsr()
