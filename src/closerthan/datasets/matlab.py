"""One variable out of a MATLAB file that is already in memory, and nothing else of it."""

from io import BytesIO

from scipy.io import loadmat
from scipy.io.matlab import matfile_version

from closerthan.datasets.registry import import_extra


def read_variable(content, variable):
    """Return an array of a MATLAB file: version 5, or version 7.3, which is HDF5.

    A cell array comes as an array of dtype object.
    """
    if matfile_version(BytesIO(content))[0] != 2:
        return loadmat(BytesIO(content), variable_names=[variable])[variable]
    with import_extra("h5py").File(BytesIO(content), "r") as stored:
        return stored[variable][()].T  # MATLAB stores columns first
