"""Check how tables of answers are joined."""

import numpy as np
import pytest

from closerthan.comparisons import Answers
from closerthan_lab.files.joining import concatenate


def test_tables_are_joined_if_all_or_none_have_participants():
    known, unknown = Answers([[0, 1, 2]], participant=["ann"]), Answers([[0, 2, 1]], time=[2.0])
    assert concatenate([known, known]).n_people == 1
    times = concatenate([unknown, Answers([[1, 0, 2]])]).time
    np.testing.assert_array_equal(times, [2.0, np.nan])
    for tables in ([known, unknown], [unknown, known]):
        with pytest.raises(ValueError, match="participant: known in some tables only"):
            concatenate(tables)
