"""The parser of sun_split.mat, on small generated files of both formats that MATLAB writes."""

import io

import h5py
import numpy as np
import pytest
from scipy.io import savemat

from closerthan.datasets import load
from closerthan.datasets.sun397 import parse

SIZES = {"n_classes": 3, "n_per_class": 2}
GROUND = np.array([[7.0], [2], [7], [30], [2], [30]])
FEATURES = np.random.default_rng(0).random((6, 4))


def version_5(**variables):
    stream = io.BytesIO()
    savemat(stream, variables)
    return stream.getvalue()


def version_73(**variables):
    """HDF5 behind 512 bytes that begin with MATLAB's header; columns first."""
    stream = io.BytesIO()
    with h5py.File(stream, "w", userblock_size=512) as stored:
        for name, value in variables.items():
            stored[name] = np.asarray(value).T
    header = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
    return header + stream.getvalue()[len(header) :]


WRITERS = pytest.mark.parametrize("write", [version_5, version_73])


@WRITERS
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("row", [False, True])
def test_images_are_rows_however_the_file_keeps_them(write, dtype, transposed, row):
    stored = (255 * FEATURES).astype(dtype)
    content = write(
        testdata=stored.T if transposed else stored, testgnd=GROUND.T if row else GROUND, other=1
    )
    data = parse(content, **SIZES)
    np.testing.assert_array_equal(data.features, stored)
    assert data.features.dtype == np.float64 and data.features.flags.c_contiguous
    np.testing.assert_array_equal(data.labels, [1, 0, 1, 2, 0, 2])
    assert data.labels.dtype == np.int64
    assert data.class_names.tolist() == ["2", "7", "30"] and data.class_names.dtype.kind == "U"


@WRITERS
def test_of_a_square_matrix_the_rows_are_images(write):
    square = np.arange(36.0).reshape(6, 6)
    content = write(testdata=square, testgnd=GROUND)
    np.testing.assert_array_equal(parse(content, **SIZES).features, square)


def changed(array, place, value):
    copy = array.astype(float)
    copy[place] = value
    return copy


@WRITERS
@pytest.mark.parametrize(
    ("variables", "message"),
    [
        (
            {"testdata": FEATURES, "testgnd": GROUND[:5]},
            r"testgnd has shape \(5, 1\), expected \(6, 1\) or \(1, 6\)",
        ),
        (
            {"testdata": FEATURES[:5], "testgnd": GROUND},
            r"testdata has shape \(5, 4\), expected 6 rows or columns",
        ),
        (
            {"testdata": changed(FEATURES, (4, 2), np.nan), "testgnd": GROUND},
            "testdata, row 5, column 3 is nan, expected a finite number",
        ),
        (
            {"testdata": changed(FEATURES, (0, 1), -np.inf), "testgnd": GROUND},
            "testdata, row 1, column 2 is -inf",
        ),
        (
            {"testdata": FEATURES, "testgnd": changed(GROUND, 3, np.nan)},
            "testgnd, row 4, column 1 is nan",
        ),
        (
            {"testdata": FEATURES, "testgnd": changed(GROUND, 3, 31)},
            "testgnd has 4 classes, expected 3",
        ),
        (
            {"testdata": FEATURES, "testgnd": changed(GROUND, 3, 7)},
            "class 7 has 3 rows, expected 2",
        ),
        (
            {"testdata": FEATURES * 1j, "testgnd": GROUND},
            "testdata is complex128, expected numbers",
        ),
    ],
)
def test_other_content_is_refused(write, variables, message):
    with pytest.raises(ValueError, match=rf"sun_split\.mat: {message}"):
        parse(write(**variables), **SIZES)


def test_the_file_is_verified_and_described(tmp_path):
    """Any other file than the registered one is refused before it is parsed."""
    path = tmp_path / "sun397" / "sun_split.mat"
    path.parent.mkdir()
    path.write_bytes(version_5(testdata=FEATURES, testgnd=GROUND))
    with pytest.raises(ValueError, match="is not the registered file: expected at most") as error:
        load("sun397", mirror=tmp_path, cache=tmp_path / "cache", offline=True)
    assert "6d3ed44fe604e3505bce6d80597055f8f42c3a67" in str(error.value)


def test_a_whole_file_becomes_a_data_set():
    ground = np.repeat(np.arange(1.0, 19), 100)[:, None]
    features = np.random.default_rng(1).random((1800, 5))
    data = parse(version_5(testdata=features, testgnd=ground))
    np.testing.assert_array_equal(data.features, features)
    np.testing.assert_array_equal(data.labels, np.repeat(np.arange(18), 100))
    assert data.class_names.tolist() == [str(number) for number in range(1, 19)]
    assert data.info["n_objects"] == 1800 and data.info["license"] == "none stated"
    assert data.info["files"]["sun_split.mat"]["git_blob"].startswith("6d3ed44f")
