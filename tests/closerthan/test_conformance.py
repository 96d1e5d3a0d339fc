"""Check what every pair of a loss and a solver must do at its defaults."""

import numpy as np
import pytest

from closerthan.comparisons import sample_from_points
from closerthan.optimize import SGD, SVRG, Batch
from closerthan.scores import triplet_error
from plain_fit import plain_embedding
from slow_reference import LOSSES

SOLVERS = {
    "l-bfgs": "l-bfgs",
    "batch": "batch",
    "bold-driver": Batch("bold-driver"),
    "sgd": SGD(),
    "svrg": "svrg",
    "svrg-bb0": SVRG("bb0"),
    "svrg-fixed": SVRG("fixed"),
}
N_OBJECTS = 30
TRUTH = np.random.default_rng(12).normal(size=(N_OBJECTS, 2))
TRIPLETS = sample_from_points(TRUTH, 3000, random_state=0)
TRAIN, TEST = TRIPLETS[:2000], TRIPLETS[2000:]

every_pair = pytest.mark.parametrize("solver", SOLVERS)
every_loss = pytest.mark.parametrize("loss", LOSSES)


def _model(loss, solver, **options):
    options = {"max_iter": 300, "random_state": 1, **options}
    return plain_embedding(2, loss=loss, solver=SOLVERS[solver], **options)


@every_pair
@every_loss
def test_it_recovers_what_the_comparisons_know(loss, solver):
    model = _model(loss, solver)
    assert model.fit(TRAIN) is model
    assert model.embedding_.shape == (N_OBJECTS, 2)
    assert np.isfinite(model.embedding_).all()
    # The step without a stabilizer sometimes makes the points diverge.
    assert triplet_error(model.embedding_, TEST) < (0.4 if solver == "svrg-bb0" else 0.15)
    assert model.score(TEST) == 1 - triplet_error(model.embedding_, TEST)

    assert len(model.history_) == model.n_iter_ > 1
