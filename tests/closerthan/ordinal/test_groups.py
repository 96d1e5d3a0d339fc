"""Check the groups of objects that comparisons link, against merging row by row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan import OrdinalEmbedding
from closerthan.ordinal.groups import connected_objects


@pytest.mark.parametrize("width", [3, 4])
@given(seed=st.integers(0, 2**32 - 1))
def test_groups_are_those_that_merge(width, seed):
    rng = np.random.default_rng(seed)
    rows = np.array([rng.permutation(16)[:width] for _ in range(rng.integers(1, 12))])
    groups = [{i} for i in range(16)]
    for row in rows.tolist():
        touched = [group for group in groups if group & set(row)]
        groups = [group for group in groups if group not in touched] + [set().union(*touched)]
    group = connected_objects(rows, 16)
    assert np.bincount(group).tolist() == sorted(map(len, groups), reverse=True)
    for some in groups:
        assert len({group[i] for i in some}) == 1


def test_a_fit_warns_of_groups_that_no_comparison_links():
    triplets = np.array([[0, 1, 2], [1, 2, 3], [3, 0, 1], [5, 6, 7], [6, 5, 7]])
    model = OrdinalEmbedding(max_iter=2, n_objects=9, random_state=0)
    with pytest.warns(UserWarning, match="links 2 groups") as caught:
        model.fit(triplets)
    assert any("Not linked to the largest group: 5, 6, 7. Ask" in str(w.message) for w in caught)
    with pytest.warns(UserWarning, match="occur in no comparison"):
        model.fit(triplets[:3])
