"""Refuse points and scores that cannot be judged."""

import numpy as np


def check_matrix(x, name):
    """The matrix in double precision and in C order."""
    x = np.ascontiguousarray(x, dtype=np.float64)
    if x.ndim != 2 or x.size == 0:
        raise ValueError(f"{name}: the shape is {x.shape}; it must be (n_points, n_components)")
    return x


def check_points(x, name):
    """The same, with finite values alone."""
    x = check_matrix(x, name)
    check_finite(x, name)
    return x


def check_finite(values, name, first_row=0, ignore=False):
    """Refuse a matrix with NaN or infinity where `ignore` does not hold."""
    fine = np.isfinite(values) | ignore
    if not fine.all():
        row, column = np.argwhere(~fine)[0]
        raise ValueError(
            f"{name}, row {first_row + row}, column {column}: {values[row, column]} is not "
            "allowed; every value must be finite"
        )
