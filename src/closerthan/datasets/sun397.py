"""Load deep features of scenes of 18 kinds, used for retrieval in the SVRG-SBB paper."""

import numpy as np

from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.matlab import read_variable

N_CLASSES = 18
N_PER_CLASS = 100


@loader("sun397")
def load_sun397(*, read) -> Dataset:
    """Load the features of the SUN397 images that the authors of SVRG-SBB released.

    Returns
    -------
    Dataset
        ``features``, shape (1800, d), where d is 1,600 according to the paper: principal components
        of 12,288 deep convolutional activation features; ``labels``, 0 to 17, 100 images each;
        ``class_names``, the class numbers of the file, which holds no names, in ascending order.

    References
    ----------
    Xiao et al., SUN database: large-scale scene recognition from abbey to zoo, CVPR 2010.
    Ma et al., Fast stochastic ordinal embedding with variance reduction and adaptive step size,
    IEEE TKDE, 2019, section 5.4.
    """
    return parse(read("sun_split.mat"))


def parse(content, *, n_classes=N_CLASSES, n_per_class=N_PER_CLASS):
    """Return the `Dataset` in ``sun_split.mat``, with one row per image."""
    file = "sun_split.mat"
    labels, numbers = _parse_labels(content, file, n_classes, n_per_class)
    features = read_variable(content, "testdata")
    n = len(labels)
    if features.ndim != 2 or n not in features.shape:
        raise ValueError(
            f"{file}: testdata has shape {features.shape}, "
            f"expected {n} rows or columns, one for each image of testgnd"
        )
    _check_finite(features, f"{file}: testdata")
    # The released code takes rows as images. Columns are images only if the rows do not fit.
    features = features if len(features) == n else features.T
    return describe(
        "sun397",
        n,
        features=np.ascontiguousarray(features, dtype=float),
        labels=labels,
        class_names=np.array([f"{number:g}" for number in numbers]),
    )


def _parse_labels(content, file, n_classes, n_per_class):
    """Return labels from 0, and the class numbers of the file."""
    found = read_variable(content, "testgnd")
    n = n_classes * n_per_class
    if found.shape not in ((n, 1), (1, n)):
        raise ValueError(f"{file}: testgnd has shape {found.shape}, expected {(n, 1)} or {(1, n)}")
    _check_finite(found, f"{file}: testgnd")
    numbers, labels, counts = np.unique(found.ravel(), return_inverse=True, return_counts=True)
    if len(numbers) != n_classes:
        raise ValueError(f"{file}: testgnd has {len(numbers)} classes, expected {n_classes}")
    if (counts != n_per_class).any():
        wrong = np.flatnonzero(counts != n_per_class)[0]
        raise ValueError(
            f"{file}: class {numbers[wrong]:g} has {counts[wrong]} rows, expected {n_per_class}"
        )
    return labels.astype(np.int64), numbers


def _check_finite(matrix, where):
    """Raise a ValueError that names the first entry of a matrix that is not a finite number."""
    if matrix.dtype.kind not in "iuf":
        raise ValueError(f"{where} is {matrix.dtype}, expected numbers")
    wrong = ~np.isfinite(matrix)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"{where}, row {row + 1}, column {column + 1} is {matrix[row, column]}, "
            "expected a finite number"
        )
