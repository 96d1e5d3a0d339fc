"""One data frame out of an R file that is already in memory, with its attributes."""

import warnings

import numpy as np

from closerthan.datasets.registry import import_extra
from closerthan.datasets.tables import reason
from closerthan.files.faults import shown


def read_frame(content, frame, source, *, classes=("data.frame",)):
    """Return a data frame of an .rda file.

    Parameters
    ----------
    content : bytes
        The file, after its checksum was verified.
    frame : str
        The name of the data frame.
    source : str
        The name of the file, for errors.
    classes : tuple of str
        The R classes that it may be of.

    Returns
    -------
    columns : dict of str to ndarray
        Numbers as floats, NaN where they are missing; a factor as text, "nan" where it is missing.
    attributes : dict of str to ndarray
        What R's ``attributes`` says of it.

    Raises
    ------
    ValueError
        If it is no such file, or has no such data frame, or columns of another kind.
    ImportError
        If the extra ``data`` is not installed.
    """
    rdata = import_extra("rdata")
    constructors = dict.fromkeys(classes, lambda columns, attributes: (columns, attributes))
    constructors["factor"] = rdata.conversion.factor_constructor
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of classes for which it has no constructor
            parsed = rdata.parser.parse_data(content)
            found = rdata.conversion.convert(parsed, constructors, default_encoding="ascii")
    except Exception as error:  # which one a damaged file raises depends on the place
        raise ValueError(f"{source}: cannot be read as an R file ({reason(error)})") from error
    names = [str(name) for name in found] if isinstance(found, dict) else []
    if frame not in names or not isinstance(found[frame], tuple):
        raise ValueError(
            f"{source}: holds {shown(names)}, expected {frame}, of class {' or '.join(classes)}"
        )
    columns, attributes = found[frame]
    return {str(name): _to_array(name, column, source) for name, column in columns.items()}, {
        str(name): value for name, value in attributes.items()
    }


def _to_array(name, column, source):
    if not isinstance(column, np.ndarray):  # the categories of a factor
        return np.asarray(column, dtype=object).astype(str)
    if column.dtype.kind not in "if":
        raise ValueError(f"{source}: column {name} is {column.dtype}, expected numbers or a factor")
    return np.ma.filled(column.astype(float), np.nan)
