"""Read one variable from a MATLAB file in memory."""

from io import BytesIO

from scipy.io import loadmat
from scipy.io.matlab import matfile_version

from closerthan.datasets.registry import import_extra


def read_variable(content, variable):
    """Return an array from a MATLAB file of version 5 or 7.3 (HDF5).

    A cell array becomes an array of dtype object.
    """
    if matfile_version(BytesIO(content))[0] != 2:
        return loadmat(BytesIO(content), variable_names=[variable])[variable]
    with import_extra("h5py").File(BytesIO(content), "r") as stored:
        return stored[variable][()].T  # MATLAB stores columns first
