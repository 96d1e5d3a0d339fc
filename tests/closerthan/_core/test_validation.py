"""Check the shared checks of arguments: accepted values and error messages."""

import numpy as np
import pandas as pd
import pytest

from closerthan._core.validation import (
    check_count,
    check_finite,
    check_number,
    check_start,
    check_weights,
    check_word,
    refuse_missing,
    share_or_auto,
)


@pytest.mark.parametrize("value", [1, 3, np.int8(2), np.uint64(3)])
def test_whole_numbers_are_counts(value):
    check_count("n", value)
    check_count("n", value, 3, "the number of objects")


@pytest.mark.parametrize("value", [0, -1, 1.0, True, "1", None, np.nan])
def test_nothing_else_is_a_count(value):
    with pytest.raises(ValueError, match=r"^n=.*; it must be a whole number from 1$"):
        check_count("n", value)


def test_a_count_may_be_optional():
    check_count("n", None, optional=True)
    with pytest.raises(ValueError, match=r"n=0; it must be a whole number from 1, or None$"):
        check_count("n", 0, optional=True)


def test_a_count_may_have_a_limit():
    with pytest.raises(ValueError, match=r"n=4; it must be a whole number from 1 to 3 \(objects\)"):
        check_count("n", 4, 3, "objects")


@pytest.mark.parametrize("value", [-1, np.inf, np.nan, True, "1", None, 1j])
def test_a_number_is_finite_and_not_negative(value):
    with pytest.raises(ValueError, match=r"^x=.*; it must be finite and not negative$"):
        check_number("x", value)
    check_number("x", 0)
    check_number("x", np.float32(0.5), positive=True)
    with pytest.raises(ValueError, match=r"^x=0; it must be finite and positive$"):
        check_number("x", 0, positive=True)


@pytest.mark.parametrize("value", [1, -0.1, np.nan, True, None, "some"])
def test_a_share_is_below_one_or_is_to_be_found(value):
    assert share_or_auto("x", "auto") is None and share_or_auto("x", 0) == 0
    with pytest.raises(ValueError, match=r"^x=.*; it must be 'auto' or a number from 0 to less"):
        share_or_auto("x", value)


@pytest.mark.parametrize("value", ["c", "", None, 1, ["a"]])
def test_a_word_is_one_of_those_allowed(value):
    check_word("step", "a", ("a", "b"))
    with pytest.raises(ValueError, match=r"^step=.*; it must be one of a, b$"):
        check_word("step", value, ("a", "b"))


def test_the_first_number_that_is_not_finite_is_named():
    values = np.array([[0.0, 1.0], [np.inf, np.nan]])
    with pytest.raises(ValueError, match=r"^points, row 11, column 0: inf is not allowed"):
        check_finite(values, "points", first_row=10)
    check_finite(values[:1], "points")


def test_a_start_has_a_row_a_point():
    assert check_start([[0, 1]], (1, 2)).dtype == np.float64
    with pytest.raises(ValueError, match=r"init has shape \(2, 1\); it must be \(1, 2\)"):
        check_start([[0], [1]], (1, 2))


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_label_is_named(missing):
    refuse_missing(np.array(["a", "b"]), "y", "point")
    with pytest.raises(ValueError, match=r"^y, row 1: .*; every point needs a label$"):
        refuse_missing(np.array(["a", missing], dtype=object), "y", "point")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"shape \(1,\); it must be \(2,\)"),
        ([1.0, -1.0], "row 1: -1.0"),
        ([np.nan, 1.0], "row 0: nan"),
        ([0.0, 0.0], "all weights are zero"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    assert check_weights(None, [[0, 1, 2]]) is None
    with pytest.raises(ValueError, match=message):
        check_weights(weights, [[0, 1, 2], [0, 2, 1]])
