"""Bags of visual words, and their classes."""

import io

import numpy as np
import pytest
from scipy.io import savemat

from closerthan.datasets.caltech10 import CLASS_SIZES, parse

LABELS = np.array([[1], [3], [3], [2], [1]], dtype=np.uint8)
COUNTS = np.random.default_rng(0).integers(0, 256, (5, 4), dtype=np.uint8)
SIZES = [2, 1, 2]


def mat(**variables):
    stream = io.BytesIO()
    savemat(stream, {"fts": COUNTS, "labels": LABELS} | variables)
    return stream.getvalue()


def test_counts_become_features_and_classes_labels():
    features, labels = parse(mat(), SIZES, n_words=4)
    assert features.dtype == np.float64 and labels.dtype == np.int64
    np.testing.assert_array_equal(features, COUNTS)
    np.testing.assert_array_equal(labels, [0, 2, 2, 1, 0])


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"fts": COUNTS[:, :3]}, r"fts has shape \(5, 3\), expected \(5, 4\)"),
        ({"fts": COUNTS[:4]}, r"fts has shape \(4, 4\)"),
        ({"fts": np.where(COUNTS[2, 1] == COUNTS, np.nan, COUNTS)}, "row 3, column 2 is nan"),
        ({"fts": COUNTS * 1j}, "fts is complex128, expected numbers"),
        ({"labels": LABELS.T}, r"labels has shape \(1, 5\), expected \(5, 1\)"),
        ({"labels": LABELS + 1}, "row 2 of labels is 4, expected a class from 1 to 3"),
        ({"labels": LABELS[::-1] * 0 + 1}, "class 1 has 5 rows, expected 2"),
    ],
)
def test_another_file_is_refused(variables, message):
    with pytest.raises(ValueError, match=rf"caltech10\.mat: .*{message}"):
        parse(mat(**variables), SIZES, n_words=4)


def test_the_sizes_tell_the_names():
    assert len(set(CLASS_SIZES.values())) == 10 and sum(CLASS_SIZES.values()) == 1123
    assert list(CLASS_SIZES) == sorted(CLASS_SIZES)
