"""classical_mds beside scikit-learn's and principal components."""

import numpy as np
import pytest
from sklearn.manifold import ClassicalMDS

from closerthan.mds import classical_mds
from closerthan.mds.classical import rough_classical_mds
from closerthan.mds.dissimilarities import Dissimilarities
from closerthan.scores import procrustes_distance
from mds import plain


@pytest.mark.parametrize("n, n_components", [(5, 1), (40, 3), (250, 2), (250, 11)])
def test_it_is_that_of_scikit_learn(n, n_components):
    D = plain.distances(np.random.default_rng(n).normal(size=(n, 15)))
    expected = ClassicalMDS(n_components, metric="precomputed").fit_transform(D)
    found = classical_mds(D, n_components)
    signs = np.sign((expected * found).sum(axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=1e-7)


@pytest.mark.parametrize("n", [20, 400])
def test_it_finds_points_whose_distances_it_is_given(n):
    points = np.random.default_rng(1).normal(size=(n, 3))
    found = classical_mds(plain.distances(points), 3)
    assert procrustes_distance(points, found, scale=False) < 1e-12
    np.testing.assert_array_equal(found, classical_mds(plain.distances(points), 3))


@pytest.mark.parametrize("n_components", [1, 2, 5])
def test_the_rough_points_are_nearly_the_exact_ones(n_components):
    points = np.random.default_rng(2).normal(size=(300, 8)) * 0.8 ** np.arange(8)
    D = plain.distances(points)
    rough, exact = (
        rough_classical_mds(Dissimilarities(D), n_components),
        classical_mds(D, n_components),
    )
    np.testing.assert_allclose((rough**2).sum(), (exact**2).sum(), rtol=1e-2)
    assert procrustes_distance(exact, rough, scale=False) < 0.05


@pytest.mark.parametrize("n_components", [2, 3])
def test_axes_of_the_same_length_are_all_found(n_components):
    """A grid looks the same from all sides, which misleads methods with a single vector."""
    grid = np.indices((8,) * n_components).reshape(n_components, -1).T
    D = plain.distances(grid)
    for found in (
        rough_classical_mds(Dissimilarities(D), n_components),
        classical_mds(D, n_components),
    ):
        assert procrustes_distance(grid, found, scale=False) < 1e-6


def test_fewer_axes_than_are_wanted_leave_columns_of_nearly_nothing():
    line = np.random.default_rng(3).normal(size=(250, 1))
    found = rough_classical_mds(Dissimilarities(plain.distances(line)), 3)
    np.testing.assert_allclose(np.abs(found[:, :1]), np.abs(line - line.mean()), atol=1e-9)
    np.testing.assert_allclose(found[:, 1:], 0, atol=1e-6)
    assert not rough_classical_mds(Dissimilarities(np.zeros((5, 5))), 2).any()


def test_columns_of_negative_eigenvalues_are_zero():
    D = np.array([[0, 1, 1, 9], [1, 0, 1, 1], [1, 1, 0, 1], [9, 1, 1, 0]], dtype=float)
    found = classical_mds(D, 3)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[:, 2], 0, atol=1e-6)


def test_many_objects_may_be_equal():
    assert not classical_mds(np.zeros((201, 201))).any()
