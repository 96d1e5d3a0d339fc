"""The loaders that need no file, and the parsers on small generated files of the right form."""

import io
import json

import h5py
import numpy as np
import pytest
from scipy.io import savemat
from scipy.stats import kstest

from closerthan.comparisons import Answers
from closerthan.datasets import Dataset, load, load_digits, load_eurodist, make_gaussian
from closerthan.datasets.landuse21 import CLASS_NAMES
from closerthan.datasets.multiview import parse_views
from closerthan.datasets.music import (
    build_table,
    drop_degenerate,
    parse_labels,
    parse_names,
    parse_triplets,
)
from closerthan.datasets.scene15 import CLASS_SIZES


def mat(**variables):
    stream = io.BytesIO()
    savemat(stream, variables)
    return stream.getvalue()


# Every data set that needs no file


@pytest.mark.parametrize(
    "name", ["breast_cancer", "digits", "eurodist", "swissroll", "synthetic", "wine"]
)
def test_info_is_json_and_arrays_need_no_pickle(name, tmp_path):
    data = load(name, mirror=tmp_path, cache=tmp_path, offline=True)
    assert json.loads(json.dumps(data.info)) == data.info
    assert {"title", "source", "license", "open_license", "citation", "files"} <= set(data.info)
    np.savez(tmp_path / "data.npz", **data.arrays())
    with np.load(tmp_path / "data.npz", allow_pickle=False) as saved:
        assert set(saved) == set(data.arrays()) == set(data.info["shape"])
        for key, value in data.arrays().items():
            np.testing.assert_array_equal(saved[key], value)
            assert data.info["shape"][key] == list(value.shape)


def test_a_dataset_is_frozen_and_knows_its_arrays():
    data = Dataset("letters", points=np.zeros((2, 1)), info={"n_objects": 2})
    assert set(data.arrays()) == {"points"}
    with pytest.raises(AttributeError):
        data.points = None


def test_arrays_hold_those_of_answers_and_ratings_under_names_of_their_own():
    answers = Answers([[0, 1, 2], [1, 2, 0]], screen=[0, 0], participant=["ann"])
    ratings = {"size": np.array([[0.0, 1.0, 7.0]])}
    data = Dataset("pets", answers=answers, ratings=ratings)
    assert set(data.arrays()) == {"comparisons", "screen", "weight", "participant", "ratings_size"}
    assert data.arrays()["comparisons"] is data.comparisons is answers.comparisons
    assert data.arrays()["ratings_size"] is ratings["size"]
    assert Dataset("pets", ratings=ratings).comparisons is None


def test_eurodist_is_a_symmetric_table_of_known_distances():
    data = load_eurodist()
    distances, cities = data.distances, data.object_names.tolist()
    np.testing.assert_array_equal(distances, distances.T)
    assert (np.diag(distances) == 0).all() and (distances[np.triu_indices(21, 1)] > 0).all()
    assert distances[cities.index("Paris"), cities.index("Rome")] == 1476
    assert distances[cities.index("Athens"), cities.index("Lisbon")] == 4532 == distances.max()
    assert distances[cities.index("Geneva"), cities.index("Lyons")] == 158
    assert cities == sorted(cities) and len(set(cities)) == 21


def test_eurodist_is_not_euclidean():
    squares = load_eurodist().distances ** 2
    centering = np.eye(21) - 1 / 21
    eigenvalues = np.linalg.eigvalsh(-centering @ squares @ centering / 2)
    assert (eigenvalues < -1e-6 * eigenvalues.max()).sum() == 9


def test_digits():
    data = load_digits()
    assert data.features.shape == (1797, 64) and data.labels.shape == (1797,)
    assert np.bincount(data.labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert data.class_names.tolist() == list("0123456789")


@pytest.mark.parametrize(
    ("name", "shape", "sizes"),
    [
        ("wine", (178, 13), {"class_0": 59, "class_1": 71, "class_2": 48}),
        ("breast_cancer", (569, 30), {"malignant": 212, "benign": 357}),
    ],
)
def test_what_comes_with_scikit_learn(name, shape, sizes):
    data = load(name)
    assert data.features.shape == shape and data.features.dtype == np.float64
    assert data.labels.dtype == np.int64 and data.class_names.tolist() == list(sizes)
    assert np.bincount(data.labels).tolist() == list(sizes.values())


def test_gaussian_points_have_the_distribution_asked_for():
    points = make_gaussian(n_objects=2000, n_components=3, variance=0.25, random_state=0).points
    assert points.shape == (2000, 3)
    assert kstest(points.ravel() / 0.5, "norm").pvalue > 0.01
    np.testing.assert_allclose(np.cov(points.T), np.eye(3) / 4, atol=0.03)


def test_gaussian_points_depend_on_the_seed_only():
    first = make_gaussian(random_state=3).points
    np.testing.assert_array_equal(first, make_gaussian(random_state=3).points)
    np.testing.assert_array_equal(
        first, make_gaussian(random_state=np.random.SeedSequence(3)).points
    )
    assert not np.array_equal(first, make_gaussian(random_state=4).points)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_objects": 0}, "n_objects is 0, expected a positive integer"),
        ({"n_objects": 2.5}, "n_objects is 2.5"),
        ({"n_components": -1}, "n_components is -1"),
        ({"variance": 0}, "variance is 0, expected a positive number"),
        ({"variance": np.nan}, "variance is nan"),
        ({"variance": np.inf}, "variance is inf"),
    ],
)
def test_gaussian_points_refuse_nonsense(options, message):
    with pytest.raises(ValueError, match=message):
        load("synthetic", **options)


# music_triplets.mat


def test_triplets_are_renumbered_from_zero():
    triplets = np.array([[1, 2, 3], [5, 4, 1]], dtype=np.uint16)
    parsed = parse_triplets(mat(triplets=triplets, other=1), n_triplets=2, n_artists=5)
    assert parsed.dtype == np.int64
    np.testing.assert_array_equal(parsed, [[0, 1, 2], [4, 3, 0]])


@pytest.mark.parametrize("value", [0, 6, -1, 1.5, np.nan, np.inf])
def test_a_wrong_id_is_named_with_its_row(value):
    triplets = np.array([[1, 2, 3], [5, 4, 1.0]])
    triplets[1, 1] = value
    with pytest.raises(ValueError, match=r"music_triplets\.mat: row 2, column 2 is") as error:
        parse_triplets(mat(triplets=triplets), n_triplets=2, n_artists=5)
    assert str(value) in str(error.value) and "from 1 to 5" in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (mat(answers=np.ones((2, 3))), r"has no variable 'triplets', found \['answers'\]"),
        (mat(triplets=np.ones((3, 3))), r"shape \(3, 3\), expected numbers of shape \(2, 3\)"),
        (mat(triplets=np.ones((2, 4))), r"shape \(2, 4\)"),
        (mat(triplets=np.ones((2, 3)) * 1j), "triplets is complex128"),
        (mat(triplets=np.array([["a", "b", "c"]] * 2, dtype=object)), "triplets is object"),
        (b"", "cannot be read as a MATLAB file"),
        (b"rubbish" * 100, "cannot be read as a MATLAB file"),
        (mat(triplets=np.ones((2, 3)))[:150], "cannot be read as a MATLAB file"),
    ],
)
def test_other_content_is_refused(content, message):
    with pytest.raises(ValueError, match=f"music_triplets.mat: .*{message}"):
        parse_triplets(content, n_triplets=2, n_artists=5)


def test_triplets_that_name_an_object_twice_are_dropped_and_counted():
    triplets = np.array([[0, 1, 2], [0, 0, 1], [1, 0, 1], [2, 1, 1], [2, 1, 0]])
    kept, dropped = drop_degenerate(triplets)
    np.testing.assert_array_equal(kept, [[0, 1, 2], [2, 1, 0]])
    assert dropped == ["3 of 5 triplets that name an artist twice"]
    assert drop_degenerate(kept)[1] == []


# music_labels.mat and musician_names.txt


def labels_file(matrix, tags):
    """A MATLAB v7.3 file: HDF5, columns first, strings as columns of UTF-16 codes."""
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
    matrix, tags = parse_labels(labels_file(MATRIX, TAGS), n_artists=4)
    np.testing.assert_array_equal(matrix, np.array(MATRIX, dtype=bool))
    assert tags == ["r&b", "rock", "soul"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (labels_file(MATRIX[:3], TAGS), r"shape \(3, 3\), expected \(4, 3\)"),
        (labels_file(MATRIX, TAGS[:2]), r"shape \(4, 3\), expected \(4, 2\)"),
        (labels_file([[0, 0, 2], *MATRIX[1:]], TAGS), "row 1, column 3 is 2, expected 0 or 1"),
        (labels_file(MATRIX, ["rock", "yodel", "soul"]), "tag 2 is 'yodel'"),
        (b"rubbish", "expected HDF5"),
    ],
)
def test_other_labels_are_refused(content, message):
    with pytest.raises(ValueError, match=f"music_labels.mat: .*{message}"):
        parse_labels(content, n_artists=4)


def test_hdf5_without_the_variables_is_refused():
    stream = io.BytesIO()
    with h5py.File(stream, "w") as stored:
        stored["other"] = [1]
    with pytest.raises(ValueError, match=r"music_labels\.mat: expected HDF5 with label_matrix"):
        parse_labels(stream.getvalue(), n_artists=4)


def test_the_artist_who_was_not_released_is_left_out_of_the_names():
    content = b"one 5\na_new_found_glory 7\ntwo 9\n"
    assert parse_names(content, n_artists=2) == ["one", "two"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"one 5\na_new_found_glory\n", "row 2 is 'a_new_found_glory', expected a name"),
        (b"one five\n", "row 1 is 'one five'"),
        (b"one 5\ntwo 6\nthree 7\n", "has 3 rows, 0 of them for a_new_found_glory"),
        (b"one 5\na_new_found_glory 7\n", "has 2 rows, 1 of them .* expected 3 and 1"),
    ],
)
def test_other_names_are_refused(content, message):
    with pytest.raises(ValueError, match=f"musician_names.txt: .*{message}"):
        parse_names(content, n_artists=2)


def test_an_artist_has_the_first_genre_of_any_tag():
    table = build_table(
        np.array([[0, 1, 3]]), np.array(MATRIX, dtype=bool), ["r&b", "rock", "soul"], list("abcd")
    )
    assert table["super_class"].tolist() == ["hiphop", "rock", "other", "dance"]
    assert table["super_class_id"].tolist() == [5, 1, 9, 4]
    assert table["tags"].tolist() == ["r&b", "r&b|rock|soul", "", "soul"]
    assert table["in_triplets"].tolist() == [1, 1, 0, 1]
    assert table["artist_id"].tolist() == [1, 2, 3, 4]


# LandUse-21.mat and Scene-15.mat

FILE = "views.mat"
SIZES = {"class_sizes": (2, 1, 3), "widths": (2, 3)}


def views(change=lambda blocks, labels: None):
    rng = np.random.default_rng(0)
    blocks = [rng.random((6, 2)), rng.random((6, 3))]
    labels = np.repeat([1.0, 2, 3], SIZES["class_sizes"])[:, None]
    change(blocks, labels)
    cells = np.empty((1, len(blocks)), dtype=object)
    cells[0, :] = blocks
    return mat(X=cells, Y=labels), blocks, labels


def test_feature_blocks_stand_side_by_side():
    content, blocks, _ = views()
    features, labels = parse_views(content, FILE, **SIZES)
    np.testing.assert_array_equal(features, np.hstack(blocks))
    np.testing.assert_array_equal(labels, [0, 0, 1, 2, 2, 2])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda blocks, _: blocks.pop(), r"blocks of shapes \[\(6, 2\)\], expected"),
        (lambda blocks, _: blocks.reverse(), "blocks of shapes"),
        (
            lambda blocks, _: blocks[1].__setitem__((4, 2), np.nan),
            "block 2, row 5, column 3 is nan",
        ),
        (
            lambda blocks, _: blocks[0].__setitem__((0, 1), np.inf),
            "block 1, row 1, column 2 is inf",
        ),
        (
            lambda _, labels: labels.__setitem__(3, 4),
            "row 4 of Y is 4.*, expected a class from 1 to 3",
        ),
        (lambda _, labels: labels.__setitem__(3, 1.5), "row 4 of Y is 1.5"),
        (lambda _, labels: labels.__setitem__(3, 1), "class 1 has 3 rows, expected 2"),
        (lambda _, labels: labels.__setitem__(3, 2), "class 2 has 2 rows, expected 1"),
        (
            lambda blocks, _: blocks.__setitem__(1, np.full((6, 3), 1j)),
            "block 2 is complex128, expected numbers",
        ),
    ],
)
def test_other_views_are_refused(change, message):
    with pytest.raises(ValueError, match=f"views.mat: .*{message}"):
        parse_views(views(change)[0], FILE, **SIZES)


def test_labels_of_another_length_are_refused():
    blocks = views()[1]
    cells = np.empty((1, 2), dtype=object)
    cells[0, :] = blocks
    with pytest.raises(ValueError, match=r"Y has shape \(5, 1\), expected \(6, 1\)"):
        parse_views(mat(X=cells, Y=np.ones((5, 1))), FILE, **SIZES)


def test_features_without_cells_are_refused():
    with pytest.raises(ValueError, match=r"views\.mat: X has blocks of shapes"):
        parse_views(mat(X=np.ones((6, 5)), Y=np.ones((6, 1))), FILE, **SIZES)


def test_there_is_a_name_for_each_class():
    assert len(set(CLASS_NAMES)) == 21 and list(CLASS_NAMES) == sorted(CLASS_NAMES)


def test_the_sizes_of_the_scenes_tell_their_names():
    sizes = list(CLASS_SIZES.values())
    assert len(set(sizes)) == 15 and sum(sizes) == 4485
    # The outdoor scenes but the suburb are the whole of the Outdoor Scene Recognition set.
    assert sum(sizes[1:9]) == 2688
