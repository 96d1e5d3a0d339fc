"""Check the loaders without files, and the parsers on small generated files."""

import gzip
import io
import struct

import h5py
import numpy as np
import pytest
from scipy.io import savemat
from scipy.stats import kstest
from sklearn.metrics.pairwise import haversine_distances

from closerthan.comparisons import Answers
from closerthan.datasets import Dataset, load, load_eurodist, make_gaussian
from closerthan.datasets.matlab import read_views
from closerthan.datasets.mnist import parse_idx
from closerthan.datasets.music import (
    CLASS_NAMES,
    find_genres,
    parse_labels,
    parse_names,
    parse_triplets,
)


def mat(**variables):
    stream = io.BytesIO()
    savemat(stream, variables)
    return stream.getvalue()


def test_a_dataset_prints_its_form_its_arrays_and_its_license_in_a_few_lines():
    pets = Dataset(
        "pets",
        answers=Answers(np.tile([[0, 1, 2], [1, 2, 0]], (1000, 1))),
        object_names=np.array(["cat", "dog", "cow"]),
        info={"n_objects": 3, "license": "CC BY 4.0"},
    )
    assert repr(pets) == (
        "Dataset 'pets': 2,000 triplets of 3 objects\n"
        "  arrays: object_names (3,), comparisons (2000, 3), screen (2000,), weight (2000,)\n"
        "  license: CC BY 4.0"
    )
    for content, form in (
        ({"answers": Answers([[0, 1, 2, 3], [0, 1, 2, 4]])}, "2 quadruplets of objects"),
        ({"distances": np.zeros((5, 5))}, "5 objects"),
        ({"ratings": {"size": np.zeros((1, 3))}, "info": {"n_objects": 2}}, "2 objects"),
        ({"features": np.zeros((1000, 64)), "labels": np.arange(1000) % 10}, "1,000 objects"),
    ):
        assert repr(Dataset("x", **content)).startswith(f"Dataset 'x': {form}\n  arrays: ")
    long = repr(Dataset("x", info={"license": "word " * 100}))
    assert "arrays: none" in long and len(long) < 200


def test_roads_between_cities_are_longer_than_the_way_over_the_globe():
    data = load_eurodist()
    over_globe = 6371 * haversine_distances(np.radians(data.parameters))
    pairs = np.triu_indices(21, 1)
    detours = data.distances[pairs] / over_globe[pairs]
    assert np.corrcoef(data.distances[pairs], over_globe[pairs])[0, 1] > 0.97
    assert np.median(detours) < 1.4 and np.mean(detours > 1) > 0.97  # the source has some errors


def test_gaussian_points_have_the_distribution_asked_for():
    points = make_gaussian(n_objects=2000, n_components=3, variance=0.25, random_state=0).points
    assert points.shape == (2000, 3)
    assert kstest(points.ravel() / 0.5, "norm").pvalue > 0.01
    np.testing.assert_allclose(np.cov(points.T), np.eye(3) / 4, atol=0.03)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_objects": 0}, "n_objects=0; it must be a whole number from 1"),
        ({"n_components": -1}, "n_components=-1"),
        ({"variance": 0}, "variance=0; it must be finite and positive"),
    ],
)
def test_gaussian_points_refuse_nonsense(options, message):
    with pytest.raises(ValueError, match=message):
        load("synthetic", **options)


# music_triplets.mat


def test_triplets_are_renumbered_from_zero():
    triplets = np.array([[1, 2, 3], [5, 4, 1]], dtype=np.uint16)
    parsed = parse_triplets(mat(triplets=triplets, other=1))
    assert parsed.dtype == np.int64
    np.testing.assert_array_equal(parsed, [[0, 1, 2], [4, 3, 0]])


# music_labels.mat and musician_names.txt


def labels_file(matrix, tags):
    """Write a MATLAB v7.3 file: HDF5, columns first, strings as columns of UTF-16 codes."""
    stream = io.BytesIO()
    with h5py.File(stream, "w") as stored:
        stored["label_matrix"] = np.asarray(matrix, dtype=np.uint8).T
        cells = stored.create_dataset("lablist", (1, len(tags)), dtype=h5py.ref_dtype)
        for number, tag in enumerate(tags):
            codes = np.array([[ord(letter)] for letter in tag], dtype=np.uint16)
            cells[0, number] = stored.create_dataset(f"#refs#/{number}", data=codes).ref
    return stream.getvalue()


TAGS = ["r&amp;b", "rock", "soul"]
MATRIX = [[1, 0, 0], [1, 1, 1], [0, 0, 0], [0, 0, 1]]


def test_labels_are_transposed_and_unescaped():
    matrix, tags = parse_labels(labels_file(MATRIX, TAGS))
    np.testing.assert_array_equal(matrix, np.array(MATRIX, dtype=bool))
    assert tags == ["r&b", "rock", "soul"]


def test_the_artist_who_was_not_released_is_left_out_of_the_names():
    content = b"one 5\na_new_found_glory 7\ntwo 9\n"
    assert parse_names(content) == ["one", "two"]


def test_an_artist_has_the_first_genre_of_any_tag():
    genres = find_genres(np.array(MATRIX, dtype=bool), ["r&b", "rock", "soul"])
    assert [CLASS_NAMES[genre] for genre in genres] == ["hiphop", "rock", "other", "dance"]


# LandUse-21.mat, Scene-15.mat and caltech10.mat


def test_feature_blocks_stand_side_by_side():
    rng = np.random.default_rng(0)
    cells = np.empty((1, 2), dtype=object)
    cells[0, :] = blocks = rng.random((6, 2)), rng.random((6, 3))
    content = mat(X=cells, Y=np.array([[2.0], [1], [3], [3], [3], [1]]))
    data = read_views("scene15", content, "coast, forest, street")
    np.testing.assert_array_equal(data.features, np.hstack(blocks))
    assert data.labels.tolist() == [1, 0, 2, 2, 2, 0] and data.labels.dtype == np.int64
    assert data.class_names.tolist() == ["coast", "forest", "street"]


# MNIST


def test_an_array_of_mnist_is_unpacked():
    images = np.random.default_rng(0).integers(0, 256, (3, 2, 4), dtype=np.uint8)
    content = gzip.compress(struct.pack(">IIII", 0x0803, 3, 2, 4) + images.tobytes())
    found = parse_idx(content)
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, images)
