"""Check fits of similarities: which data each method learns from."""

import numpy as np

from closerthan.similarity.sdca import SDCA
from closerthan_study.tasks.similarity.fits import bound_on_gap, learn


def test_the_bound_of_theorem_1_holds_and_is_that_of_the_formula(blobs):
    rng = np.random.default_rng(0)
    features = blobs["features"]
    triplets = np.array([rng.choice(90, 3, replace=False) for _ in range(40)])
    largest = max(
        np.linalg.norm(np.outer(features[i], features[j] - features[k])) ** 2
        for i, j, k in triplets
    )
    scale = 40 + 2 * largest / 0.5
    expected = [scale, scale * np.exp(-400 / scale)]
    np.testing.assert_allclose(bound_on_gap([0, 400], features, triplets, 0.5), expected)
    model = SDCA(0.5, n_epochs=30, random_state=0).fit(features, triplets)
    steps = model.history_.iterations
    assert (model.history_.gap <= bound_on_gap(steps, features, triplets, 0.5)).all()


def test_features_that_are_mostly_zero_are_learned_from_alike():
    rng = np.random.default_rng(4)
    features = rng.normal(size=(20, 30)) * (rng.random((20, 30)) < 0.2)
    triplets = np.array([rng.choice(20, 3, replace=False) for _ in range(50)])
    seed = np.random.SeedSequence(0)
    model = SDCA(n_epochs=2)
    learn(model, features, None, triplets, seed)
    expected = SDCA(n_epochs=2, random_state=np.random.default_rng(seed)).fit(features, triplets)
    np.testing.assert_allclose(model.similarity_, expected.similarity_, atol=1e-12)
