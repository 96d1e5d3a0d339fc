"""Features of the objects of THINGS."""

import numpy as np
import pytest

from closerthan.datasets import load


@pytest.mark.usefixtures("mirror")
@pytest.mark.parametrize(
    ("name", "n_features"),
    [("things_clip", 512), ("things_word2vec", 300), ("things_spose", 49), ("things_vice", 42)],
)
def test_every_object_has_features(name, n_features):
    data = load(name)
    assert data.features.shape == (1854, n_features) and data.features.dtype == np.float64
    assert np.isfinite(data.features).all() and data.features.std(axis=0).min() > 0
