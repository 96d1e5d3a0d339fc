"""Read MATLAB files in memory."""

from io import BytesIO

import numpy as np
from scipy.io import loadmat
from scipy.io.matlab import matfile_version

from closerthan.datasets.dataset import describe_classes
from closerthan.datasets.registry import import_extra


def read_variable(content, variable):
    """Return an array from a MATLAB file of version 5 or 7.3 (HDF5).

    A cell array becomes an array of dtype object.
    """
    if matfile_version(BytesIO(content))[0] != 2:
        return loadmat(BytesIO(content), variable_names=[variable])[variable]
    with import_extra("h5py").File(BytesIO(content), "r") as stored:
        return stored[variable][()].T  # MATLAB stores columns first


def read_views(name, content, class_names):
    """Make a data set of image features in several blocks, as data for multi-view clustering are.

    A cell array ``X`` has a block of features of all images in each cell, and a column ``Y`` has
    classes from 1. `class_names` joins their names by ", ".
    """
    features = np.hstack(list(read_variable(content, "X").ravel()))
    return describe_classes(name, features, read_variable(content, "Y"), class_names.split(", "))
