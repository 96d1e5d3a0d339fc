"""What a map shows of its objects: names, places, ellipses and attributes, checked."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import check_finite, check_points, is_number

# Colors that the color-blind can tell apart, on white and on black; with three shapes, 21 looks.
# None is gray, which stands for what is not known.
PALETTE = ["#0173b2", "#de8f05", "#029e73", "#d55e00", "#cc78bc", "#56b4e9", "#ca9161"]
N_SHAPES = 3
MOST_LOOKS = N_SHAPES * len(PALETTE)


@dataclass(frozen=True, eq=False)
class Ellipses:
    """Where each object may lie: an ellipse in any two of the dimensions.

    Parameters
    ----------
    shapes : array-like of shape (n_objects, n_components, n_components)
        Symmetric and positive semidefinite. The ellipse in two dimensions holds the center plus all
        L u with ``|u| <= 1``, where L L' is the part of the shape of these two: so a shape is a
        covariance times the square of a quantile, that of two dimensions (for normal errors,
        5.991 = the 95 % quantile of chi-squared with 2 degrees of freedom).
    level : float
        How often it holds the object, above 0 and below 1.
    centers : array-like of shape (n_objects, n_components), optional
        The points of the map, if not given.

    Examples
    --------
    >>> Ellipses(np.array([[[0.04, 0.0], [0.0, 0.01]]]), level=0.9).level
    0.9
    """

    shapes: np.ndarray
    level: float
    centers: np.ndarray | None = None


def check_names(names, n_objects):
    """Return names as a list of str: one for each point, each once, and none of them empty."""
    names = [str(name) for name in names]
    if len(names) != n_objects:
        raise ValueError(f"{len(names)} names and {n_objects} points; there must be as many")
    seen = {}
    for row, name in enumerate(names):
        if not name.strip():
            raise ValueError(f"names, row {row}: {name!r} is empty; every object needs a name")
        if name in seen:
            raise ValueError(
                f"names, row {row}: {name!r} is that of row {seen[name]} too; names must differ"
            )
        seen[name] = row
    return names


def check_map(names, points, ellipses):
    """Return names, points and ellipses of a map as they are drawn, or say what is wrong."""
    points = check_points(points, "points")
    names = check_names(names, len(points))
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
    centers = ellipses.centers
    if centers is not None:
        centers = np.asarray(centers, dtype=float)
        if centers.shape != (n, p):
            raise ValueError(f"ellipses: the centers are {centers.shape}; they must be {(n, p)}")
        check_finite(centers, "ellipses, centers")
    return Ellipses(shapes, float(ellipses.level), centers)


def principal_axes(points: ArrayLike) -> np.ndarray:
    """Return the rotation onto principal axes, that of the largest spread first.

    Parameters
    ----------
    points : array-like of shape (n_objects, n_components)

    Returns
    -------
    ndarray of shape (n_components, n_components)
        ``points @ axes`` has uncorrelated columns, whose spread falls. Of each axis the largest
        entry is positive, so points that lie along their axes already are not turned.

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
    """Return points of more than two dimensions along their principal axes, and their ellipses."""
    if points.shape[1] <= 2:
        return points, ellipses
    axes = principal_axes(points)
    if ellipses is not None:
        centers = None if ellipses.centers is None else ellipses.centers @ axes
        ellipses = Ellipses(axes.T @ ellipses.shapes @ axes, ellipses.level, centers)
    return points @ axes, ellipses


def check_attributes(attributes, names):
    """Return a row of attributes for each name, and a sentence on the rows of other names."""
    index = attributes.index.map(str)
    if index.has_duplicates:
        row = int(index.duplicated().argmax())
        raise ValueError(f"attributes, row {row}: {index[row]!r} has a row already")
    columns = [str(column) for column in attributes.columns]
    twice = [column for n, column in enumerate(columns) if column in columns[:n]]
    if twice:
        raise ValueError(f"attributes: there are two columns {twice[0]!r}")
    frame = attributes.set_axis(index).set_axis(columns, axis=1)
    known = index.isin(names)
    if not known.any():
        some = ", ".join(map(repr, index[:3]))
        raise ValueError(f"attributes: its index ({some}, …) has none of the names of the map")
    others = index[~known]
    some = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
    words = f"Rows of the attributes that name no object of the map: {len(others):,} ({some})."
    notes = [words] if len(others) else []
    return frame.reindex(names), notes


def is_numeric(column):
    """Whether a column of attributes is one of numbers, not of words."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return is_numeric_dtype(column) and not is_bool_dtype(column)


def is_skew(values):
    """Whether most numbers would have the darkest colors, so that logarithms are to be colored.

    Examples
    --------
    >>> is_skew(np.array([1, 2, 3, 4])), is_skew(np.array([1, 2, 3, 100, np.nan]))
    (False, True)
    """
    known = values[np.isfinite(values)]
    return bool(known.size and known.min() > 0 and known.max() > 8 * np.median(known))


def levels_of(column):
    """Return the different words of a column: in the order of its categories, or common ones first.

    Examples
    --------
    >>> import pandas as pd
    >>> levels_of(pd.Series(["pop", "rock", None, "rock"]))
    ['rock', 'pop']
    """
    known = column.dropna()
    if hasattr(column, "cat"):
        used = set(known)
        return [str(word) for word in column.cat.categories if word in used]
    counts = known.map(str).value_counts()
    return sorted(counts.index, key=lambda word: (-counts[word], word))
