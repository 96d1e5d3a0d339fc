"""The shoes: numbers without line breaks."""

import numpy as np
from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import integers

from closerthan.datasets.zappos import parse_features


def glue(features):
    """Write numbers as the file has them: six significant digits, no line breaks."""
    rows = [[f"{x:g}" if "." in f"{x:g}" else f"{x:g}.0" for x in row] for row in features]
    return "".join(",".join(row) for row in rows).encode()


@given(arrays(np.int64, (4, 3), elements=integers(0, 99_999)))
def test_rows_without_line_breaks_come_apart(digits):
    features = digits / 10_000
    parsed = parse_features(glue(features), n_objects=4)
    np.testing.assert_array_equal(parsed, features)


def test_only_the_last_number_of_a_row_is_glued():
    assert glue([[0, 12.25], [3.5, 0]]) == b"0.0,12.253.5,0.0"
    parsed = parse_features(b"0.0,12.253.5,0.0", n_objects=2)
    np.testing.assert_array_equal(parsed, [[0, 12.25], [3.5, 0]])
