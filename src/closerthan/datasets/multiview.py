"""Image features in several blocks side by side, as multi-view clustering keeps them.

Such a MATLAB file has a cell array ``X``, one block of features of all the images in each cell,
and a column ``Y`` of classes from 1.
"""

import numpy as np

from closerthan.datasets.dataset import describe
from closerthan.datasets.matlab import read_variable
from closerthan.datasets.tables import check_finite

# GIST, PHOG and LBP features: the columns of each block.
WIDTHS = (20, 59, 40)


def read_views(name, read, file, class_sizes):
    """Make a data set of one file of this form.

    Parameters
    ----------
    name : str
        As the registry has it.
    read : callable
        Returns the content of a file; see `closerthan.datasets.loader`.
    file : str
    class_sizes : dict of str to int
        The number of images of each class, by name, in the order of the file's numbers.

    Returns
    -------
    Dataset
    """
    features, labels = parse_views(read(file), file, class_sizes.values())
    return describe(
        name,
        len(features),
        features=features,
        labels=labels,
        class_names=np.array(list(class_sizes)),
    )


def parse_views(content, file, class_sizes, *, widths=WIDTHS):
    """Parse a file of this form: the blocks of features side by side, and labels from 0."""
    class_sizes = np.array(list(class_sizes))
    blocks = read_variable(content, "X", file)
    blocks = list(blocks.ravel()) if blocks.dtype == object else [blocks]
    found = [block.shape for block in blocks]
    expected = [(int(class_sizes.sum()), width) for width in widths]
    if found != expected:
        raise ValueError(f"{file}: X has blocks of shapes {found}, expected {expected}")
    for number, block in enumerate(blocks, start=1):
        check_finite(block, f"{file}: block {number}")
    return np.hstack(blocks).astype(float), parse_labels(content, file, "Y", class_sizes)


def parse_labels(content, file, variable, class_sizes):
    """Parse a column of classes from 1; returns labels from 0, of which each has its size."""
    labels = read_variable(content, variable, file)
    class_sizes = np.asarray(class_sizes)
    n, n_classes = int(class_sizes.sum()), len(class_sizes)
    if labels.shape != (n, 1):
        raise ValueError(f"{file}: {variable} has shape {labels.shape}, expected {(n, 1)}")
    labels = labels.ravel()
    wrong = ~np.isin(labels, np.arange(1, n_classes + 1))
    if wrong.any():
        row = np.flatnonzero(wrong)[0]
        raise ValueError(
            f"{file}: row {row + 1} of {variable} is {labels[row]}, "
            f"expected a class from 1 to {n_classes}"
        )
    labels = labels.astype(np.int64) - 1
    counts = np.bincount(labels, minlength=n_classes)
    if (counts != class_sizes).any():
        label = np.flatnonzero(counts != class_sizes)[0]
        raise ValueError(
            f"{file}: class {label + 1} has {counts[label]} rows, expected {class_sizes[label]}"
        )
    return labels
