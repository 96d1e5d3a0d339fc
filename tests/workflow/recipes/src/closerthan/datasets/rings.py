"""Two rings of points, one within the other, that need no file."""

import numpy as np

from closerthan.datasets.dataset import describe


def load_rings():
    """Return 30 points in the plane on each of two rings.

    Returns
    -------
    Dataset
        ``points`` and ``features``, shape (60, 2); ``labels``, the ring.
    """
    angles = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.concatenate([ring, 3 * ring])
    labels = np.repeat([0, 1], 30)
    names = np.array(["inner", "outer"])
    return describe(
        "rings", len(points), points=points, features=points, labels=labels, class_names=names
    )
