"""Check that simulated dimensions, features and answers belong together."""

import numpy as np

from closerthan.comparisons import to_odd_one_out
from closerthan_lab.datasets import make_dimensions


def test_the_answers_follow_the_dimensions_better_than_the_features():
    data = make_dimensions(random_state=0)
    triples, _ = to_odd_one_out(data.answers)

    def predicted(points):
        a, b, c = points[triples].transpose(1, 0, 2)
        pair, first, second = ((x * y).sum(axis=1) for x, y in ((a, b), (a, c), (b, c)))
        return np.mean(pair > np.maximum(first, second))

    assert predicted(data.points) > predicted(data.features) > 0.45
    assert data.points.min() >= 0 and (data.points < 0.3).mean() > 0.5


def test_the_features_are_linear_up_to_noise():
    data = make_dimensions(random_state=1)
    functions = np.linalg.lstsq(data.points, data.features, rcond=None)[0]
    rest = data.features - data.points @ functions
    assert 0.4 < rest.std() < 0.6
