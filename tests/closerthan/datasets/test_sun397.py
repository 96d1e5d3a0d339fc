"""The parser of sun_split.mat, on small generated files of both formats that MATLAB writes."""

import io

import h5py
import numpy as np
import pytest
from scipy.io import savemat

from closerthan.datasets.sun397 import _parse

GROUND = np.repeat([7.0, 2, 30, *range(40, 55)], 100)[:, None]
FEATURES = np.random.default_rng(0).random((1800, 4))


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
    data = _parse(content)
    np.testing.assert_array_equal(data.features, stored)
    assert data.features.dtype == np.float64 and data.features.flags.c_contiguous
    np.testing.assert_array_equal(data.labels, np.repeat([1, 0, *range(2, 18)], 100))
    assert data.labels.dtype == np.int64
    assert data.class_names[:3].tolist() == ["2", "7", "30"]
    assert data.info["n_objects"] == 1800 and data.info["license"] == "none stated"


def changed(array, place, value):
    copy = array.astype(float)
    copy[place] = value
    return copy


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"testgnd": GROUND[:-1]}, r"testgnd has classes of sizes \[.*99\] .* 18 classes"),
        ({"testgnd": changed(GROUND, 3, np.nan)}, "testgnd has classes of sizes"),
        (
            {"testdata": FEATURES[:5]},
            r".* testdata the shape \(5, 4\); .* and 1800 rows or columns",
        ),
        ({"testdata": changed(FEATURES, (4, 2), np.nan)}, "testdata, row 4, column 2: nan is not"),
    ],
)
def test_other_content_is_refused(variables, message):
    with pytest.raises(ValueError, match=rf"sun_split\.mat: {message}"):
        _parse(version_5(**({"testdata": FEATURES, "testgnd": GROUND} | variables)))
