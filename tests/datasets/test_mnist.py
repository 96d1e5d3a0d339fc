"""Digits in the IDX format: header, length and compression are checked."""

import gzip
import io
import struct
import tracemalloc

import numpy as np
import pytest

from closerthan.datasets.mnist import check_digits, parse_idx

IMAGES = np.random.default_rng(0).integers(0, 256, (3, 2, 4), dtype=np.uint8)
HEADER = struct.pack(">IIII", 0x0803, 3, 2, 4)
CONTENT = gzip.compress(HEADER + IMAGES.tobytes())


def test_an_array_is_unpacked():
    found = parse_idx(CONTENT, "a.gz", (3, 2, 4))
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, IMAGES)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(struct.pack(">IIII", 0x0803, 3, 4, 2) + IMAGES.tobytes()), "has the header"),
        (gzip.compress(struct.pack(">IIII", 0x0903, 3, 2, 4) + IMAGES.tobytes()), "has the header"),
        (gzip.compress(struct.pack(">II", 0x0801, 24) + IMAGES.tobytes()), "has the header"),
        (gzip.compress(HEADER[:7]), "has the header 00000803000000, expected 0000080300000003"),
        (gzip.compress(b""), "has the header , expected 00000803"),
        (gzip.compress(HEADER + IMAGES.tobytes()[:-1]), "found 39 of 40 bytes unpacked"),
        (gzip.compress(HEADER + IMAGES.tobytes() + b"0"), "found more than 40 bytes unpacked"),
        (CONTENT[:-1], "expected one whole gzip stream, found 40 of 40 bytes"),
        (CONTENT + b"0", "expected one whole gzip stream, found 40 of 40 bytes"),
        (CONTENT + CONTENT, "expected one whole gzip stream"),
        (CONTENT[:-6] + b"0" + CONTENT[-5:], "cannot be read as a gzip file .*incorrect"),
        (HEADER + IMAGES.tobytes(), "cannot be read as a gzip file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "file",  # its bytes hold the time
)
def test_another_file_is_refused(content, message):
    with pytest.raises(ValueError, match=rf"a\.gz: .*{message}"):
        parse_idx(content, "a.gz", (3, 2, 4))


def test_no_more_is_unpacked_than_expected():
    stream = io.BytesIO()
    with gzip.open(stream, "wb") as packed:
        packed.write(HEADER)
        for _ in range(64):
            packed.write(bytes(2**20))
    tracemalloc.start()
    with pytest.raises(ValueError, match="found more than 40 bytes"):
        parse_idx(stream.getvalue(), "a.gz", (3, 2, 4))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


def test_a_label_that_is_no_digit_is_named():
    check_digits(np.arange(10, dtype=np.uint8), "labels.gz")
    with pytest.raises(ValueError, match=r"labels\.gz: label 3 is 10, expected a digit"):
        check_digits(np.array([0, 9, 10], dtype=np.uint8), "labels.gz")
