"""Check scores against rankings by hand, brute force, scikit-learn, scipy and the papers."""

import itertools
import re
import tracemalloc

import numpy as np
import pytest
import scipy.linalg
import scipy.spatial
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import special_ortho_group
from sklearn.metrics import average_precision_score

from closerthan.scores import (
    average_precision,
    mean_average_precision,
    precision_at_k,
    procrustes_align,
    procrustes_distance,
    ranking,
    recall_at_k,
    retrieval_scores,
    triplet_error,
)

# --- triplet error ------------------------------------------------------------------------------


def test_triplet_error_copies_no_comparisons_and_makes_no_square_matrix():
    n_objects = 100_000
    triplets = (np.arange(3) + np.arange(800_000)[:, None]) % n_objects
    points = np.random.default_rng(0).normal(size=(n_objects, 2))
    triplet_error(points, triplets[:3].astype(np.int32))
    tracemalloc.start()
    error = triplet_error(points, triplets.astype(np.int32))
    held = tracemalloc.get_traced_memory()[1] - triplets.nbytes // 2
    tracemalloc.stop()
    assert held < triplets.nbytes / 4
    assert error == triplet_error(points, triplets)


def test_triplet_error_is_the_share_of_comparisons_that_do_not_hold():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(20, 3))
    i, j, l, k = np.array([rng.permutation(20)[:4] for _ in range(500)]).T
    distances = scipy.spatial.distance.cdist(points, points)
    expected = np.mean(distances[i, j] >= distances[l, k])
    assert triplet_error(points, np.column_stack([i, j, l, k])) == expected
    expected = np.mean(distances[i, j] >= distances[i, k])
    assert triplet_error(points, np.column_stack([i, j, k])) == expected
    assert triplet_error(points, np.column_stack([i, j, i, k])) == expected
    assert triplet_error(points, np.column_stack([i, k, j])) == 1 - expected


def test_ties_and_objects_without_a_place_are_errors():
    assert triplet_error(np.zeros((3, 2)), [(0, 1, 2)]) == 1
    placeless = [[0.0, 0.0], [1.0, 0.0], [5.0, 0.0], [np.nan, np.nan], [np.inf, 0.0]]
    assert triplet_error(placeless, [(0, 1, 2)]) == 0
    assert triplet_error(placeless, [(0, 1, 3), (0, 3, 1), (3, 0, 1), (0, 1, 4), (0, 4, 1)]) == 1


# --- Procrustes ---------------------------------------------------------------------------------


def similar(points, seed, factor):
    """Return the points reflected, rotated, scaled and moved."""
    rng = np.random.default_rng(seed)
    p = points.shape[1]
    rotation = special_ortho_group.rvs(p, random_state=rng) if p > 1 else np.eye(1)
    mirror = np.ones(p)
    mirror[0] = rng.choice([-1, 1])
    return factor * points * mirror @ rotation + 10 * rng.normal(size=p)


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 12),
    p=st.integers(1, 4),
    factor=st.floats(1e-3, 1e3),
)
def test_procrustes_undoes_similarity_transforms(seed, n, p, factor):
    rng = np.random.default_rng(seed)
    truth, other = rng.normal(size=(2, n, p))
    assert procrustes_distance(truth, similar(truth, seed, factor)) < 1e-18
    np.testing.assert_allclose(procrustes_align(truth, similar(truth, seed, factor)), truth)
    assert procrustes_distance(truth, similar(truth, seed, 1.0), scale=False) < 1e-18

    distance = procrustes_distance(truth, other)
    assert 0 <= distance <= 1 + 1e-12
    assert procrustes_distance(truth, similar(other, seed, factor)) == pytest.approx(distance)
    assert procrustes_distance(similar(truth, seed, factor), other) == pytest.approx(distance)
    assert distance == pytest.approx(scipy.spatial.procrustes(truth, other)[2])


@pytest.mark.parametrize("scale", [True, False])
def test_no_small_move_improves_the_alignment(scale):
    rng = np.random.default_rng(2)
    truth, embedding = rng.normal(size=(2, 15, 3))
    aligned = procrustes_align(truth, embedding, scale=scale)
    best = np.sum((truth - aligned) ** 2)
    for _ in range(50):
        turn = scipy.linalg.expm(1e-2 * (a := rng.normal(size=(3, 3))) - 1e-2 * a.T)
        growth = 1 + 1e-2 * rng.normal() * scale
        moved = growth * aligned @ turn + 1e-2 * rng.normal(size=3)
        assert np.sum((truth - moved) ** 2) >= best


def test_without_scale_sizes_are_kept():
    truth = np.array([[0.0], [1.0], [2.0]])
    np.testing.assert_allclose(procrustes_align(truth, -3 * truth, scale=False), 3 * truth - 2)
    assert procrustes_distance(truth, -3 * truth, scale=False) == pytest.approx(4)


def test_the_narrower_is_filled_up_with_zeros():
    rng = np.random.default_rng(3)
    plane = rng.normal(size=(8, 2))
    space = np.column_stack([plane, np.zeros(8)])
    assert procrustes_align(plane, space).shape == procrustes_align(space, plane).shape == (8, 3)
    assert procrustes_distance(plane, similar(space, 0, 2.0)) < 1e-18
    assert procrustes_distance(similar(space, 0, 2.0), plane) < 1e-18


def test_procrustes_at_extreme_sizes_and_for_a_collapsed_embedding():
    truth, other = np.random.default_rng(4).normal(size=(2, 9, 2))
    distance = procrustes_distance(truth, other)
    assert procrustes_distance(truth, 1e-200 * other) == pytest.approx(distance)
    assert procrustes_distance(1e-200 * truth, 1e200 * other) == pytest.approx(distance)
    assert procrustes_distance(truth, np.full((9, 2), 0.1)) == pytest.approx(1)
    assert procrustes_distance(truth, np.full((9, 2), 0.0)) == pytest.approx(1)


# --- one ranking --------------------------------------------------------------------------------

RANKING = [0.9, 0.8, 0.7, 0.6, 0.5]
RELEVANT = [True, False, True, False, True]


@given(seed=st.integers(0, 10**6), n=st.integers(1, 40), more=st.integers(0, 40), data=st.data())
def test_without_ties_average_precision_at_k_is_the_textbook_sum(seed, n, more, data):
    ks = data.draw(st.lists(st.integers(1, n), min_size=1))
    rng = np.random.default_rng(seed)
    scores, relevant = rng.normal(size=n), rng.random(n) < 0.5
    relevant[rng.integers(n)] = True
    hits = relevant[np.argsort(-scores)]
    sums = [sum(hits[: r + 1].mean() for r in range(k) if hits[r]) for k in ks]
    expected = np.array(sums) / relevant.sum()
    np.testing.assert_allclose(average_precision(scores, relevant, k=ks), expected)
    assert average_precision(scores, relevant, k=ks[0]) == pytest.approx(expected[0])
    in_all = int(relevant.sum()) + more
    found = average_precision(scores, relevant, k=ks, n_relevant=in_all)
    np.testing.assert_allclose(found, np.array(sums) / in_all)


def test_average_precision_with_ties_by_hand():
    # One hit is at the top; then one of three tied items is a hit. The cut leaves two of their
    # three ranks, so 2/3 of a hit and a precision of (5/3) / 3.
    scores, relevant = [3, 2, 2, 2, 1], [1, 0, 1, 0, 0]
    assert average_precision(scores, relevant, k=3) == pytest.approx((1 + 2 / 3 * 5 / 9) / 2)


rankings = st.integers(1, 25).flatmap(
    lambda n: st.tuples(
        arrays(np.float64, n, elements=st.integers(-3, 3)),
        arrays(bool, n).filter(np.any),
    )
)


@given(rankings)
def test_average_precision_equals_scikit_learn(ranking):
    scores, relevant = ranking
    expected = average_precision_score(relevant, scores)
    assert average_precision(scores, relevant) == pytest.approx(expected, rel=1e-12)


@given(
    arrays(np.float64, 6, elements=st.integers(0, 2)),
    arrays(bool, 6).filter(np.any),
)
def test_precision_and_recall_are_means_over_all_orders_of_the_ties(scores, relevant):
    orders = [
        list(order)
        for order in itertools.permutations(range(6))
        if all(np.diff(scores[list(order)]) <= 0)
    ]
    ks = np.arange(1, 7)
    hits = np.mean([np.cumsum(relevant[order]) for order in orders], axis=0)
    labels = relevant.astype(int)
    np.testing.assert_allclose(precision_at_k([scores], [1], labels, k=ks), hits / ks)
    np.testing.assert_allclose(recall_at_k([scores], [1], labels, k=ks), hits / relevant.sum())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": [0.9, 0.8]}, r"shapes \(2,\) and \(5,\)"),
        ({"relevant": [True, False, 2, False, True]}, "relevant, row 2: 2;"),
        ({"relevant": [False] * 5}, "no query has a relevant item"),
        ({"k": 0}, "k=0; it must be a whole number from 1 to 5"),
        ({"k": 6}, "k=6; it must be a whole number from 1 to 5"),
        ({"k": 2.5}, "k=2.5"),
        ({"k": [1, 9]}, r"k=\[1, 9\]"),
        ({"n_relevant": 0}, "n_relevant=0; it must be a whole number from 1, or None"),
        ({"n_relevant": 2}, "n_relevant=2, but 3 hits are possible"),
    ],
)
def test_average_precision_refuses(change, message):
    with pytest.raises(ValueError, match=message):
        average_precision(**{"scores": RANKING, "relevant": RELEVANT} | change)


# --- many rankings ------------------------------------------------------------------------------


def labeled_points(n_queries=7, n_items=23, n_classes=3, p=2, seed=5):
    rng = np.random.default_rng(seed)
    # Whole numbers make distances tie.
    queries, items = (rng.integers(4, size=(n, p)).astype(float) for n in (n_queries, n_items))
    return (
        queries,
        items,
        rng.integers(n_classes, size=n_queries),
        rng.integers(n_classes, size=n_items),
    )


def test_means_are_those_of_the_queries():
    queries, items, query_labels, item_labels = labeled_points()
    scores = queries @ items.T
    relevant = query_labels[:, None] == item_labels
    for options in ({}, {"k": 5}, {"k": 4, "n_relevant": 4}):
        each = [average_precision(s, r, **options) for s, r in zip(scores, relevant, strict=True)]
        mean = mean_average_precision(scores, query_labels, item_labels, **options)
        assert mean == pytest.approx(np.mean(each))


def test_distances_rank_the_other_way_round():
    queries, items, *labels = labeled_points()
    distances = scipy.spatial.distance.cdist(queries, items)
    for score in (mean_average_precision, precision_at_k, recall_at_k):
        up = score(-distances, *labels, k=[1, 4])
        down = score(distances, *labels, k=[1, 4], greater_is_better=False)
        np.testing.assert_array_equal(up, down)
        assert score(-distances, *labels, k=4) == up[1]


def test_queries_without_a_relevant_item_are_left_out_with_a_warning():
    scores = [[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]]
    with pytest.warns(UserWarning, match="1 of 2 queries have no relevant item"):
        assert mean_average_precision(scores, ["a", "x"], ["b", "a", "b"]) == 0.5
    with pytest.warns(UserWarning, match="1 of 2"):
        assert precision_at_k(scores, ["a", "x"], ["b", "a", "b"], k=2) == 0.5
    with pytest.raises(ValueError, match="no query has a relevant item"):
        precision_at_k(scores, ["x", "y"], ["b", "a", "b"], k=2)


def test_printed_protocol_at_chance():
    """A random ranking scores MAP 0.026 and P@60 0.070, as in the SVRG-SBB paper's Table 2.

    The paper divides AP@60 by 60, uses 18 classes of 60, and counts each query as its own first
    hit.
    """
    scores = np.random.default_rng(7).random((1080, 1080))
    np.fill_diagonal(scores, 1)
    labels = np.repeat(np.arange(18), 60)
    mean = mean_average_precision(scores, labels, labels, k=60, n_relevant=60)
    precision = precision_at_k(scores, labels, labels, k=60)
    # Another item is a hit with chance 59/1079, which gives the expected precision at rank r.
    r = np.arange(2, 61)
    precision_at_hit = (2 + (r - 2) * 58 / 1078) / r
    assert mean == pytest.approx((1 + np.sum(59 / 1079 * precision_at_hit)) / 60, abs=0.0005)
    assert precision == pytest.approx((1 + 59 * 59 / 1079) / 60, abs=0.002)
    assert (round(mean, 3), round(precision, 2)) == (0.026, 0.07)
    assert recall_at_k(scores, labels, labels, k=60) == precision


def test_retrieval_scores_agree_with_the_whole_matrix():
    queries, items, *labels = labeled_points()
    distances = scipy.spatial.distance.cdist(queries, items, "cityblock")
    table = retrieval_scores(queries, items, *labels, k=[1, 3], metric="cityblock")
    assert table.columns.tolist() == ["measure", "k", "value"]
    assert table.measure.tolist() == ["MAP", *["precision"] * 2, *["recall"] * 2]
    assert table.k.tolist() == [23, 1, 3, 1, 3]
    expected = [
        mean_average_precision(distances, *labels, greater_is_better=False),
        *precision_at_k(distances, *labels, k=[1, 3], greater_is_better=False),
        *recall_at_k(distances, *labels, k=[1, 3], greater_is_better=False),
    ]
    np.testing.assert_array_equal(table.value, expected)


def test_a_learned_similarity_is_a_callable():
    queries, items, *labels = labeled_points()
    similarity = queries @ np.array([[2.0, 1.0], [-1.0, 0.5]]) @ items.T
    table = retrieval_scores(queries, items, *labels, k=3, metric=lambda q, x: -similarity)
    assert table.value[0] == mean_average_precision(similarity, *labels)
    assert table.value[1] == precision_at_k(similarity, *labels, k=3)


def test_the_size_of_the_block_does_not_matter(monkeypatch):
    _, points, _, labels = labeled_points(n_items=300)

    def scores(block_size):
        monkeypatch.setattr(ranking, "BLOCK_ENTRIES", 300 * block_size)
        return retrieval_scores(points, points, labels, labels, ap_k=[10, 200])

    whole = scores(300)
    for block_size in (1, 2, 7, 299, 1000):
        assert whole.equals(scores(block_size))


def test_no_block_holds_the_whole_matrix():
    rng = np.random.default_rng(8)
    queries, items = rng.normal(size=(60, 2)), rng.normal(size=(50_000, 2))
    shapes = []

    def metric(q, x):
        shapes.append((len(q), len(x)))
        return scipy.spatial.distance.cdist(q, x)

    retrieval_scores(queries, items, np.arange(60) % 2, np.arange(50_000) % 2, metric=metric)
    assert sum(n for n, _ in shapes) == 60
    assert max(n * m for n, m in shapes) <= ranking.BLOCK_ENTRIES


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"items": [[0.0, 1.0]] * 3}, "queries have 1 coordinates and items 2"),
        ({"query_labels": [0]}, "query_labels: shape (1,); expected (2,)"),
        ({"item_labels": [0, 1]}, "item_labels: shape (2,); expected (3,)"),
        ({"k": 4}, "k=4; it must be a whole number from 1 to 3"),
        ({"ap_k": 0}, "k=0; it must be a whole number from 1 to 3"),
        ({"metric": "mahalanobis"}, "metric='mahalanobis'"),
        (
            {"metric": lambda q, x: np.zeros((len(x), len(q)))},
            "metric: it returned the shape (3, 2)",
        ),
        ({"metric": "cosine"}, "scores, row 0, column 0: nan"),
    ],
)
def test_retrieval_refuses(change, message):
    good = {
        "queries": [[0.0], [1.0]],
        "items": [[0.0], [1.0], [2.0]],
        "query_labels": [0, 1],
        "item_labels": [0, 1, 1],
        "k": 2,
    }
    with pytest.raises(ValueError, match=re.escape(message)):
        retrieval_scores(**good | change)


# --- what is refused ----------------------------------------------------------------------------

LINE = [[0.0], [1.0], [2.0]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: triplet_error([0.0, 1.0, 2.0], [(0, 1, 2)]), "embedding: the shape is (3,)"),
        (lambda: triplet_error(LINE, [(0, 1, 2), (0, 1, 3)]), "row 1: (0, 1, 3) has the id 3"),
        (lambda: triplet_error(LINE, np.empty((0, 3), int)), "comparisons"),
        (lambda: procrustes_distance(LINE[:2], LINE), "truth has 2 points and embedding has 3"),
        (lambda: procrustes_distance([[0.1], [0.1]], LINE[:2]), "truth: all points"),
        (lambda: mean_average_precision([0.5, 0.1], [0, 1], [0, 1]), "scores: the shape is (2,)"),
        (lambda: mean_average_precision(np.empty((2, 0)), [0], []), "scores: the shape is (2, 0)"),
        (
            lambda: mean_average_precision([[0.5, 0.1], [0.2, -np.inf]], [0, 1], [0, 1]),
            "scores, row 1, column 1: -inf",
        ),
    ],
)
def test_scores_refuse(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
