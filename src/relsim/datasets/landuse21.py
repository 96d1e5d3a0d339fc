"""Land use in aerial images: three kinds of features of 2,100 images in 21 classes."""

import numpy as np

from relsim.datasets.dataset import describe
from relsim.datasets.fetch import read
from relsim.datasets.matlab import read_variable

WIDTHS = (20, 59, 40)
N_CLASSES = 21
N_PER_CLASS = 100

# The file has class numbers only. The names are inferred: the original data set has these folders,
# and the features of neighbors in kind (dense and medium residential, runway and freeway) do
# resemble each other in this order.
CLASS_NAMES = (
    "agricultural",
    "airplane",
    "baseball diamond",
    "beach",
    "buildings",
    "chaparral",
    "dense residential",
    "forest",
    "freeway",
    "golf course",
    "harbor",
    "intersection",
    "medium residential",
    "mobile home park",
    "overpass",
    "parking lot",
    "river",
    "runway",
    "sparse residential",
    "storage tanks",
    "tennis court",
)


def load_landuse21(*, mirror=None, cache=None, offline=False):
    """Load the GIST, PHOG and LBP features of the UC Merced land use images.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the file; see `relsim.datasets.fetch`.

    Returns
    -------
    Dataset
        ``features``, shape (2100, 119): three blocks of 20, 59 and 40 columns side by side, as they
        come (nothing is standardized); ``labels``, 0 to 20, 100 images each, sorted;
        ``class_names``, in alphabetical order, which is inferred: the file has numbers only.

    Raises
    ------
    DataUnavailable
        If the file is nowhere to be had.
    ValueError
        If the file is corrupt, or does not hold what it should.

    References
    ----------
    Y. Yang and S. Newsam, Bag-of-visual-words and spatial extensions for land-use classification,
    ACM GIS 2010.
    Y. Lin et al., COMPLETER, CVPR 2021.

    Examples
    --------
    >>> from relsim.datasets import DataUnavailable, load_landuse21
    >>> try:
    ...     data = load_landuse21(mirror="a_folder", cache="another", offline=True)
    ... except DataUnavailable as error:
    ...     print(str(error).splitlines()[0])
    landuse21/LandUse-21.mat is not to be had:
    """
    content = read("landuse21", "LandUse-21.mat", mirror=mirror, cache=cache, offline=offline)
    features, labels = parse_features(content)
    return describe(
        "landuse21",
        len(features),
        features=features,
        labels=labels,
        class_names=np.array(CLASS_NAMES),
    )


def parse_features(content, *, widths=WIDTHS, n_classes=N_CLASSES, n_per_class=N_PER_CLASS):
    """Parse ``LandUse-21.mat``: the blocks of features side by side, and labels from 0."""
    file = "LandUse-21.mat"
    n = n_classes * n_per_class
    blocks = read_variable(content, "X", file)
    blocks = list(blocks.ravel()) if blocks.dtype == object else [blocks]
    found, expected = [block.shape for block in blocks], [(n, width) for width in widths]
    if found != expected:
        raise ValueError(f"{file}: X has blocks of shapes {found}, expected {expected}")
    for number, block in enumerate(blocks, start=1):
        wrong = ~np.isfinite(block)
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise ValueError(
                f"{file}: block {number}, row {row + 1}, column {column + 1} is "
                f"{block[row, column]}, expected a finite number"
            )
    return np.hstack(blocks).astype(float), _parse_labels(content, n_classes, n_per_class, file)


def _parse_labels(content, n_classes, n_per_class, file):
    labels = read_variable(content, "Y", file)
    n = n_classes * n_per_class
    if labels.shape != (n, 1):
        raise ValueError(f"{file}: Y has shape {labels.shape}, expected {(n, 1)}")
    labels = labels.ravel()
    wrong = ~np.isin(labels, np.arange(1, n_classes + 1))
    if wrong.any():
        row = np.flatnonzero(wrong)[0]
        raise ValueError(
            f"{file}: row {row + 1} of Y is {labels[row]}, expected a class from 1 to {n_classes}"
        )
    labels = labels.astype(np.int64) - 1
    counts = np.bincount(labels, minlength=n_classes)
    if (counts != n_per_class).any():
        label = np.flatnonzero(counts != n_per_class)[0]
        raise ValueError(
            f"{file}: class {label + 1} has {counts[label]} rows, expected {n_per_class}"
        )
    return labels
