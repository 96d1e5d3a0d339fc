"""Check the objects of a map: distinct colors, and rotation onto principal axes."""

import numpy as np
import pytest

from closerthan_lab.page.objects import PALETTE, principal_axes

# Colors without one kind of cone, in linear RGB. Source: Machado, Oliveira and Fernandes, A
# physiologically-based model for simulation of color vision deficiency, 2009.
SEEN = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]
WHITE = [0.95047, 1.0, 1.08883]


def to_lab(linear):
    xyz = linear @ np.transpose(TO_XYZ) / WHITE
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116).T
    return np.column_stack([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SEEN)
def test_colors_can_be_told_apart(sight):
    """A difference of 2.3 is just visible; any two colors differ by about five times as much."""
    colors = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in PALETTE])
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    lab = to_lab(np.clip(linear @ np.transpose(SEEN[sight]), 0, 1))
    gaps = np.linalg.norm(lab[:, None] - lab, axis=2)
    assert gaps[np.triu_indices(len(PALETTE), 1)].min() > 11


def test_principal_axes_turn_once():
    points = np.random.default_rng(0).normal(size=(50, 4)) * [1, 5, 2, 3]
    axes = principal_axes(points)
    turned = points @ axes
    assert np.allclose(axes.T @ axes, np.eye(4))
    covariance = np.cov(turned.T)
    assert np.allclose(covariance, np.diag(np.diag(covariance)))
    assert (np.diff(np.diag(covariance)) < 0).all()
    assert np.allclose(principal_axes(turned), np.eye(4)), "what is turned already stays"
