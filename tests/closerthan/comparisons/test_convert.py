"""Check conversions of comparisons against definitions restated by hand."""

import numpy as np
import pytest
from sklearn.metrics import euclidean_distances

from closerthan import comparisons as rc


def as_set(comparisons):
    return {tuple(row) for row in comparisons.tolist()}


def test_to_quadruplets():
    np.testing.assert_array_equal(rc.to_quadruplets([[5, 1, 2]]), [[5, 1, 5, 2]])
    quadruplets = np.array([[0, 1, 2, 3]])
    assert rc.to_quadruplets(quadruplets) is quadruplets


# cblearn's definitions: d(0, 1) <= d(0, 2), d(2, 3) <= d(2, 1), d(1, 3) <= d(1, 0).
LIST_ORDER = np.array([[0, 1, 2], [2, 3, 1], [1, 3, 0]], dtype=np.uint32)
LIST_QUERIES = [[0, 1, 2], [2, 1, 3], [1, 0, 3]]
LIST_COUNT = [1, -1, -1]
# d(0, 1) <= d(0, 2) as a question in standard order, and d(2, 3) <= d(0, 3) as its opposite.
QUADRUPLET_ORDER = [[1, 0, 0, 2], [2, 3, 3, 0]]
QUADRUPLET_QUERIES = [[0, 1, 0, 2], [0, 3, 2, 3]]
QUADRUPLET_COUNT = [1, -1]


def test_list_order_is_the_same_columns():
    own = rc.from_list_order(LIST_ORDER)
    assert own.dtype == np.int64
    assert rc.to_list_order(own).dtype == np.uint32
    np.testing.assert_array_equal(rc.to_list_order(own), LIST_ORDER)
    points = [[0.0], [1.0], [2.5], [1.8]]
    assert as_set(own) <= as_set(rc.all_triplets(euclidean_distances(points)))


@pytest.mark.parametrize("answers", [LIST_COUNT, np.array(LIST_COUNT) > 0, [1.0, -1.0, -1.0]])
def test_from_query_response(answers):
    np.testing.assert_array_equal(rc.from_query_response(LIST_QUERIES, answers), LIST_ORDER)


def test_counts_repeat_their_rows():
    rows = rc.from_query_response(LIST_QUERIES, [2, -1, -3])
    np.testing.assert_array_equal(rows, LIST_ORDER[[0, 0, 1, 2, 2, 2]])


# metric-learn's definitions: d(t[0], t[1]) < d(t[0], t[2]), and d(t[0], t[1]) < d(t[2], t[3]), with
# row numbers or points t.
@pytest.mark.parametrize("kind", ["triplets", "quadruplets"])
def test_tuples_of_points_there_and_back(kind):
    truth = np.random.default_rng(0).normal(size=(7, 2))
    rows = rc.sample_from_points(truth, 50, kind=kind, random_state=0)
    points, comparisons = rc.from_tuples(truth[rows])
    np.testing.assert_array_equal(points[comparisons], truth[rows])
    assert points.shape == (7, 2) and comparisons.dtype == np.int64
    first, second, *_, last = points[comparisons].transpose(1, 0, 2)
    third = first if kind == "triplets" else points[comparisons[:, 2]]
    assert (np.linalg.norm(first - second, axis=1) < np.linalg.norm(third - last, axis=1)).all()


def test_responses_may_be_objects():
    """The column of a table may hold other answers too, or missing ones."""
    for responses in ([True, False], [np.True_, np.False_], [1, -1], [1.0, -1]):
        column = np.array(responses, dtype=object)
        rows = rc.from_query_response([[0, 1, 2], [2, 1, 3]], column)
        np.testing.assert_array_equal(rows, [[0, 1, 2], [2, 3, 1]])


def test_query_response_of_quadruplets():
    queries, responses = rc.to_query_response(QUADRUPLET_ORDER)
    np.testing.assert_array_equal(queries, QUADRUPLET_QUERIES)
    np.testing.assert_array_equal(responses, QUADRUPLET_COUNT)
    np.testing.assert_array_equal(
        rc.from_query_response(QUADRUPLET_QUERIES, [True, False]), [[0, 1, 0, 2], [2, 3, 0, 3]]
    )


@pytest.mark.parametrize("kind", ["triplets", "quadruplets"])
def test_to_query_response_asks_each_question_in_one_way(kind):
    rows = rc.sample_from_points(
        np.random.default_rng(0).normal(size=(6, 2)), 40, kind=kind, random_state=0
    )
    queries, responses = rc.to_query_response(rows)
    opposite = rows[:, [0, 2, 1]] if kind == "triplets" else rows[:, [3, 2, 1, 0]]
    same_queries, opposite_responses = rc.to_query_response(opposite)
    np.testing.assert_array_equal(queries, same_queries)
    np.testing.assert_array_equal(responses, -opposite_responses)
    # The samplers sort the objects of a pair, so quadruplets also return exactly.
    np.testing.assert_array_equal(rc.from_query_response(queries, responses), rows)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rc.from_query_response([[0, 1, 2]], [0]), "responses, row 0: 0 is not an answer"),
        (lambda: rc.from_query_response([[0, 1, 2]], [np.nan]), "responses, row 0: nan"),
        (lambda: rc.from_query_response([[0, 1, 2]], [np.inf]), "responses, row 0: inf"),
        (lambda: rc.from_query_response([[0, 1, 2]], [1.5]), "responses, row 0: 1.5"),
        (lambda: rc.from_tuples([[0, 1, 2]]), r"tuples: shape \(1, 3\)"),
        (lambda: rc.from_tuples(np.eye(2)[None]), r"tuples: shape \(1, 2\)"),
        (lambda: rc.from_tuples(np.zeros((1, 3, 2))), "tuples, row 0: .* names object 0 twice"),
        (lambda: rc.from_query_response([[0, 1, 2]], ["yes"]), "responses, row 0: yes"),
        (lambda: rc.from_query_response([[0, 1, 2]], [1e300]), "responses, row 0: 1e.300 is no"),
        (lambda: rc.from_query_response([[0, 1, 2]], [-(2**63)]), "responses, row 0: -9223372036"),
        (lambda: rc.from_query_response([[0, 1, 2]] * 2, [True, None]), "responses, row 1: None"),
        (lambda: rc.from_tuples([[[0, 1], [1, 2], [np.nan, 1]]]), "tuples, row 0: features must"),
        (lambda: rc.from_tuples([[["a"], ["b"], ["c"]]]), r"tuples: shape \(1, 3, 1\) of <U1"),
        (lambda: rc.from_tuples(np.zeros((2, 3, 0))), r"tuples: shape \(2, 3, 0\)"),
        (lambda: rc.from_query_response([[0, 1, 2]], [1, 1]), r"responses: shape \(2,\)"),
        (lambda: rc.from_query_response([[0, 1, 1]], [1]), "queries, row 0: "),
        (lambda: rc.from_list_order([[0, 1, 1]]), "list_order, row 0: "),
        (lambda: rc.to_list_order([[0, 1, 2**32]]), "comparisons, row 0: .* 0 to 4294967295"),
    ],
)
def test_conversions_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()
