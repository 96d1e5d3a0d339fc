"""Check that each shape follows its formula, and that its coordinates measure it."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.distance import cdist, pdist
from scipy.stats import kstest

from closerthan.datasets import load, make_shape
from closerthan.datasets.shapes import SHAPES

CURVES = ("clusters", "toroid_helix")


@pytest.mark.parametrize("name", SHAPES)
def test_the_arrays_of_a_shape(name):
    shape = load(name, n_samples=200, random_state=0)
    assert shape.points.shape == (200, 3) and shape.color.shape == (200,)
    assert shape.parameters.shape == (200, 1 if name in CURVES else 2)
    for array in shape.arrays().values():
        assert array.dtype == np.float64 and np.isfinite(array).all()
    n_alike = 8 if name == "clusters" else 1
    assert len(np.unique(shape.points, axis=0)) == 201 - n_alike
    assert shape.info["n_objects"] == 200 and shape.info["open_license"]


@pytest.mark.parametrize("name", SHAPES)
def test_noise_is_added_to_the_points_alone(name):
    clean, noisy = (make_shape(name, noise=noise, random_state=5) for noise in (0, 0.3))
    assert kstest(((noisy.points - clean.points) / 0.3).ravel(), "norm").pvalue > 0.001
    np.testing.assert_array_equal(noisy.parameters, clean.parameters)
    np.testing.assert_array_equal(noisy.color, clean.color)


@pytest.mark.parametrize("name", ["swissroll", "swiss_hole"])
def test_rolls(name):
    roll = make_shape(name, random_state=0)
    x, height, z = roll.points.T
    t = np.hypot(x, z)
    np.testing.assert_allclose((x, z), (t * np.cos(t), t * np.sin(t)), atol=1e-9)
    np.testing.assert_allclose(roll.color, t)
    np.testing.assert_array_equal(roll.parameters[:, 1], height)
    lengths = [quad(lambda s: np.sqrt(1 + s**2), 0, end)[0] for end in t[:50]]
    np.testing.assert_allclose(roll.parameters[:50, 0], lengths)
    assert 1.5 * np.pi <= t.min() and t.max() <= 4.5 * np.pi
    assert height.min() >= 0 and height.max() <= 21
    in_hole = (t > 9) & (t < 12) & (height > 9) & (height < 14)
    assert in_hole.sum() == 0 if name == "swiss_hole" else in_hole.sum() > 50


def test_s_curve():
    curve = make_shape("s_curve", random_state=0)
    t, height = curve.parameters.T
    expected = np.column_stack([np.sin(t), height, np.sign(t) * (np.cos(t) - 1)])
    np.testing.assert_allclose(curve.points, expected, atol=1e-12)
    assert kstest(t / (3 * np.pi) + 0.5, "uniform").pvalue > 0.01
    assert kstest(height / 2, "uniform").pvalue > 0.01


def test_clusters_lie_apart_and_are_joined_by_lines():
    chain = make_shape("clusters", 3000, random_state=0)
    place = chain.parameters.ravel()
    number = np.round(place).astype(int)
    at_origin = place == -1
    assert at_origin.sum() == 8 and (chain.points[at_origin] == 0).all()
    inside = (place == number) & ~at_origin
    assert np.bincount(number[inside]).tolist() == [292] * 10
    clusters = [chain.points[inside & (number == n)] for n in range(10)]
    widest = max(pdist(cluster).max() for cluster in clusters)
    between = [cdist(a, b).min() for n, a in enumerate(clusters) for b in clusters[:n]]
    assert widest < min(between)
    for n in range(9):
        line = chain.points[(place > n) & (place < n + 1)]
        step = np.diff(line, axis=0)
        assert len(line) == 8
        np.testing.assert_allclose(step, np.broadcast_to(step[0], step.shape), atol=1e-12)
        ends = line[[0, -1]] + [-step[0], 2 * step[0]]
        centers = [clusters[m].mean(axis=0) for m in (n, n + 1)]
        np.testing.assert_allclose(ends, centers, atol=widest / 2)


def test_toroid_helix():
    helix = make_shape("toroid_helix", 2000, random_state=0)
    x, y, z = helix.points.T
    t = helix.parameters.ravel()
    np.testing.assert_allclose((np.hypot(x, y) - 2) ** 2 + z**2, 1)
    np.testing.assert_allclose(np.mod(np.arctan2(y, x), 2 * np.pi), t, atol=1e-9)
    np.testing.assert_allclose(z, np.sin(8 * t))
    counts = np.histogram(t, np.linspace(0, 2 * np.pi, 13))[0]
    assert counts.argmax() in (1, 2) and counts.max() > 1.5 * np.median(counts)
    assert (counts > 50).all()


@pytest.mark.parametrize("name", ["sphere", "cut_sphere", "punctured_sphere"])
def test_spheres(name):
    sphere = make_shape(name, 2000, random_state=0)
    np.testing.assert_allclose(np.linalg.norm(sphere.points, axis=1), 1)
    z = sphere.points[:, 2]
    np.testing.assert_allclose(sphere.color, z)
    if name == "punctured_sphere":
        assert 0.6 < z.max() <= 1 - 2 * 4 / 29 and z.min() > -1
    else:  # equal heights have equal areas
        lowest = -1 if name == "sphere" else 0
        assert kstest((z - lowest) / (1 - lowest), "uniform").pvalue > 0.01


def test_coordinates_on_spheres():
    sphere = make_shape("sphere", random_state=0)
    longitude, latitude = sphere.parameters.T
    around = np.cos(latitude)
    expected = (around * np.cos(longitude), around * np.sin(longitude), np.sin(latitude))
    np.testing.assert_allclose(sphere.points.T, expected, atol=1e-12)
    half = make_shape("cut_sphere", random_state=0)
    from_pole = np.linalg.norm(half.parameters, axis=1)
    np.testing.assert_allclose(np.cos(from_pole), half.points[:, 2], atol=1e-12)
    toward = half.parameters / from_pole[:, None] * np.sin(from_pole)[:, None]
    np.testing.assert_allclose(toward, half.points[:, :2], atol=1e-9)
    # The line from the sphere's top through a point meets the plane z = -1 at (x, y).
    disk = make_shape("punctured_sphere", random_state=0)
    x, y, z = disk.points.T
    np.testing.assert_allclose(disk.parameters.T, (x * 2 / (1 - z), y * 2 / (1 - z)))
    assert kstest((disk.parameters**2).sum(axis=1) / 25, "uniform").pvalue > 0.01


def test_heights_over_a_plane():
    peaks = make_shape("twin_peaks", random_state=0)
    x, y, z = peaks.points.T
    np.testing.assert_array_equal(peaks.parameters, peaks.points[:, :2])
    np.testing.assert_allclose(z, np.sin(np.pi * x) * np.tanh(3 * y))
    assert kstest(np.ravel((x, y)), "uniform", (-1, 2)).pvalue > 0.01
    bump = make_shape("gaussian", random_state=0)
    x, y, z = bump.points.T
    np.testing.assert_array_equal(bump.parameters, bump.points[:, :2])
    np.testing.assert_allclose(z, np.exp(-(x**2) / 2) * np.exp(-(y**2) / 2) / (2 * np.pi))
    assert kstest(np.ravel((x, y)), "norm").pvalue > 0.01


def test_the_folded_plane_has_two_flat_halves():
    plane = make_shape("corner_plane", random_state=0)
    v = plane.parameters[:, 1]
    near, far = plane.points[v <= 0.5], plane.points[v > 0.5]
    np.testing.assert_array_equal(near[:, :2], plane.parameters[v <= 0.5])
    assert (near[:, 2] == 0).all()
    np.testing.assert_allclose(np.rad2deg(np.arctan2(-far[:, 2], far[:, 1] - 0.5)), 30)
    np.testing.assert_allclose(pdist(far), pdist(plane.parameters[v > 0.5]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": 0}, "n_samples is 0, expected an integer, at least 1"),
        ({"n_samples": 2.0}, "n_samples is 2.0, expected an integer"),
        ({"name": "clusters", "n_samples": 90}, "n_samples is 90, expected .*, at least 91"),
        ({"noise": -0.1}, "noise=-0.1; it must be finite and not negative"),
    ],
)
def test_nonsense_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        make_shape(**{"name": "sphere"} | options)


def test_the_smallest_sizes():
    assert make_shape("clusters", 91, random_state=0).points.shape == (91, 3)
    for name in set(SHAPES) - {"clusters"}:
        assert make_shape(name, 1, random_state=0).points.shape == (1, 3)
