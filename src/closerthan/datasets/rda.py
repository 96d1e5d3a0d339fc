"""Read one data frame and its attributes from an R file in memory."""

import warnings

import numpy as np

from closerthan.datasets.registry import import_extra

_CLASSES = ("mlds.df", "mlbs.df", "data.frame")


def read_frame(content, frame):
    """Return the columns of a data frame by name, and its attributes; a factor becomes text."""
    rdata = import_extra("rdata")
    constructors = dict.fromkeys(_CLASSES, lambda columns, attributes: (columns, attributes))
    constructors["factor"] = rdata.conversion.factor_constructor
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes for which it has no constructor
        parsed = rdata.parser.parse_data(content)
        found = rdata.conversion.convert(parsed, constructors, default_encoding="ascii")
    columns, attributes = found[frame]
    return {str(name): _to_array(column) for name, column in columns.items()}, attributes


def _to_array(column):
    if isinstance(column, np.ndarray):
        return column.astype(float)
    return np.asarray(column, dtype=object).astype(str)  # the categories of a factor
