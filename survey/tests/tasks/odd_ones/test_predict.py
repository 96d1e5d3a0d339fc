"""Check predictions of odd ones out against their definition, row by row."""

import numpy as np
import pytest

from closerthan import OrdinalEmbedding
from closerthan.similarity.sdca import SDCA
from closerthan_lab.datasets.simulated_dimensions import make_dimensions
from closerthan_lab.spose.spose import SPoSE
from closerthan_study.baselines.rca import RCA
from closerthan_survey.tasks.odd_ones import predict
from closerthan_survey.tasks.odd_ones.trials import answered_triples


@pytest.fixture(scope="module")
def data():
    return make_dimensions(random_state=1)


@pytest.fixture(scope="module")
def triples(data):
    return answered_triples(data.arrays())[:300]


@pytest.mark.parametrize("loss", ["ste", "t-ste", "ckl"])
def test_the_odds_of_two_pairs_are_those_of_their_comparison(data, triples, loss):
    model = OrdinalEmbedding(3, loss=loss, random_state=0).fit(data.answers)
    found, log_odds = predict.similarities(model, None, triples)
    assert log_odds
    for row, (a, b, c) in zip(found[:40], triples[:40], strict=True):
        # One comparison of the two pairs with the third object, which `log_odds` never asks.
        nearer = model.predict_proba([[b, c, a, c]])[0, 1]
        assert row[0] - row[1] == pytest.approx(np.log(nearer / (1 - nearer)), abs=1e-9)


def test_probabilities_of_dimensions_are_the_models(data, triples):
    model = SPoSE(4, strength=(0.0, 1.0), random_state=0).fit(data.answers)
    alike, log_odds = predict.similarities(model, None, triples)
    assert log_odds and predict.accuracy(alike) == pytest.approx(model.score(triples))
    by_hand = -np.log(model.predict_proba(triples)[:, 2]).mean()
    assert predict.log_loss_of_odds(alike) == pytest.approx(by_hand)


def test_a_bilinear_similarity_counts_both_directions(data, triples):
    features = predict.of_directions(data.features)
    model = SDCA(random_state=0).fit(features, triples)
    alike, log_odds = predict.similarities(model, features, triples)
    assert not log_odds
    whole = features @ model.similarity_ @ features.T
    a, b, c = triples[7]
    for place, (x, y) in enumerate(((b, c), (a, c), (a, b))):
        assert alike[7, place] == pytest.approx(whole[x, y] + whole[y, x])


def test_a_metric_prefers_near_pairs(data, triples):
    labels = np.arange(len(data.features)) % 5
    model = RCA(ridge=0.1).fit(data.features, labels)
    alike, _ = predict.similarities(model, data.features, triples)
    points = model.transform(data.features)
    a, b, c = triples[3]
    by_hand = [((points[x] - points[y]) ** 2).sum() for x, y in ((b, c), (a, c), (a, b))]
    np.testing.assert_allclose(alike[3], np.negative(by_hand))


def test_ties_are_errors_and_unknown_objects_have_a_third_of_the_odds():
    assert predict.accuracy(np.array([[1.0, 2.0, 2.0], [0.0, 1.0, 3.0]])) == 0.5
    assert predict.log_loss_of_odds(np.zeros((4, 3))) == pytest.approx(np.log(3))
    model = OrdinalEmbedding(1, n_objects=5, random_state=0).fit([[0, 1, 2], [1, 0, 2]])
    np.testing.assert_array_equal(predict.log_odds(model, np.array([[0, 1, 4]])), [[0, 0, 0]])


def test_directions_have_length_one_around_the_mean():
    found = predict.of_directions(np.array([[1.0, 5.0], [3.0, 5.0], [2.0, 5.0]]))
    np.testing.assert_allclose(found, [[-1, 0], [1, 0], [0, 0]])
