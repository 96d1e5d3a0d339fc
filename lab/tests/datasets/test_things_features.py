"""Features of the objects of THINGS."""

import numpy as np
import pytest

from closerthan_lab.datasets import load
from closerthan_lab.datasets.things_features import FILES


@pytest.mark.parametrize("name", FILES)
def test_every_object_has_features_that_vary(name, places):
    features = load(name, **places).features
    assert len(features) == 1854 and features.dtype == np.float64
    assert np.isfinite(features).all() and features.std(axis=0).min() > 0
