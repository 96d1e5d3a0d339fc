"""Load five data sets of the LIBSVM collection, which the SDCA paper uses."""

from io import BytesIO

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import MinMaxScaler

from closerthan._core.validation import check_word
from closerthan.datasets.dataset import Dataset, describe_classes
from closerthan.datasets.fetch import Place, reader


def parse_libsvm(content):
    """Return the features and classes of LIBSVM's sparse text; missing features are 0."""
    features, classes = load_svmlight_file(BytesIO(content), zero_based=False)
    return features.toarray(), classes.astype(np.int64)


def parse_letter(content):
    """Parse ``letter.scale``, a full table: the class, then the features."""
    table = np.loadtxt(BytesIO(content))
    return table[:, 1:], table[:, 0]


def parse_vowel(content):
    """Parse ``vowel-context.data``: part, speaker, sex, features (scaled to [-1, 1]), class."""
    table = np.loadtxt(BytesIO(content))
    return MinMaxScaler((-1, 1), clip=True).fit_transform(table[:, 3:-1]), table[:, -1]


# The form of each data set, and its files.
SETS = {
    "vehicle": (parse_libsvm, ["vehicle.scale"]),
    "vowel": (parse_vowel, ["vowel-context.data"]),
    "letter": (parse_letter, ["letter.scale"]),
    "svmguide4": (parse_libsvm, ["svmguide4", "svmguide4.t"]),
    "segment": (parse_libsvm, ["segment.scale"]),
}


def load_libsvm(
    name: str, *, mirror: Place = None, cache: Place = None, offline: bool = False
) -> Dataset:
    """Load vehicle, vowel, letter, svmguide4 or segment.

    ========= ======= ======== ======= ===================================================
    name      objects features classes features
    ========= ======= ======== ======= ===================================================
    vehicle   846     18       4       scaled to [-1, 1]
    vowel     990     10       11      scaled here to [-1, 1], training and test part alike
    letter    20,000  16       26      scaled to [-1, 1]
    svmguide4 612     10       6       as measured; the training part, then the test part
    segment   2,310   19       7       scaled to [-1, 1]; the third is constant
    ========= ======= ======== ======= ===================================================

    The data set has ``features``; ``labels``, from 0; ``class_names``, the numbers of the classes
    in the file.

    Parameters
    ----------
    name : str
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    C.-C. Chang and C.-J. Lin, LIBSVM: a library for support vector machines, ACM TIST, 2011.
    """
    check_word("name", name, SETS)
    read = reader(name, mirror, cache, offline)
    parse, files = SETS[name]
    parsed = [parse(read(file)) for file in files]
    return describe_classes(name, *map(np.concatenate, zip(*parsed, strict=True)))
