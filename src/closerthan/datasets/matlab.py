"""Read MATLAB files in memory."""

from io import BytesIO

import numpy as np
from scipy.io import loadmat
from scipy.io.matlab import matfile_version

from closerthan.datasets.dataset import describe_classes
from closerthan.datasets.registry import import_extra


def read_variable(content, variable):
    """Return an array, of objects for cells, from a MATLAB file of version 5 or 7.3 (HDF5)."""
    if matfile_version(BytesIO(content))[0] != 2:
        return loadmat(BytesIO(content), variable_names=[variable])[variable]
    with import_extra("h5py").File(BytesIO(content), "r") as stored:
        return stored[variable][()].T  # MATLAB stores columns first


def read_views(name, content, class_names):
    """Make a data set of image features in blocks ``X`` of a cell array, with classes ``Y``."""
    features = np.hstack(list(read_variable(content, "X").ravel()))
    return describe_classes(name, features, read_variable(content, "Y"), class_names.split(", "))
