"""Load five data sets of the LIBSVM collection, which the SDCA paper uses."""

from collections.abc import Callable
from io import BytesIO
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import MinMaxScaler

from closerthan._core.validation import check_word
from closerthan.datasets.dataset import Dataset, describe_classes
from closerthan.datasets.fetch import Place, reader


def parse_libsvm(content, n_features):
    """Return the features and classes of LIBSVM's sparse text; missing features are 0."""
    features, classes = load_svmlight_file(
        BytesIO(content), n_features=n_features, zero_based=False
    )
    return features.toarray(), classes.astype(np.int64)


def parse_letter(content, n_features):
    """Parse ``letter.scale``, a full table: the class, then the features."""
    table = np.loadtxt(BytesIO(content))
    return table[:, 1:], table[:, 0]


def parse_vowel(content, n_features):
    """Parse ``vowel-context.data``: part, speaker, sex, features (scaled to [-1, 1]), class."""
    table = np.loadtxt(BytesIO(content))
    return MinMaxScaler((-1, 1), clip=True).fit_transform(table[:, 3:-1]), table[:, -1]


class _Form(NamedTuple):
    files: tuple
    n_features: int
    parse: Callable = parse_libsvm


SETS = {
    "vehicle": _Form(("vehicle.scale",), 18),
    "vowel": _Form(("vowel-context.data",), 10, parse_vowel),
    "letter": _Form(("letter.scale",), 16, parse_letter),
    "svmguide4": _Form(("svmguide4", "svmguide4.t"), 10),
    "segment": _Form(("segment.scale",), 19),
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
    form = SETS[name]
    parsed = [form.parse(read(file), form.n_features) for file in form.files]
    return describe_classes(name, *map(np.concatenate, zip(*parsed, strict=True)))
