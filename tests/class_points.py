"""Make points of three classes, for the tests of similarities and metrics."""

import numpy as np

D = 5


def classes(seed=0, n_classes=3, n_each=20, d=D, noise=3.0):
    """Return points of several classes; two features separate them, the rest are noise."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n_each)
    X = rng.normal(size=(len(y), d)) * np.r_[0.5, 0.5, np.full(d - 2, noise)]
    X[:, :2] += 2.0 * rng.normal(size=(n_classes, 2))[y]
    order = rng.permutation(len(y))
    return X[order], y[order]


X, Y = classes()
