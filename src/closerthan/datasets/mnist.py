"""Load the test set of MNIST, 10,000 handwritten digits, from IDX files."""

import gzip

import numpy as np

from closerthan.datasets.dataset import Dataset, describe_classes
from closerthan.datasets.fetch import Place, reader


def load_mnist(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load the 10,000 test digits of MNIST.

    The data set has ``features``, shape (10000, 784), the pixels of 28 x 28 images row by row, from
    0 (background) to 1; ``labels``, the digit; ``class_names``, "0" to "9".

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    Y. LeCun, L. Bottou, Y. Bengio and P. Haffner, Gradient-based learning applied to document
    recognition, Proceedings of the IEEE, 1998.
    """
    read = reader("mnist", mirror, cache, offline)
    images = parse_idx(read("t10k-images-idx3-ubyte.gz"))
    digits = parse_idx(read("t10k-labels-idx1-ubyte.gz"))
    return describe_classes("mnist", images.reshape(len(images), -1) / 255, digits)


def parse_idx(content):
    """Parse a compressed IDX file of unsigned bytes.

    >>> parse_idx(gzip.compress(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 1])))
    array([7, 2, 1], dtype=uint8)
    """
    unpacked = gzip.decompress(content)
    n_dimensions = unpacked[3]
    shape = np.frombuffer(unpacked, ">u4", n_dimensions, offset=4)
    return np.frombuffer(unpacked, np.uint8, offset=4 + 4 * n_dimensions).reshape(shape)
