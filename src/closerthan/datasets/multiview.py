"""Read image features in several blocks, as data for multi-view clustering store them.

The MATLAB file has a cell array ``X``, with one block of features of all images in each cell, and
a column ``Y`` of classes from 1.
"""

import numpy as np

from closerthan.datasets.dataset import describe_classes
from closerthan.datasets.matlab import read_variable


def read_views(name, content, class_names):
    """Make a data set from such a file; `class_names` joins the names by ", "."""
    features = np.hstack(list(read_variable(content, "X").ravel()))
    return describe_classes(name, features, read_variable(content, "Y"), class_names.split(", "))
