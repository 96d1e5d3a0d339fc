"""Read image features in several blocks, as data for multi-view clustering store them.

The MATLAB file has a cell array ``X``, with one block of features of all images in each cell, and
a column ``Y`` of classes from 1.
"""

import numpy as np

from closerthan.datasets.dataset import describe
from closerthan.datasets.matlab import read_variable


def read_views(name, content, class_names):
    """Make a data set from such a file; `class_names` joins them by ", "."""
    blocks = read_variable(content, "X").ravel()
    return label(name, np.hstack(list(blocks)), read_variable(content, "Y"), class_names)


def label(name, features, classes, class_names):
    """Make a data set from features and a column of classes from 1."""
    return describe(
        name,
        len(features),
        features=features.astype(float),
        labels=classes.ravel().astype(np.int64) - 1,
        class_names=np.array(class_names.split(", ")),
    )
