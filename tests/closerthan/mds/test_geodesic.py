"""Geodesic distances beside scikit-learn's Isomap, and LandmarkMDS."""

import warnings

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path
from sklearn.datasets import make_swiss_roll
from sklearn.manifold import Isomap
from sklearn.metrics import euclidean_distances
from sklearn.neighbors import kneighbors_graph

from closerthan.mds import SMACOF, LandmarkMDS, PatternSearchMDS, geodesic_distances
from closerthan.scores import procrustes_distance

ROLL, _ = make_swiss_roll(300, random_state=0)
APART = np.vstack([ROLL[:40], ROLL[40:70] + 500, ROLL[70:90] - 900])


@pytest.mark.parametrize("n_neighbors", [6, 12])
def test_it_is_the_length_of_shortest_paths(n_neighbors):
    graph = kneighbors_graph(ROLL, n_neighbors, mode="distance")
    expected = shortest_path(graph, directed=False)
    found = geodesic_distances(ROLL, n_neighbors)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(found, found.T, rtol=1e-12)
    assert (found >= euclidean_distances(ROLL) - 1e-6).all()


def test_distances_from_some_points_are_rows_of_all():
    sources = np.array([5, 0, 299])
    found = geodesic_distances(ROLL, 8, sources=sources)
    np.testing.assert_allclose(found, geodesic_distances(ROLL, 8)[sources], rtol=1e-12)


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


@pytest.mark.parametrize("mds", [None, SMACOF(random_state=0)])
def test_landmarks_find_points_from_their_distances(mds):
    points = np.random.default_rng(0).normal(size=(20_000, 2))
    model = LandmarkMDS(mds, n_landmarks=60, random_state=0).fit(points)
    assert procrustes_distance(points, model.embedding_, scale=False) < 1e-3
    assert len(np.unique(model.landmarks_)) == 60
    np.testing.assert_array_equal(model.embedding_[model.landmarks_], model.mds_.embedding_)


def test_landmarks_that_are_all_points_give_the_mds_itself():
    points = np.random.default_rng(1).normal(size=(80, 3))
    model = LandmarkMDS(PatternSearchMDS(3, random_state=0), n_landmarks=80, random_state=0)
    order = model.fit(points).landmarks_
    assert sorted(order) == list(range(80))
    expected = PatternSearchMDS(3, random_state=0).fit(points[order])
    np.testing.assert_allclose(model.mds_.stress_, expected.stress_, rtol=1e-3, atol=1e-4)


def test_landmarks_are_each_the_farthest_from_those_before():
    points = np.random.default_rng(2).normal(size=(200, 2))
    chosen = LandmarkMDS(n_landmarks=12, random_state=0).fit(points).landmarks_
    distance = euclidean_distances(points)
    for count in range(1, 12):
        nearest = distance[:, chosen[:count]].min(axis=1)
        assert nearest[chosen[count]] == pytest.approx(nearest.max())


def test_landmarks_unroll_the_swiss_roll():
    points, along = make_swiss_roll(2000, random_state=0)
    length = (along * np.sqrt(1 + along**2) + np.arcsinh(along)) / 2
    truth = np.column_stack([length, points[:, 1]])
    model = LandmarkMDS(n_landmarks=150, n_neighbors=12, random_state=0).fit(points)
    assert procrustes_distance(truth, model.embedding_) < 0.01


def test_more_landmarks_than_points_are_refused():
    with pytest.raises(ValueError, match="n_landmarks=301"):
        LandmarkMDS(n_landmarks=301).fit(ROLL)
