"""MNIST's test part: 10,000 handwritten digits, from files in the IDX format."""

import struct
import zlib

import numpy as np

from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader

N_IMAGES = 10_000
SIDE = 28
N_CLASSES = 10

_GZIP = 16 + zlib.MAX_WBITS


@loader("mnist")
def load_mnist(*, read) -> Dataset:
    """Load the 10,000 test digits of MNIST.

    Returns
    -------
    Dataset
        ``features``, shape (10000, 784), the pixels of 28 x 28 images row by row, from 0
        (background) to 1; ``labels``, the digit; ``class_names``, "0" to "9".

    References
    ----------
    Y. LeCun, L. Bottou, Y. Bengio and P. Haffner, Gradient-based learning applied to document
    recognition, Proceedings of the IEEE, 1998.
    """
    arrays = []
    for file, shape in (
        ("t10k-images-idx3-ubyte.gz", (N_IMAGES, SIDE, SIDE)),
        ("t10k-labels-idx1-ubyte.gz", (N_IMAGES,)),
    ):
        arrays.append(parse_idx(read(file), file, shape))
    images, digits = arrays
    check_digits(digits, "t10k-labels-idx1-ubyte.gz")
    return describe(
        "mnist",
        N_IMAGES,
        features=images.reshape(N_IMAGES, -1) / 255,
        labels=digits.astype(np.int64),
        class_names=np.array([str(digit) for digit in range(N_CLASSES)]),
    )


def parse_idx(content, file, shape):
    """Parse a compressed IDX file of unsigned bytes.

    Parameters
    ----------
    content : bytes
        The file, compressed by gzip; no more of it is unpacked than such an array takes.
    file : str
        Its name, for errors.
    shape : tuple of int
        The shape that its array must have.

    Returns
    -------
    ndarray of uint8

    Raises
    ------
    ValueError
        If it is no such file, or has another header or length.

    Examples
    --------
    >>> import gzip
    >>> content = gzip.compress(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 1]))
    >>> parse_idx(content, "labels.gz", (3,))
    array([7, 2, 1], dtype=uint8)
    """
    # Two zeros, 8 for unsigned bytes, the number of dimensions; then the dimensions.
    header = struct.pack(f">BBBB{len(shape)}I", 0, 0, 8, len(shape), *shape)
    n_bytes = len(header) + int(np.prod(shape))
    unpacker = zlib.decompressobj(_GZIP)
    try:
        unpacked = unpacker.decompress(content, n_bytes + 1)
    except zlib.error as error:
        raise ValueError(f"{file}: cannot be read as a gzip file ({error})") from None
    found = unpacked[: len(header)]
    if found != header:
        raise ValueError(f"{file}: has the header {found.hex()}, expected {header.hex()}")
    if len(unpacked) != n_bytes or not unpacker.eof or unpacker.unused_data:
        n_found = f"{len(unpacked)} of" if len(unpacked) <= n_bytes else "more than"
        raise ValueError(
            f"{file}: expected one whole gzip stream, found {n_found} {n_bytes} bytes unpacked"
        )
    return np.frombuffer(unpacked, np.uint8, offset=len(header)).reshape(shape)


def check_digits(digits, file):
    """Raise a ValueError that names the first label that is no digit."""
    wrong = digits >= N_CLASSES
    if wrong.any():
        row = np.flatnonzero(wrong)[0]
        raise ValueError(f"{file}: label {row + 1} is {digits[row]}, expected a digit")
