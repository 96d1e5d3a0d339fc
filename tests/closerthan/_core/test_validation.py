"""Check the shared checks of arguments: accepted values and error messages."""

import numpy as np
import pytest

from closerthan._core.validation import (
    check_count,
    check_number,
    check_weights,
    share_or_auto,
)


@pytest.mark.parametrize("value", [0, -1, 1.0, True, "1", None, np.nan])
def test_nothing_else_is_a_count(value):
    with pytest.raises(ValueError, match=r"^n=.*; it must be a whole number from 1$"):
        check_count("n", value)


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


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"shape \(1,\); expected \(2,\)"),
        ([1.0, -1.0], "row 1: -1.0"),
        ([np.nan, 1.0], "row 0: nan"),
        ([0.0, 0.0], "all weights are zero"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    assert check_weights(None, [[0, 1, 2]]) is None
    with pytest.raises(ValueError, match=message):
        check_weights(weights, [[0, 1, 2], [0, 2, 1]])
