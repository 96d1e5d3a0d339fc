"""Check that bad input to MDS gives one error that names the entry. Check roots of vectors."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from sklearn.exceptions import ConvergenceWarning

from closerthan._core import vectors
from closerthan.datasets import load_eurodist
from closerthan.mds import SMACOF, PatternSearchMDS
from closerthan.scores import normalized_stress, procrustes_distance, raw_stress
from mds import plain

MODELS = [PatternSearchMDS, SMACOF]
GOOD = np.array([[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]], dtype=float)


def _with(*entries):
    D = GOOD.copy()
    for i, j, value in entries:
        D[i, j] = value
    return D


@pytest.mark.parametrize("Model", MODELS)
@pytest.mark.parametrize(
    "D, message",
    [
        (_with((1, 2, 7)), r"row 1, column 2: 7.0 is not what stands across"),
        (_with((1, 2, np.nan)), r"row 1, column 2: nan is not what stands across"),
        (_with((3, 0, -1), (0, 3, -1)), r"row 0, column 3: -1.0; entries must be finite and not"),
        (_with((3, 0, np.inf), (0, 3, np.inf)), r"row 0, column 3: inf"),
        (_with((2, 2, 0.5)), "diagonal, row 2: 0.5; it must be zero"),
        (
            _with(*[e for j in range(4) for e in ((2, j, np.nan), (j, 2, np.nan))]),
            r"row 2: 0 is the number of known",
        ),
        (
            _with(*[e for j in (0, 1, 3) for e in ((2, j, np.nan), (j, 2, np.nan))]),
            r"row 2: 0 is the number of known",
        ),
        (GOOD[:3], r"shape is \(3, 4\); the matrix must be square"),
        (GOOD[:2, :2], r"n_components=2; it must be a whole number from 1 to 1"),
        (GOOD[:1, :1], r"n_components=2; it must be"),
    ],
)
def test_bad_dissimilarities_are_named(Model, D, message):
    with pytest.raises(ValueError, match=message):
        Model(2, metric="precomputed").fit(D)


@pytest.mark.parametrize("Model", MODELS)
@pytest.mark.parametrize(
    "W, message",
    [
        (np.ones((3, 3)), r"weights: the shape is \(3, 3\); it must be \(4, 4\)"),
        (_with((0, 1, -2)), r"weights, row 0, column 1: -2.0; entries must be finite"),
        (_with((0, 1, 5)), r"weights, row 0, column 1: 5.0 is not what stands across"),
        (np.pad(np.ones((3, 3)), (0, 1)), r"weights, row 3: 0.0 is the largest"),
    ],
)
def test_bad_weights_are_named(Model, W, message):
    with pytest.raises(ValueError, match=message):
        Model(2, metric="precomputed").fit(GOOD, weights=W)


@pytest.mark.parametrize("Model", MODELS)
@pytest.mark.parametrize(
    "settings, message",
    [
        ({"metric": "cosines"}, "cosines"),
        ({"init": "pca"}, "init='pca'; it must be 'random', 'classical_mds' or"),
        ({"init": np.zeros((3, 2))}, r"init has shape \(3, 2\); it must be \(4, 2\)"),
        ({"init": [[0, 0], [0, np.nan], [0, 0], [0, 0]]}, "init, row 1"),
        ({"n_init": 0}, "n_init=0"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"n_components": 4}, "n_components=4"),
    ],
)
def test_bad_settings_are_named(Model, settings, message):
    with pytest.raises(ValueError, match=message):
        Model(**settings).fit(GOOD)


@pytest.mark.parametrize(
    "settings",
    [
        {"radius": 0},
        {"radius": "best"},
        {"min_radius": -1.0},
        {"min_radius": "best"},
        {"tol": 0},
        {"directions": 0.0},
        {"directions": 1.5},
    ],
)
def test_bad_settings_of_pattern_search_are_named(settings):
    [(name, value)] = settings.items()
    with pytest.raises(ValueError, match=f"^{name}={value!r}; it must be"):
        PatternSearchMDS(**settings).fit(GOOD)


@pytest.mark.parametrize("Model", MODELS)
def test_weights_by_distances_take_as_many_steps_in_any_unit(Model):
    """Sammon's weights, 1 / D**2, are as small as 1e-19 in millimeters."""
    km = load_eurodist().distances
    with np.errstate(divide="ignore"):
        fits = [
            Model(metric="precomputed").fit(D, weights=np.where(D > 0, D**-2.0, 0.0))
            for D in (km, 1e3 * km, 1e6 * km)
        ]
    np.testing.assert_allclose([fit.stress_ for fit in fits], 2.965, atol=2e-3)
    assert len({fit.n_iter_ for fit in fits}) == 1 < fits[0].n_iter_


@pytest.mark.parametrize("Model", MODELS)
@pytest.mark.parametrize("n_groups", [2, 3])
def test_groups_that_nothing_joins_are_placed_each_in_all_dimensions(Model, n_groups):
    points, group = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % n_groups
    within = np.where(group[:, None] == group, plain.distances(points), np.nan)
    model = Model(metric="precomputed").fit(within)
    assert model.stress_ < 1e-12
    assert procrustes_distance(points[group == 0], model.embedding_[group == 0]) < 1e-9


@pytest.mark.parametrize(
    "settings", [{"init": np.zeros((4, 2))}, {"min_radius": 99.0, "init": GOOD[:, :2]}]
)
def test_a_fit_that_stays_at_its_start_says_so(settings):
    Model = PatternSearchMDS if "min_radius" in settings else SMACOF
    with pytest.warns(ConvergenceWarning, match="made no step from its start"):
        assert Model(metric="precomputed", **settings).fit(GOOD).n_iter_ == 0
    with warnings.catch_warnings(action="error"):  # a perfect start
        assert SMACOF(metric="precomputed").fit(np.zeros((4, 4))).n_iter_ == 0


@pytest.mark.parametrize("Model", MODELS)
def test_bad_new_points_are_named(Model):
    model = Model(2, metric="precomputed", random_state=0).fit(GOOD)
    with pytest.raises(ValueError, match=r"shape \(4, 3\); expected \(m, 4\)"):
        model.transform(GOOD[:, :3])
    with pytest.raises(ValueError, match=r"row 0, column 1: -1\.0"):
        model.transform([[1, -1, 1, 1]])
    with pytest.raises(ValueError, match="row 1: 0 is the number of known"):
        model.transform([[1, 1, 1, 1], [np.nan] * 4])


def test_stress_of_bad_shapes_is_refused():
    for score in (raw_stress, normalized_stress):
        with pytest.raises(ValueError, match=r"dissimilarities: the shape is \(4, 4\)"):
            score(np.zeros((3, 2)), GOOD)
    assert normalized_stress(np.zeros((4, 2)), GOOD) == np.inf


@njit
def _roots(q, out):
    v = vectors.load_lanes(q, 0)
    vectors.store(out, 0, vectors.sqrt(v))
    vectors.store(out, 8, vectors.inverse_sqrt(v))
    out[16] = vectors.total(v)


@given(st.lists(st.floats(1e-280, 1e280), min_size=8, max_size=8))
def test_roots_by_multiplication_are_roots(numbers):
    q, out = np.array(numbers), np.empty(17)
    _roots(q, out)
    root = np.sqrt(q)
    np.testing.assert_array_equal(out[:8], root)
    np.testing.assert_allclose(out[8:16], 1 / root, rtol=2e-15)
    np.testing.assert_allclose(out[16], q.sum(), rtol=1e-15)


def test_the_root_of_zero_is_zero():
    out = np.empty(17)
    _roots(np.zeros(8), out)
    assert not out[:8].any() and np.isfinite(out).all()
