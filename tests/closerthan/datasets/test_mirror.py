"""Check the real files: parsing, counts, and the data derived from them."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr

from closerthan.datasets import load, load_eurodist
from closerthan.datasets.fetch import reader
from closerthan.datasets.music import (
    CLASS_NAMES,
    find_genres,
    parse_labels,
    parse_names,
    parse_triplets,
)

MNIST = [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]
# The sizes tell the names: they all differ, and are those of the original data sets. The outdoor
# scenes except the suburb are the 2,688 of the Outdoor Scene Recognition set.
OBJECTS = [151, 110, 100, 138, 85, 128, 133, 94, 87, 97]
SCENES = [241, 360, 328, 260, 308, 374, 410, 292, 356, 215, 216, 311, 210, 289, 315]
LETTERS = [
    *(789, 766, 736, 805, 768, 775, 773, 734, 755, 747, 739, 761, 792),
    *(783, 753, 803, 783, 758, 748, 796, 813, 764, 752, 787, 786, 734),
]


def test_embedded_eurodist_is_the_raw_source_and_the_derived_matrix(places):
    data = load_eurodist()
    raw = pd.read_csv(io.BytesIO(reader("eurodist", **places)("eurodist.csv")))
    np.testing.assert_array_equal(data.distances.T[np.triu_indices(21, 1)], raw["x"])
    content = reader("eurodist", **places)("eurodist_matrix.csv")
    matrix = pd.read_csv(io.BytesIO(content), index_col="city")
    assert matrix.index.tolist() == matrix.columns.tolist() == data.object_names.tolist()
    np.testing.assert_array_equal(data.distances, matrix)


def test_music(places):
    data = load("music", **places)
    np.testing.assert_array_equal(np.unique(data.comparisons), np.arange(400))
    assert np.bincount(data.labels).tolist() == [237, 16, 68, 19, 29, 3, 10, 4, 14]
    assert data.info["dropped"] == [
        "17 of 9107 triplets that name an artist twice",
        "12 of 412 artists that no triplet names",
    ]


def test_the_artists_table_is_rebuilt_row_by_row(places):
    content = reader("music", **places)("music_artists.csv")
    derived = pd.read_csv(io.BytesIO(content), keep_default_na=False, dtype={"name": str})
    read = reader("music", **places)
    matrix, tags = parse_labels(read("music_labels.mat"))
    genres, ids = find_genres(matrix, tags), np.arange(len(matrix))
    named = np.isin(ids, parse_triplets(read("music_triplets.mat")))
    rebuilt = pd.DataFrame(
        {
            "artist_id": ids + 1,
            "name": parse_names(read("musician_names.txt")),
            "in_triplets": named.astype(int),
            "super_class_id": genres + 1,
            "super_class": np.array(CLASS_NAMES)[genres],
            "tags": ["|".join(np.array(tags)[row]) for row in matrix],
        }
    )
    pd.testing.assert_frame_equal(rebuilt, derived, check_dtype=False)
    assert rebuilt["super_class"].unique().size == len(CLASS_NAMES)


def test_zappos(places):
    data = load("zappos", **places)
    np.testing.assert_array_equal(np.unique(data.comparisons), np.arange(85))
    assert round((data.features == 0).mean(), 2) == 0.74
    # If rows of features were shifted, they would agree with people by chance, 0.5.
    distances = squareform(pdist(data.features))
    i, j, k = data.comparisons.T
    assert round((distances[i, j] < distances[i, k]).mean(), 3) == 0.692


@pytest.mark.parametrize(
    ("name", "n_features", "sizes", "n_distinct", "limits"),
    [
        ("landuse21", 119, [100] * 21, 2099, None),
        ("scene15", 119, SCENES, 4485 - 18, None),
        ("caltech10", 800, OBJECTS, 1122, None),
        ("mnist", 784, MNIST, 10_000, (0, 1)),
        ("vehicle", 18, [212, 217, 218, 199], 846, (-1, 1)),
        ("vowel", 10, [90] * 11, 990, (-1, 1)),
        ("letter", 16, LETTERS, 20_000 - 1332, (-1, 1)),
        ("svmguide4", 10, [86, 116, 119, 99, 110, 82], 612, None),
        ("segment", 19, [330] * 7, 2310 - 224, (-1, 1)),
    ],
)
def test_features_and_labels(places, name, n_features, sizes, n_distinct, limits):
    data = load(name, **places)
    assert data.features.shape == (sum(sizes), n_features) and data.features.dtype == np.float64
    assert np.bincount(data.labels).tolist() == sizes and data.class_names.shape == (len(sizes),)
    assert np.isfinite(data.features).all() and data.labels.dtype == np.int64
    assert len(np.unique(data.features, axis=0)) == n_distinct
    assert limits in (None, (data.features.min(), data.features.max()))


def test_an_image_of_mnist_is_not_transposed(places):
    """Ones are taller than wide."""
    data = load("mnist", **places)
    assert data.labels[:5].tolist() == [7, 2, 1, 0, 4]
    one = data.features[data.labels == 1].mean(axis=0).reshape(28, 28)
    height, width = ((one.sum(axis=axis) > 1).sum() for axis in (1, 0))
    assert height > width


@pytest.mark.parametrize(
    ("table", "n_words", "n_pairs", "correlation"),
    [("men", (487, 751), (1474, 3000), 0.7415), ("simlex", (676, 1028), (523, 999), 0.3253)],
)
def test_words(places, table, n_words, n_pairs, correlation):
    """Cosines would not correlate if vectors were shifted against the words."""
    data = load("words", **places)
    covered = data.info["coverage"][table]
    assert (covered["n_words"], covered["n_words_all"]) == n_words
    assert (covered["n_pairs"], covered["n_pairs_all"]) == n_pairs
    assert data.features.shape == (len(data.object_names), 300)
    assert data.features.dtype == np.float64
    assert data.object_names.tolist() == sorted(set(data.object_names.tolist()))
    pairs = data.ratings[table]
    i, j = pairs[:, :2].astype(int).T
    unit = data.features / np.linalg.norm(data.features, axis=1, keepdims=True)
    found = spearmanr((unit[i] * unit[j]).sum(axis=1), pairs[:, 2]).statistic
    assert round(found, 4) == correlation
