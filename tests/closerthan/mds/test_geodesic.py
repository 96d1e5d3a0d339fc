"""Geodesic distances beside scikit-learn's Isomap."""

import warnings

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path
from sklearn.datasets import make_swiss_roll
from sklearn.manifold import Isomap
from sklearn.neighbors import kneighbors_graph

from closerthan.mds import geodesic_distances

ROLL, _ = make_swiss_roll(300, random_state=0)
APART = np.vstack([ROLL[:40], ROLL[40:70] + 500, ROLL[70:90] - 900])


@pytest.mark.parametrize("n_neighbors", [6, 12])
def test_it_is_the_length_of_shortest_paths(n_neighbors):
    graph = kneighbors_graph(ROLL, n_neighbors, mode="distance")
    expected = shortest_path(graph, directed=False)
    found = geodesic_distances(ROLL, n_neighbors)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_graph_that_falls_apart_is_an_error_that_says_where():
    with pytest.raises(ValueError, match=r"3 parts, the smallest of 20 points: .* point 70 to"):
        geodesic_distances(APART, 5)


def test_bridges_are_those_of_isomap():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = Isomap(n_neighbors=5).fit(APART).dist_matrix_
    np.testing.assert_allclose(geodesic_distances(APART, 5, bridge=True), expected, rtol=1e-9)


def test_points_that_coincide_are_at_no_distance():
    points = np.vstack([ROLL[:50], ROLL[:3]])
    found = geodesic_distances(points, 6)
    assert found[0, 50] == found[1, 51] == 0


@pytest.mark.parametrize("bad", [0, 300, 2.5])
def test_a_bad_number_of_neighbors_is_refused(bad):
    with pytest.raises(ValueError, match=f"n_neighbors={bad}"):
        geodesic_distances(ROLL, bad)
