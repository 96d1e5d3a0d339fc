"""One variable out of a MATLAB file that is already in memory, and nothing else of it."""

from io import BytesIO

import numpy as np
from scipy.io import loadmat, whosmat
from scipy.io.matlab import MatReadError, matfile_version

from closerthan.datasets.registry import import_extra


def read_variable(content, variable, source):
    """Return one variable of a MATLAB file: version 5, or version 7.3, which is HDF5.

    Parameters
    ----------
    content : bytes
        The file, after its checksum was verified.
    variable : str
    source : str
        The name of the file, for errors.

    Returns
    -------
    ndarray
        A cell array comes as an array of dtype object.

    Raises
    ------
    ValueError
        If it is no such file, or has no such variable.
    ImportError
        If the file is of version 7.3, and the extra ``data`` is not installed.
    """
    try:
        is_hdf5 = matfile_version(BytesIO(content))[0] == 2
        found, present = (_read_hdf5 if is_hdf5 else _read_v5)(content, variable)
    except (ValueError, TypeError, OSError, NotImplementedError, MatReadError) as error:
        raise ValueError(f"{source}: cannot be read as a MATLAB file ({error})") from error
    if variable not in present:
        raise ValueError(f"{source}: has no variable {variable!r}, found {present}")
    if not isinstance(found, np.ndarray):
        raise ValueError(f"{source}: {variable} is a {type(found).__name__}, expected an array")
    return found


def _read_v5(content, variable):
    """Return a variable, None where there is none, and the names of those that there are."""
    found = loadmat(BytesIO(content), variable_names=[variable]).get(variable)
    return found, [name for name, _, _ in whosmat(BytesIO(content))]


def _read_hdf5(content, variable):
    """Do what `_read_v5` does; a struct or a sparse matrix comes as it is, a group."""
    h5py = import_extra("h5py")
    with h5py.File(BytesIO(content), "r") as stored:
        present = [name for name in stored if not name.startswith("#")]
        if variable not in present:
            return None, present
        found = stored[variable]
        # MATLAB stores columns first: what h5py shows is the transpose.
        return (found[()].T if isinstance(found, h5py.Dataset) else found), present
