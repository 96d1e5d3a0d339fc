"""Five data sets of the LIBSVM collection, on which the SDCA paper compares similarities."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.preprocessing import MinMaxScaler

from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import decode, parse_table


def parse_libsvm(content, file, shape):
    """Parse LIBSVM's sparse text: lines of a class and of index:value pairs.

    Parameters
    ----------
    content : bytes
    file : str
        Its name, for errors.
    shape : (int, int)
        The number of rows and of features.

    Returns
    -------
    features : ndarray of shape `shape`
        What a line leaves out is 0.
    classes : ndarray of int, shape (n_rows,)

    Raises
    ------
    ValueError
        If a line is malformed: a class that is no whole number, indices that do not ascend from 1
        to the number of features, or a value that is not finite; names its row and text.

    Examples
    --------
    >>> features, classes = parse_libsvm(b"2 1:0.5 3:-1\\n-1 2:4\\n", "a.scale", (2, 3))
    >>> features
    array([[ 0.5,  0. , -1. ],
           [ 0. ,  4. ,  0. ]])
    >>> classes
    array([ 2, -1])
    """
    lines = decode(content, file).splitlines()
    if len(lines) != shape[0]:
        raise ValueError(f"{file}: has {len(lines)} rows, expected {shape[0]}")
    features, classes = np.zeros(shape), np.zeros(shape[0], dtype=np.int64)
    for row, line in enumerate(lines):
        try:
            classes[row] = _parse_line(line, features[row])
        except ValueError as error:
            raise ValueError(f"{file}: row {row + 1}: {error}, in {line!r}") from None
    return features, classes


def _parse_line(line, features):
    """Fill in a row of features, and return its class."""
    first, *pairs = line.split() or [""]
    previous = 0
    for pair in pairs:
        index, _, value = pair.partition(":")
        index = _convert(int, index, f"expected index:value, found {pair!r}")
        if not previous < index <= len(features):
            raise ValueError(
                f"expected indices that ascend from 1 to {len(features)}, found {pair!r}"
            )
        value = _convert(float, value, f"expected index:value, found {pair!r}")
        if not np.isfinite(value):
            raise ValueError(f"expected a finite value, found {pair!r}")
        features[index - 1] = value
        previous = index
    return _convert(int, first, f"expected a whole number as the class, found {first!r}")


def _convert(kind, text, complaint):
    try:
        if "_" in text:  # which Python takes for a separator of digits
            raise ValueError
        return kind(text)
    except ValueError:
        raise ValueError(complaint) from None


def parse_letter(content, file, shape):
    """Parse ``letter.scale``, a full table: the class, then the features."""
    table = parse_table(content, file, (shape[0], 1 + shape[1]))
    return table[:, 1:], table[:, 0]


def parse_vowel(content, file, shape):
    """Parse ``vowel-context.data``, a full table: part, speaker, sex, features, class.

    The features are scaled to [-1, 1]: the collection's scaled file has the training part only.
    """
    table = parse_table(content, file, (shape[0], 3 + shape[1] + 1))
    return MinMaxScaler((-1, 1), clip=True).fit_transform(table[:, 3:-1]), table[:, -1]


class _Form(NamedTuple):
    """What the files of a data set must hold."""

    n_rows: dict
    n_features: int
    classes: tuple
    parse: Callable = parse_libsvm


SETS = {
    "vehicle": _Form({"vehicle.scale": 846}, 18, (1, 2, 3, 4)),
    "vowel": _Form({"vowel-context.data": 990}, 10, tuple(range(11)), parse_vowel),
    "letter": _Form({"letter.scale": 20_000}, 16, tuple(range(1, 27)), parse_letter),
    "svmguide4": _Form({"svmguide4": 300, "svmguide4.t": 312}, 10, (-3, -2, -1, 1, 2, 3)),
    "segment": _Form({"segment.scale": 2310}, 19, tuple(range(1, 8))),
}


@loader(*SETS)
def load_libsvm(name: str, *, read) -> Dataset:
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

    Parameters
    ----------
    name : str

    Returns
    -------
    Dataset
        ``features``; ``labels``, from 0; ``class_names``, the numbers of the classes in the file.

    References
    ----------
    C.-C. Chang and C.-J. Lin, LIBSVM: a library for support vector machines, ACM TIST, 2011.
    """
    form = SETS[name]
    features, labels = [], []
    for file, n_rows in form.n_rows.items():
        part, numbers = form.parse(read(file), file, (n_rows, form.n_features))
        features.append(part)
        labels.append(_number_from_zero(numbers, form.classes, file))
    features, labels = np.vstack(features), np.concatenate(labels)
    return describe(
        name,
        len(features),
        features=features,
        labels=labels,
        class_names=np.array([str(number) for number in form.classes]),
    )


def _number_from_zero(numbers, classes, file):
    wrong = ~np.isin(numbers, classes)
    if wrong.any():
        row = np.flatnonzero(wrong)[0]
        allowed = ", ".join(map(str, classes))
        raise ValueError(
            f"{file}: row {row + 1} has the class {numbers[row]:g}, expected one of {allowed}"
        )
    return np.searchsorted(classes, numbers)
