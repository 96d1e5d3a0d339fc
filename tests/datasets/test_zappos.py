"""The shoes: archives with one file, numbers without line breaks, triplets without faults."""

import io
import stat
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import integers

from closerthan.datasets.archive import read_member
from closerthan.datasets.zappos import parse_features, parse_triplets


def archive(members, compression=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as zipped:
        for name, content in members:
            zipped.writestr(name, content)
    return stream.getvalue()


def test_the_only_file_of_an_archive_is_read_whole():
    content = bytes(range(256)) * 40
    assert read_member(archive([("a.csv", content)]), "a.zip", max_bytes=len(content)) == content


def test_what_macos_adds_to_an_archive_is_left_alone():
    added = [
        ("__MACOSX/", b""),
        ("__MACOSX/._a.csv", b"0" * 9),
        (link("__MACOSX/b"), b"/etc/hosts"),
    ]
    for members in ([*added, ("a.csv", b"1,2")], [("a.csv", b"1,2"), *added]):
        assert read_member(archive(members), "a.zip", max_bytes=3) == b"1,2"


def link(name):
    member = zipfile.ZipInfo(name)
    member.create_system = 3  # Unix
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member


def lying(content, size):
    """An archive that declares another size of its file, in both of the places that say it."""
    changed = bytearray(archive([("a.csv", content)]))
    struct.pack_into("<I", changed, 22, size)
    struct.pack_into("<I", changed, changed.index(b"PK\x01\x02") + 24, size)
    return bytes(changed)


def encrypted():
    changed = bytearray(archive([("a.csv", b"1,2")]))
    changed[6] |= 1
    changed[changed.index(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


def broken(method):
    """An archive in which the compressed content is not such."""
    whole = archive([("a.csv", b"1,2")], method)
    start = whole.index(b"a.csv") + len("a.csv")
    return whole[:start] + b"\xff" * 8 + whole[start + 8 :]


def not_utf_8():
    """An archive that says its file's name is UTF-8 and it is not."""
    return archive([("\xe4.csv", b"1,2")]).replace("\xe4".encode(), b"\xe4\xe4")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive([]), r"holds \[\], expected one file"),
        (archive([("a.csv", b"1"), ("b.csv", b"2")]), r"holds \['a.csv', 'b.csv'\], expected one"),
        (archive([("__MACOSX/a.csv", b"1")]), r"holds \['__MACOSX/a.csv'\], expected one file"),
        (archive([("__MACOSX/../a.csv", b"1")]), "holds .*, expected one file"),
        (archive([("__MACOSX", b"1"), ("a.csv", b"1")]), "holds .*, expected one file"),
        (archive([("x/__MACOSX/a.csv", b"1")]), "holds .*, expected a regular file"),
        (archive([("/a.csv", b"1")]), "holds '/a.csv', expected a regular file without a folder"),
        (archive([("../a.csv", b"1")]), "holds '../a.csv', expected a regular file"),
        (archive([("..", b"1")]), "holds '..', expected a regular file"),
        (archive([("b/a.csv", b"1")]), "holds 'b/a.csv', expected a regular file"),
        (archive([("C:\\a.csv", b"1")]), "holds .*, expected a regular file"),
        (archive([("a/", b"")]), "holds 'a/', expected a regular file"),
        (archive([(link("a.csv"), b"/etc/hosts")]), "holds 'a.csv', expected a regular file"),
        (archive([("a.csv", b"0" * 11)]), "a.csv has 11 bytes, expected at most 10"),
        (lying(b"0" * 10**6, 10), "cannot be read as a ZIP archive"),
        (encrypted(), "cannot be read as a ZIP archive"),
        (archive([("a.csv", b"1,2")])[:40], "cannot be read as a ZIP archive"),
        (b"rubbish", "cannot be read as a ZIP archive"),
        (not_utf_8(), "cannot be read as a ZIP archive"),
        (broken(zipfile.ZIP_LZMA), "cannot be read as a ZIP archive"),
        (broken(zipfile.ZIP_BZIP2), "cannot be read as a ZIP archive"),
        (
            archive([(f"{n}.csv", b"") for n in range(99)]),
            r"holds \['0.csv', .*\.\.\., expected one",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "file",  # its bytes hold the time
)
def test_another_archive_is_refused(content, message):
    with pytest.raises(ValueError, match=rf"a\.zip: {message}"):
        read_member(content, "a.zip", max_bytes=10)


def test_no_more_is_unpacked_than_an_archive_declares():
    content = lying(bytes(2**26), 10)
    tracemalloc.start()
    with pytest.raises(ValueError, match="cannot be read as a ZIP archive"):
        read_member(content, "a.zip", max_bytes=10)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


# deconflicted_triplets.csv

TRIPLETS = {"n_triplets": 3, "n_objects": 5}


def test_triplets():
    triplets = parse_triplets(b"0,1,2\n4,3,0\r\n2,0,1", **TRIPLETS)
    assert triplets.dtype == np.int64
    np.testing.assert_array_equal(triplets, [[0, 1, 2], [4, 3, 0], [2, 0, 1]])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0,1", "row 2 is '0,1', expected 3 numbers"),
        ("0,1,2,3", "row 2 is '0,1,2,3', expected 3 numbers"),
        ("0,x,2", "row 2 is '0,x,2', expected 3 numbers"),
        ("", "row 2 is '', expected 3 numbers"),
        ("0,nan,2", "row 2, column 2 is nan, expected a finite number"),
        ("0,1.5,2", "row 2: 1.5 is no object id"),
        ("0,5,2", "row 2: .*5.*"),
        ("0,-1,2", "row 2: .*-1.*"),
        ("0,3,3", "row 2: .* names object 3 twice"),
        ("0,1,2\n0,1,3", "has 4 rows, expected 3"),
        ("é", "byte 7 is 0xc3, expected ASCII text"),
    ],
)
def test_a_wrong_triplet_is_named_with_its_row(line, message):
    with pytest.raises(ValueError, match=rf"deconflicted_triplets\.csv[:,] {message}"):
        parse_triplets(f"0,1,2\n{line}\n4,3,0\n".encode(), **TRIPLETS)


# cnn_feats.csv


def glue(features):
    """Write numbers as the file has them: six significant digits, no line breaks."""
    rows = [[f"{x:g}" if "." in f"{x:g}" else f"{x:g}.0" for x in row] for row in features]
    return "".join(",".join(row) for row in rows).encode()


@given(arrays(np.int64, (4, 3), elements=integers(0, 99_999)))
def test_rows_without_line_breaks_come_apart(digits):
    features = digits / 10_000
    parsed = parse_features(glue(features), n_objects=4, n_features=3)
    np.testing.assert_array_equal(parsed, features)


def test_only_the_last_number_of_a_row_is_glued():
    assert glue([[0, 12.25], [3.5, 0]]) == b"0.0,12.253.5,0.0"
    parsed = parse_features(b"0.0,12.253.5,0.0", n_objects=2, n_features=2)
    np.testing.assert_array_equal(parsed, [[0, 12.25], [3.5, 0]])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"0.0,1.53.5", "has 3 numbers, expected 2 x 2"),
        (b"0.0,1.53.5,0.0,1.0", "has 5 numbers, expected 2 x 2"),
        (b"0.0,1.53.5,x", "row 2, column 2 is 'x', expected a number"),
        (b"0.0,,1.0,2.0", "row 1, column 2 is '', expected a number"),
        (b"0.0,1.53.5,nan", "row 2, column 2 is nan, expected a finite number"),
        (b"inf,1.53.5,1.0", "row 1, column 1 is inf, expected a finite number"),
        ("0.0,1.53.5,½".encode(), "byte 12 is 0xc2, expected ASCII text"),
    ],
)
def test_other_features_are_refused(content, message):
    with pytest.raises(ValueError, match=rf"cnn_feats\.csv(: |, ){message}"):
        parse_features(content, n_objects=2, n_features=2)
