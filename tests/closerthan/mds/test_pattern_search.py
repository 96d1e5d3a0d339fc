"""PatternSearchMDS: its moves beside a brute-force search, its results, threads and new points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from closerthan._core.threads import Team
from closerthan._core.vectors import STEP
from closerthan.mds import PatternSearchMDS, classical_mds, dissimilarities
from closerthan.mds.dissimilarities import Dissimilarities, as_columns, distances
from closerthan.scores import normalized_stress, procrustes_distance, raw_stress
from mds import plain

BLOCK = 4 * STEP  # points of a block, fewer than usual


def _cloud(n, n_components=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, n_components))


def _fit(D, **settings):
    return PatternSearchMDS(metric="precomputed", random_state=0, **settings).fit(D)


@pytest.mark.parametrize("n", [3, STEP, STEP + 1, BLOCK + 5, 2 * BLOCK + 17])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_stress_is_the_sum_over_pairs(n, weighted):
    points, D, W = plain.random_problem(n, 3, n, weighted)
    problem = Dissimilarities(D, W)
    stress = problem.stress(as_columns(points))
    np.testing.assert_allclose(stress, plain.stress(points, D, W), rtol=1e-12)
    raw = plain.stress(points, D)
    np.testing.assert_allclose(raw_stress(points, D), raw, rtol=1e-12)
    size = plain.stress(points, np.where(np.isnan(D), np.nan, 0.0))
    np.testing.assert_allclose(normalized_stress(points, D), np.sqrt(raw / size))


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("m, n, n_features", [(1, 2, 1), (40, STEP, 3), (33, 5 * STEP + 3, 70)])
def test_distances_are_those_between_the_points(m, n, n_features, size, monkeypatch):
    monkeypatch.setattr(dissimilarities, "_PAIRS", 100)
    points, others = _cloud(m, n_features), _cloud(n, n_features, seed=1)
    with Team(size) as team:
        found = distances(points, others, team)
        itself = distances(points, points, team)
    np.testing.assert_allclose(found, cdist(points, others), rtol=1e-13)
    np.testing.assert_array_equal(itself, itself.T)
    assert not np.diag(itself).any()


@given(
    seed=st.integers(0, 10_000),
    n=st.sampled_from([2, 7, STEP, BLOCK, BLOCK + 3]),
    n_components=st.integers(1, 5),
    radius=st.sampled_from([1e-3, 0.1, 1.0, 30.0]),
    weighted=st.booleans(),
    bad_moves=st.booleans(),
)
def test_an_epoch_makes_the_moves_of_a_brute_force_search(
    seed, n, n_components, radius, weighted, bad_moves
):
    points, D, W = plain.random_problem(min(n, 40) if n_components > 2 else n, 2, seed, weighted)
    points = np.random.default_rng(seed).normal(size=(len(D), n_components))
    dims = np.flatnonzero(np.random.default_rng(seed).uniform(size=n_components) < 0.7)
    dims = dims if dims.size else np.arange(n_components)
    if W is not None and not W.any(axis=1).all():
        return  # a point without a pair, for which every move is as good
    problem = Dissimilarities(D, W)
    problem.block = BLOCK
    X = as_columns(points)
    problem.epoch(X, dims, radius, bad_moves)
    expected = plain.epoch(points, D, W, dims, radius, bad_moves)
    np.testing.assert_allclose(problem.points(X), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("block", [STEP, BLOCK, 2 * BLOCK])
def test_blocks_move_as_if_one_point_moved_after_another(block, size):
    n = 2 * BLOCK + 9
    points, D, _ = plain.random_problem(n, 2, 4)
    with Team(size) as team:
        problem = Dissimilarities(D, team=team)
        assert problem.block % STEP == 0
        problem.block = block
        X = as_columns(points)
        for radius in (0.5, 0.25):
            problem.epoch(X, np.arange(2), radius, True)
    for radius in (0.5, 0.25):
        points = plain.epoch(points, D, None, [0, 1], radius, True)
    np.testing.assert_allclose(problem.points(X), points, rtol=0, atol=1e-12)


@pytest.mark.parametrize("bad_moves", [True, False])
def test_it_finds_points_whose_distances_it_is_given(bad_moves):
    truth = _cloud(200)
    model = PatternSearchMDS(bad_moves=bad_moves, random_state=0, n_init=3).fit(truth)
    assert procrustes_distance(truth, model.embedding_, scale=False) < 1e-3
    np.testing.assert_allclose(model.dissimilarity_matrix_, plain.distances(truth), atol=1e-7)


def test_the_reported_stress_is_that_of_the_embedding():
    _, D, W = plain.random_problem(90, 2, 5, weighted=True)
    model = PatternSearchMDS(metric="precomputed", random_state=0).fit(D, weights=W)
    np.testing.assert_allclose(model.stress_, plain.stress(model.embedding_, D, W), rtol=1e-12)
    history = model.history_
    assert list(history) == ["evaluations", "seconds", "stress", "radius"]
    assert len(history) == model.n_iter_ + 1
    assert history.stress.iloc[-1] == model.stress_
    assert (np.diff(history.evaluations) == 4 * 90 * 89).all()
    assert set(np.round(np.diff(np.log2(history.radius)), 9)) <= {0.0, -1.0}


def test_the_first_radius_lowers_the_stress_and_double_raises_it():
    _, D, _ = plain.random_problem(80, 2, 8)
    start = _cloud(80, seed=2)
    radius = _fit(D, init=start).history_.radius[0]
    moved = [plain.epoch(start, D, None, [0, 1], r, True) for r in (radius, 2 * radius)]
    assert plain.stress(moved[0], D) < plain.stress(start, D) <= plain.stress(moved[1], D)


def test_one_run_starts_from_classical_mds_and_others_at_random(monkeypatch):
    points, starts = _cloud(40, 5), []
    monkeypatch.setattr(
        PatternSearchMDS,
        "_search",
        lambda self, problem, X, rng: starts.append(problem.points(X)) or [],
    )
    for init in ("classical_mds", "random"):
        for seed in (0, 1):
            PatternSearchMDS(init=init, n_init=3, random_state=seed).fit(points)
    one, other, random, _ = starts[:3], starts[3:6], starts[6:9], starts[9:]
    expected = classical_mds(plain.distances(points))
    np.testing.assert_allclose(one[0], expected, atol=0.1)
    np.testing.assert_array_equal(one[0], other[0])
    assert all((a != b).any() for a, b in zip(one[1:], other[1:], strict=True))
    np.testing.assert_array_equal(one[1:], random[:2])


@pytest.mark.parametrize("weighted", [False, True])
def test_points_given_to_fit_come_before_the_parameter(weighted):
    start, D, W = plain.random_problem(40, 2, 12, weighted)
    model = PatternSearchMDS(metric="precomputed").fit(D, init=start, weights=W)
    assert model.history_.stress[0] == pytest.approx(plain.stress(start, D, W))
    expected = PatternSearchMDS(metric="precomputed", init=start).fit(D, weights=W)
    np.testing.assert_array_equal(model.embedding_, expected.embedding_)


def test_a_start_does_without_what_is_missing():
    truth = _cloud(150, seed=1)
    D = plain.distances(truth)
    missing = np.triu(np.random.default_rng(0).uniform(size=D.shape) < 0.3, 1)
    D[missing | missing.T] = np.nan
    found = _fit(D)
    assert found.history_.stress[0] < 0.1 * _fit(D, init="random").history_.stress[0]
    assert procrustes_distance(truth, found.embedding_, scale=False) < 1e-3


def test_coinciding_points_have_a_place():
    points = np.vstack([_cloud(20)] * 2)
    model = PatternSearchMDS(random_state=0, n_init=3).fit(points)
    assert procrustes_distance(points, model.embedding_) < 1e-3
    still = _fit(np.zeros((5, 5)), init=np.zeros((5, 2)))
    assert still.stress_ == 0 and still.n_iter_ == 0


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_a_point_left_out_finds_its_place(metric):
    points = _cloud(120, seed=4)
    known, new = points[:100], points[100:]
    model = PatternSearchMDS(metric=metric, init=known, radius=1e-3, random_state=0)
    D = plain.distances(points)
    euclidean = metric == "euclidean"
    model.fit(known if euclidean else D[:100, :100])
    found = model.transform(new if euclidean else D[100:, :100])
    np.testing.assert_allclose(found, new, atol=1e-2)
    if not euclidean:
        thinned = np.where(
            np.random.default_rng(0).uniform(size=(20, 100)) < 0.5, np.nan, D[100:, :100]
        )
        np.testing.assert_allclose(model.transform(thinned), new, atol=1e-2)


def test_equally_good_places_do_not_exchange_a_new_point_forever():
    model = _fit(np.array([[0.0, 2.0], [2.0, 0.0]]), n_components=1, init=[[-1.0], [1.0]])
    np.testing.assert_allclose(model.transform([[2 / 3, 2 / 3]]), [[0.0]], atol=1e-3)


def test_half_of_the_directions_do_at_many_dimensions():
    D = plain.distances(_cloud(150, 20, seed=5))
    all_, half = (_fit(D, n_components=20, directions=d, init="random") for d in (1.0, 0.5))
    scale = np.sum(D**2) / 2
    assert all_.stress_ < 1e-3 * scale and half.stress_ < 1e-3 * scale
    assert np.diff(half.history_.evaluations)[0] == 2 * 10 * 150 * 149
