"""Features of the objects of THINGS, from the mirror and from small files."""

import io

import numpy as np
import pytest

from closerthan.datasets import load
from closerthan.datasets.things_features import parse_features


@pytest.mark.usefixtures("mirror")
@pytest.mark.parametrize(
    ("name", "n_features"),
    [("things_clip", 512), ("things_word2vec", 300), ("things_spose", 49), ("things_vice", 42)],
)
def test_every_object_has_features(name, n_features):
    data = load(name)
    assert data.features.shape == (1854, n_features) and data.features.dtype == np.float64
    assert np.isfinite(data.features).all() and data.features.std(axis=0).min() > 0


def content(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones((2, 4)), r"f.npy: shape \(2, 4\) of float64; expected numbers with 3 rows"),
        (np.ones((3, 4), dtype=int), "of int64"),
        (np.array([[1.0], [2.0], [np.nan]]), "f.npy, row 2, column 0"),
        (np.array([{}, {}, {}]), "allow_pickle"),
    ],
)
def test_other_files_are_refused(array, message):
    with pytest.raises(ValueError, match=message):
        parse_features(content(array), "f.npy", 3)
