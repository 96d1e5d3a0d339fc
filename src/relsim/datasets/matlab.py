"""One variable out of a MATLAB v5 file that is already in memory, and nothing else of it."""

from io import BytesIO

from scipy.io import loadmat, whosmat
from scipy.io.matlab import MatReadError


def read_variable(content, variable, source):
    """Return one variable of a MATLAB v5 file.

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
    """
    try:
        found = loadmat(BytesIO(content), variable_names=[variable])
    except (ValueError, TypeError, OSError, NotImplementedError, MatReadError) as error:
        raise ValueError(f"{source}: cannot be read as a MATLAB v5 file ({error})") from error
    if variable not in found:
        present = [name for name, _, _ in whosmat(BytesIO(content))]
        raise ValueError(f"{source}: has no variable {variable!r}, found {present}")
    return found[variable]
