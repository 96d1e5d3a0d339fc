"""Show a type checker the main calls of the lab; mypy reads this file, and nothing runs it."""

from typing import assert_type

import numpy as np

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_points
from closerthan_lab.dimension import DimensionSearch
from closerthan_lab.scale import DifferenceScale


def use() -> None:
    triplets = sample_from_points(np.eye(3), 12, random_state=0)
    search = DimensionSearch(OrdinalEmbedding(loss="ste"))
    assert_type(search.fit(triplets), DimensionSearch)
    assert_type(DifferenceScale().fit(triplets, order=[0, 1, 2]), DifferenceScale)

    # The checker must reject this call.
    search.fit(triplets=triplets)  # type: ignore[call-arg]
