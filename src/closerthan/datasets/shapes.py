"""Generated curves and surfaces in three dimensions, to try manifold learning on."""

from numbers import Integral

import numpy as np
from sklearn import datasets

from closerthan._core.typing import Seed
from closerthan._core.validation import check_number, check_word
from closerthan.datasets.dataset import Dataset, describe

N_CLUSTERS = 10
N_BETWEEN_CLUSTERS = 8
_LEAST = 81  # points of the authors' clusters that count as between them


def _swissroll(n, rng):
    points, t = datasets.make_swiss_roll(n, random_state=_legacy(rng))
    length = (t * np.sqrt(1 + t**2) + np.arcsinh(t)) / 2
    return points, np.column_stack([length, points[:, 1]]), t


def _swiss_hole(n, rng):
    roll = _swissroll(2 * n + 20, rng)  # the hole takes one in thirteen
    t, height = roll[2], roll[0][:, 1]
    kept = np.flatnonzero(~((t > 9) & (t < 12) & (height > 9) & (height < 14)))[:n]
    return tuple(array[kept] for array in roll)


def _s_curve(n, rng):
    points, t = datasets.make_s_curve(n, random_state=_legacy(rng))
    return points, np.column_stack([t, points[:, 1]]), t


def _legacy(rng):
    """Seed the kind of generator that scikit-learn takes."""
    return np.random.RandomState(rng.integers(2**32, size=8, dtype=np.uint32))


def _clusters(n, rng):
    centers, number = 10 * rng.random((N_CLUSTERS, 3)), np.arange(N_CLUSTERS)
    between = np.arange(1, N_BETWEEN_CLUSTERS + 1) / 10
    on_lines = (number[:-1, None] + between).ravel()
    place = np.full(n, -1.0)  # the authors leave some rows at the origin
    filled = np.sort(np.concatenate([np.repeat(number, -(-(n - _LEAST) // N_CLUSTERS)), on_lines]))
    place[: len(filled)] = filled
    points = np.column_stack([np.interp(place, number, axis) for axis in centers.T])
    gaps = np.linalg.norm(centers[:, None] - centers, axis=2)[np.triu_indices(N_CLUSTERS, 1)]
    cube = (rng.random((n, 3)) - 0.5) * gaps.min() / np.sqrt(12)
    points += np.where(np.isin(place, number)[:, None], cube, 0)
    points[place < 0] = 0
    return points, place[:, None], place


def _toroid_helix(n, rng):
    # 1 - u is never 0, which has no negative power.
    t = np.mod((1 - rng.random(n)) ** (-2 * np.pi), 2 * np.pi)
    around = 2 + np.cos(8 * t)
    points = np.column_stack([around * np.cos(t), around * np.sin(t), np.sin(8 * t)])
    return points, t[:, None], t


def _sphere(n, rng):
    points = rng.standard_normal((n, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    x, y, z = points.T
    return points, np.column_stack([np.arctan2(y, x), np.arcsin(z)]), z


def _cut_sphere(n, rng):
    points = _sphere(n, rng)[0]
    points[:, 2] = np.abs(points[:, 2])
    x, y, z = points.T
    from_pole, direction = np.arccos(z)[:, None], np.arctan2(y, x)
    return points, from_pole * np.column_stack([np.cos(direction), np.sin(direction)]), z


def _punctured_sphere(n, rng):
    radius, angle = 5 * np.sqrt(rng.random(n)), 2 * np.pi * rng.random(n)
    x, y = radius * np.cos(angle), radius * np.sin(angle)
    a = 4 / (4 + radius**2)
    return np.column_stack([a * x, a * y, 1 - 2 * a]), np.column_stack([x, y]), 1 - 2 * a


def _twin_peaks(n, rng):
    x, y = rng.uniform(-1, 1, (2, n))
    return _graph(x, y, np.sin(np.pi * x) * np.tanh(3 * y))


def _gaussian(n, rng):
    x, y = rng.standard_normal((2, n))
    return _graph(x, y, np.exp(-(x**2 + y**2) / 2) / (2 * np.pi))


def _graph(x, y, height):
    return np.column_stack([x, y, height]), np.column_stack([x, y]), height


def _corner_plane(n, rng):
    u, v = rng.random((2, n))
    beyond = np.maximum(v - 0.5, 0)
    fold = np.deg2rad(30)
    along, down = np.minimum(v, 0.5) + beyond * np.cos(fold), -beyond * np.sin(fold)
    return np.column_stack([u, along, down]), np.column_stack([u, v]), v


_GENERATORS = {
    "swissroll": _swissroll,
    "swiss_hole": _swiss_hole,
    "s_curve": _s_curve,
    "clusters": _clusters,
    "toroid_helix": _toroid_helix,
    "sphere": _sphere,
    "cut_sphere": _cut_sphere,
    "punctured_sphere": _punctured_sphere,
    "twin_peaks": _twin_peaks,
    "corner_plane": _corner_plane,
    "gaussian": _gaussian,
}
SHAPES = tuple(_GENERATORS)


def make_shape(
    name: str, n_samples: int = 1000, *, noise: float = 0.0, random_state: Seed = None
) -> Dataset:
    r"""Draw points from a curve or surface, together with their true coordinates in it.

    Let u and v be uniform on [0, 1] and independent.

    ``swissroll``
        :math:`(t \cos t, 21 v, t \sin t)` with :math:`t = \frac{3 \pi}{2} (1 + 2 u)`; coordinates:
        the length along the spiral, :math:`(t \sqrt{1 + t^2} + \sinh^{-1} t) / 2`, and the height.
    ``swiss_hole``
        The same without :math:`9 < t < 12, 9 < 21 v < 14`.
    ``s_curve``
        :math:`(\sin t, 2 v, \pm (\cos t - 1))` with :math:`t = 3 \pi (u - \frac12)` and the sign of
        t; coordinates: t, which is the length, and the height.
    ``clusters``
        Ten cubes around points drawn uniformly in a cube of side 10. Eight points lie between each
        cube and the next, at 0.1 to 0.8 of the way. The side of the cubes is the least distance
        between two centers divided by :math:`\sqrt{12}`, so the cubes do not overlap. As in the
        authors' code, up to nine points are left at the origin. Coordinate: the number of the
        cluster, from 0; for a point in between, the place on the line, such as 2.7; -1 at the
        origin.
    ``toroid_helix``
        :math:`((2 + \cos 8 t) \cos t, (2 + \cos 8 t) \sin t, \sin 8 t)` with
        :math:`t = u^{-2 \pi}` modulo :math:`2 \pi`, densest just above t = 1; coordinate: t, an
        angle.
    ``sphere``
        Uniform on the unit sphere; coordinates: longitude and latitude in radians.
    ``cut_sphere``
        The upper half of the sphere; coordinates: the angle from the pole in the direction of x
        and of y.
    ``punctured_sphere``
        The unit sphere without its top: stereographic projection of a disk of radius 5,
        :math:`(a x, a y, 1 - 2 a)` with :math:`a = 4 / (4 + x^2 + y^2)`; coordinates: x and y.
    ``twin_peaks``
        :math:`(x, y, \sin(\pi x) \tanh(3 y))` with x, y uniform on [-1, 1]; coordinates: x and y.
    ``corner_plane``
        A unit square (u, v), folded downwards by 30 degrees at v = 1/2; coordinates: u and v.
    ``gaussian``
        :math:`(x, y, e^{-(x^2 + y^2) / 2} / 2 \pi)` with x, y standard normal; coordinates: x, y.

    Parameters
    ----------
    name : str
        One of the above.
    n_samples : int, default 1000
        At least 91 for ``"clusters"``, at least 1 otherwise.
    noise : float, default 0.0
        The standard deviation of normal noise that is added to `points`.
    random_state : None, int, SeedSequence or Generator, optional
        Passed to `numpy.random.default_rng`.

    Returns
    -------
    Dataset
        ``points``, shape (n_samples, 3); ``parameters``, shape (n_samples, 1) or (n_samples, 2),
        the true coordinates; ``color``, shape (n_samples,), the first coordinate, or the height
        if it shows more.

    Raises
    ------
    ValueError
        If there is no such shape, `n_samples` is too small, or `noise` is negative or not finite.

    References
    ----------
    G. Paraskevopoulos et al., Pattern search multidimensional scaling, 2018. Section 5.2 names the
    first, the fourth and the fifth shape; section 5.6 shows the second. The formulas come from
    T. Wittman's MANI (2005) and from scikit-learn, with random points instead of grids.

    Examples
    --------
    >>> from closerthan.datasets import make_shape
    >>> roll = make_shape("swissroll", 500, random_state=0)
    >>> roll.points.shape, roll.parameters.shape, roll.color.shape
    ((500, 3), (500, 2), (500,))
    """
    check_word("name", name, SHAPES)
    check_number("noise", noise)
    least = _LEAST + N_CLUSTERS if name == "clusters" else 1
    if not isinstance(n_samples, Integral) or n_samples < least:
        raise ValueError(f"n_samples is {n_samples!r}, expected an integer, at least {least}")
    rng = np.random.default_rng(random_state)
    points, parameters, color = _GENERATORS[name](int(n_samples), rng)
    points = points + noise * rng.standard_normal(points.shape)
    return describe(name, int(n_samples), points=points, parameters=parameters, color=color)


def flat_map(name: str, parameters: np.ndarray) -> np.ndarray | None:
    """Return the map to which a shape should be flattened.

    It has the `parameters` themselves, the true coordinates of points on the shape of shape (n, 1)
    or (n, 2). For ``toroid_helix``, which is closed, it has places on a circle. It is None for
    ``clusters``, which have no places in a plane.

    Examples
    --------
    >>> flat_map("toroid_helix", np.array([[0.0]]))
    array([[1., 0.]])
    """
    if name == "toroid_helix":
        return np.column_stack([np.cos(parameters), np.sin(parameters)])
    return None if name == "clusters" else parameters


def clusters_of(name: str, parameters: np.ndarray) -> np.ndarray:
    """Return the number of the cluster of each point of a shape, by its true coordinates.

    The number is -1 for a point outside the clusters, and for all points of other shapes.

    Examples
    --------
    >>> clusters_of("clusters", np.array([[2.0], [2.7]]))
    array([ 2, -1])
    """
    place = parameters[:, 0]
    within = (place % 1 == 0) & (name == "clusters")
    return np.where(within, place, -1).astype(int)
