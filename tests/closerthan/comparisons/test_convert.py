"""Check conversions of comparisons against definitions restated by hand."""

import numpy as np
import pytest

from closerthan import comparisons as rc

# cblearn's definitions: d(0, 1) <= d(0, 2), d(2, 3) <= d(2, 1), d(1, 3) <= d(1, 0).
LIST_ORDER = np.array([[0, 1, 2], [2, 3, 1], [1, 3, 0]], dtype=np.uint32)
LIST_QUERIES = [[0, 1, 2], [2, 1, 3], [1, 0, 3]]
LIST_COUNT = [1, -1, -1]


@pytest.mark.parametrize("answers", [LIST_COUNT, np.array(LIST_COUNT) > 0, [1.0, -1.0, -1.0]])
def test_from_query_response(answers):
    np.testing.assert_array_equal(rc.from_query_response(LIST_QUERIES, answers), LIST_ORDER)


def test_counts_repeat_their_rows():
    rows = rc.from_query_response(LIST_QUERIES, [2, -1, -3])
    np.testing.assert_array_equal(rows, LIST_ORDER[[0, 0, 1, 2, 2, 2]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rc.from_query_response([[0, 1, 2]], [0]), "responses, row 0: 0 is not an answer"),
        (lambda: rc.from_query_response([[0, 1, 2]], [1.5]), "responses, row 0: 1.5"),
        (lambda: rc.from_query_response([[0, 1, 2]], [1e300]), "responses, row 0: 1e.300 is no"),
        (lambda: rc.from_query_response([[0, 1, 2]], [-(2**63)]), "responses, row 0: -9223372036"),
        (lambda: rc.from_query_response([[0, 1, 2]], [1, 1]), r"responses: shape \(2,\)"),
        (lambda: rc.from_query_response([[0, 1, 1]], [1]), "queries, row 0: "),
    ],
)
def test_conversions_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()
