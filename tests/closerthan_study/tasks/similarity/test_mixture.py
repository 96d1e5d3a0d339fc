"""Check the generated collection: repeatable, with classes that differ as intended."""

import numpy as np

from closerthan_study.tasks.similarity.mixture import Mixture
from closerthan_study.tasks.similarity.ranking import average_precision_by
from closerthan_study.tasks.similarity.trials import Objects

POINTS = {"n_objects": 300, "n_labeled": 90, "n_classes": 3, "n_components": 50}


def test_a_mixture_repeats_and_classes_differ_where_they_should():
    mixture, again = (Mixture(np.random.SeedSequence(3), **POINTS) for _ in range(2))
    assert mixture.features.dtype == np.float32 and mixture.features.shape == (90, 50)
    assert list(np.bincount(mixture.labels)) == [30, 30, 30]
    np.testing.assert_array_equal(mixture.features, again.features)
    chunks = list(mixture.background(chunk=100))
    assert [len(chunk) for chunk in chunks] == [100, 100, 10]
    for one, other in zip(chunks, mixture.background(chunk=100), strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_allclose(np.linalg.norm(one, axis=1), 1, rtol=1e-5)
    by_class = Objects(mixture.features, mixture.labels)
    assert 0.4 < average_precision_by(False, None, by_class, by_class) < 0.99
    other = Mixture(np.random.SeedSequence(4), **POINTS)
    assert not np.isin(other.features, mixture.features).any()
