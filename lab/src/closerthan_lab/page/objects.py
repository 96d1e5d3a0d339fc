"""Check the objects of a map: names, positions, ellipses and attributes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import check_points, is_number

# Seven colors that are distinct for the color-blind, on white and on black. With three shapes they
# give 21 looks. Gray is not among them, because it shows missing values.
PALETTE = ["#0173b2", "#de8f05", "#029e73", "#d55e00", "#cc78bc", "#56b4e9", "#ca9161"]
N_SHAPES = 3
MOST_LOOKS = N_SHAPES * len(PALETTE)


@dataclass(frozen=True, eq=False)
class Ellipses:
    """Confidence ellipses of the objects in any two dimensions of a map.

    Parameters
    ----------
    shapes : array_like of shape (n_objects, n_components, n_components)
        A symmetric positive semidefinite matrix for each object: its covariance times a quantile.
        For normal errors and two dimensions the quantile is 5.991, the 95 % quantile of chi-squared
        with 2 degrees of freedom. If L L' is the block of a matrix for two dimensions, the ellipse
        in these dimensions is the point plus all L u with ``|u| <= 1``.
    level : float
        Confidence level, above 0 and below 1.

    Examples
    --------
    >>> Ellipses(np.array([[[0.04, 0.0], [0.0, 0.01]]]), level=0.9).level
    0.9
    """

    shapes: np.ndarray
    level: float


def _check_names(names, n_objects):
    """Return names as a list of str, or raise an error for a missing, empty or repeated name."""
    names = [str(name) for name in names]
    if len(names) != n_objects:
        raise ValueError(f"{len(names)} names and {n_objects} points; give one name for each point")
    seen = {}
    for row, name in enumerate(names):
        if not name.strip():
            raise ValueError(f"names, row {row}: {name!r} is empty; every object needs a name")
        if name in seen:
            raise ValueError(
                f"names, row {row}: {name!r} is also in row {seen[name]}; names must differ"
            )
        seen[name] = row
    return names


def check_map(names, points, ellipses):
    """Return checked names, points and ellipses of a map, or raise an error."""
    points = check_points(points, "points")
    names = _check_names(names, len(points))
    return names, points, None if ellipses is None else _check_ellipses(ellipses, *points.shape)


def _check_ellipses(ellipses, n, p):
    if not is_number(ellipses.level) or not 0 < ellipses.level < 1:
        raise ValueError(f"ellipses, level={ellipses.level!r}; it must be above 0 and below 1")
    shapes = np.asarray(ellipses.shapes, dtype=float)
    if shapes.shape != (n, p, p):
        raise ValueError(f"ellipses: the shapes are {shapes.shape}; they must be {(n, p, p)}")
    bad = ~np.isfinite(shapes).all(axis=(1, 2))
    if bad.any():
        raise ValueError(f"ellipses, object {bad.argmax()}: the shape must be finite")
    least = np.linalg.eigvalsh(shapes)[:, 0]
    bad = least < -1e-9 * np.trace(shapes, axis1=1, axis2=2)
    if bad.any():
        raise ValueError(f"ellipses, object {bad.argmax()}: the shape is not positive semidefinite")
    return Ellipses(shapes, float(ellipses.level))


def principal_axes(points: ArrayLike) -> np.ndarray:
    """Return the rotation onto the principal axes, the largest spread first.

    `points` has the shape (n_objects, n_components), the rotation (n_components, n_components). The
    entry of each axis with the largest absolute value is positive.

    Examples
    --------
    >>> principal_axes([[0.0, -3.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 3.0]])
    array([[0., 1.],
           [1., 0.]])
    """
    points = np.asarray(points, dtype=float)
    centered = points - points.mean(axis=0)
    axes = np.linalg.eigh(centered.T @ centered)[1][:, ::-1]
    largest = np.abs(axes).argmax(axis=0)
    return axes * np.sign(axes[largest, np.arange(len(axes))]) + 0.0


def turned(points, ellipses):
    """Rotate points of more than two dimensions, and their ellipses, onto principal axes."""
    if points.shape[1] <= 2:
        return points, ellipses
    axes = principal_axes(points)
    if ellipses is not None:
        ellipses = Ellipses(axes.T @ ellipses.shapes @ axes, ellipses.level)
    return points @ axes, ellipses


def check_attributes(attributes, names):
    """Return a row of attributes for each name, and a note on rows without an object."""
    index = attributes.index.map(str)
    if index.has_duplicates:
        row = int(index.duplicated().argmax())
        raise ValueError(
            f"attributes, row {row}: {index[row]!r} is there twice; give each object one row"
        )
    columns = [str(column) for column in attributes.columns]
    twice = [column for n, column in enumerate(columns) if column in columns[:n]]
    if twice:
        raise ValueError(
            f"attributes: two columns are called {twice[0]!r}; column names must differ"
        )
    frame = attributes.set_axis(index).set_axis(columns, axis=1)
    known = index.isin(names)
    if not known.any():
        some = ", ".join(map(repr, index[:3]))
        raise ValueError(
            f"attributes: no row has the name of an object ({some}, …); name the "
            "rows as in the answers"
        )
    others = index[~known]
    some = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
    words = f"Attribute rows without an object in the map: {len(others):,} ({some})."
    notes = [words] if len(others) else []
    return frame.reindex(names), notes


def is_numeric(column):
    """Return True for a column of numbers, and False for a column of words."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return is_numeric_dtype(column) and not is_bool_dtype(column)


def is_skew(values):
    """Return True if numbers are so skewed that their logarithms should be colored."""
    known = values[np.isfinite(values)]
    return bool(known.size and known.min() > 0 and known.max() > 8 * np.median(known))


def levels_of(column):
    """Return the distinct words of a column in category order, or the most common first."""
    known = column.dropna()
    if hasattr(column, "cat"):
        used = set(known)
        return [str(word) for word in column.cat.categories if word in used]
    counts = known.map(str).value_counts()
    return sorted(counts.index, key=lambda word: (-counts[word], word))
