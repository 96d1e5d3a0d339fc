"""Check the generated collection: repeatable, with classes that differ as intended."""

import numpy as np

from closerthan_study.baselines.rca import RCA
from closerthan_study.tasks.similarity.mixture import Mixture
from closerthan_study.tasks.similarity.ranking import average_precision_by
from closerthan_study.tasks.similarity.trials import Objects

POINTS = {"n_objects": 3210, "n_labeled": 3000, "n_classes": 30, "n_components": 100}


def test_a_mixture_repeats_and_classes_differ_where_they_should():
    mixture, again = (Mixture(np.random.SeedSequence(3), **POINTS) for _ in range(2))
    assert mixture.features.dtype == np.float32 and mixture.features.shape == (3000, 100)
    assert list(np.bincount(mixture.labels)) == [100] * 30
    np.testing.assert_array_equal(mixture.features, again.features)
    chunks = list(mixture.background(chunk=100))
    assert [len(chunk) for chunk in chunks] == [100, 100, 10]
    for one, other in zip(chunks, mixture.background(chunk=100), strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_allclose(np.linalg.norm(one, axis=1), 1, rtol=1e-5)
    (features, others), (labels, of_others) = (
        np.split(array, 2) for array in (mixture.features, mixture.labels)
    )
    rca, by_class = RCA().fit(features, labels), Objects(others, of_others)
    plain, better = (
        average_precision_by(False, matrix, by_class, by_class)
        for matrix in (None, rca.components_)
    )
    assert 0.4 < plain < better - 0.005, "as on the images of the paper"
    other = Mixture(np.random.SeedSequence(4), **POINTS)
    assert (other.features != mixture.features).mean() > 0.999
