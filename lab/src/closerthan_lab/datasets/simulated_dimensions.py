"""Simulate odd ones out of objects with known dimensions and noisy features."""

import numpy as np

from closerthan._core.typing import Seed
from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.datasets.dataset import Dataset
from closerthan_lab.datasets.registered import describe
from closerthan_lab.sampling import sample_odd_ones

N_OBJECTS, N_DIMENSIONS, N_FEATURES, N_ANSWERS = 60, 4, 12, 6000
_SMALL, _LARGE = 0.3, 3.0  # the largest coordinates of each kind
_NOISE = 0.5  # of the features


def make_dimensions(*, random_state: Seed = None) -> Dataset:
    """Simulate the odd ones out of 60 objects with four dimensions, most coordinates small.

    A coordinate is uniform from 0 to 0.3 with probability 0.6, otherwise from 0 to 3. The answers
    are drawn by `closerthan_lab.sampling.sample_odd_ones`. The features are 12 random linear
    functions of the dimensions, plus normal noise.

    The data set has ``answers``, ``features`` and the truth: ``points``.

    Parameters
    ----------
    random_state : None, int, SeedSequence or Generator, optional

    Examples
    --------
    >>> data = make_dimensions(random_state=0)
    >>> data.points.shape, data.features.shape, data.answers.n_screens
    ((60, 4), (60, 12), 6000)
    """
    rng = np.random.default_rng(random_state)
    shape = N_OBJECTS, N_DIMENSIONS
    points = rng.random(shape) * np.where(rng.random(shape) < 0.6, _SMALL, _LARGE)
    functions = rng.standard_normal((N_DIMENSIONS, N_FEATURES))
    features = points @ functions + _NOISE * rng.standard_normal((N_OBJECTS, N_FEATURES))
    triples = sample_odd_ones(points, N_ANSWERS, random_state=rng)
    answers = from_odd_one_out(triples, triples[:, 2])
    return describe(
        "simulated_dimensions", N_OBJECTS, answers=answers, features=features, points=points
    )
