"""What changes no result: units, the scale of weights, rows given twice, the order of rows, names.

The table has each public estimator, and each function of scores and MDS.
"""

from importlib import import_module

import numpy as np
from scipy.spatial.distance import pdist

from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
from closerthan import mds as _mds
from closerthan import scores as _scores
from closerthan.comparisons import to_quadruplets
from closerthan.discovery import find_class
from closerthan.kernels import KernelObjective, embed_kernel
from closerthan.losses import STE
from closerthan.similarity import OASIS, SDCA
from metamorphic import N, Row, check, each_row

START = np.random.default_rng(3).normal(size=(N, 2))
PACKAGES = ("", ".kernels", ".mds", ".ordinal", ".scores", ".similarity", ".optimize")
NO_RESULTS = {"Trace", "make_solver", "Objective", "LapsingObjective"}  # of a fit


def metric_mds(Model, **lengths):
    def result(world):
        settings = {name: length * world.unit for name, length in lengths.items()}
        model = Model(metric="precomputed", random_state=0, **settings)
        model.fit(world.D, weights=world.pair_weights)
        placed = np.vstack([model.embedding_, model.transform(1.1 * world.D)]) / world.unit
        stress = model.history_["stress"].iloc[-1] / world.unit / world.unit / world.weight
        np.testing.assert_allclose(stress, model.stress_ / world.unit**2 / world.weight)
        return np.append(pdist(placed[np.append(world.objects, N + world.objects)]), stress)

    return result


def ordinal(featured=False, **settings):
    def result(world):
        given = {"features": world.X} if featured else {}
        model = OrdinalEmbedding(2, random_state=0, **settings)
        model.fit(world.answers, sample_weight=world.sample_weight, **given)
        return world.map(model.embedding_)

    return result


def batch_kernel(**settings):
    def result(world):
        model = BatchKernel(max_iter=30, tol=0, **settings)
        kernel = model.fit(world.answers, sample_weight=world.sample_weight).kernel_
        return world.pairs(kernel)

    return result


def kernel_objective(world):
    data = to_quadruplets(world.answers), (len(world.X), 2), world.sample_weight
    return KernelObjective(STE(), *data).value(world.X @ world.X.T)


def similarity(model):
    def result(world):
        found = model(world).fit(world.X, world.answers)
        accuracy = found.score(world.X, world.answers, sample_weight=world.sample_weight)
        return np.append(found.similarity_ * world.unit**2, accuracy)

    return result


def of_probability(score):
    def result(world):
        given = world.probability, world.answers
        return np.asarray(score(*given, sample_weight=world.sample_weight))

    return result


def curve(world):
    found = _scores.reliability_curve(
        world.probability, world.answers, sample_weight=world.sample_weight
    )
    return found.assign(weight=found["weight"] / found["weight"].sum()).to_numpy()


def ranking(score, **options):
    def result(world):
        labels = world.labels
        return score(world.D, labels, labels, greater_is_better=False, **options)

    return result


ANSWERS = "weights twice permuted another"
UNITS = "unit far renumbered"
SETTLED = {"loss": "ste", "strength": 0.01}
TABLE = {
    "SMACOF": Row(metric_mds(_mds.SMACOF), "weights unit far", "renumbered"),
    "PatternSearchMDS": Row(metric_mds(_mds.PatternSearchMDS), "weights unit far", "renumbered"),
    "PatternSearchMDS: lengths": Row(
        metric_mds(_mds.PatternSearchMDS, radius=0.3, min_radius=1e-3, init=START),
        "weights unit far",
    ),
    "SMACOF: start": Row(metric_mds(_mds.SMACOF, init=START), "weights unit far"),
    "classical_mds": Row(lambda w: w.map(_mds.classical_mds(w.D)) / w.unit, UNITS),
    "geodesic_distances": Row(lambda w: w.pairs(_mds.geodesic_distances(w.X, 4)) / w.unit, UNITS),
    "OrdinalEmbedding": Row(
        ordinal(**SETTLED), "weights twice another", "permuted renumbered", 0.03
    ),
    "OrdinalEmbedding: default": Row(ordinal(), "twice another", "permuted"),
    "OrdinalEmbedding: features": Row(
        ordinal(True, feature_share=0.5, **SETTLED), "weights twice unit far", "permuted"
    ),
    "OrdinalEmbedding: lapses": Row(
        ordinal(lapse="auto", **SETTLED), "weights twice another", "permuted"
    ),
    "BatchKernel": Row(batch_kernel(), "weights twice permuted renumbered", "another"),
    "BatchKernel: trace": Row(batch_kernel(tau=5.0), "twice permuted renumbered"),
    "OnlineKernel": Row(
        lambda w: w.pairs(OnlineKernel().fit(w.answers).kernel_), "renumbered another"
    ),
    "KernelObjective": Row(kernel_objective, ANSWERS + " renumbered"),
    "embed_kernel": Row(lambda w: w.map(embed_kernel(w.X @ w.X.T, 2)) / w.unit, UNITS),
    # The identity and C, reg, have units.
    "OASIS": Row(
        similarity(lambda w: OASIS(0.1 / w.unit**4, init=np.eye(5) / w.unit**2, random_state=0)),
        "unit weights renumbered another",
    ),
    "SDCA": Row(
        similarity(lambda w: SDCA(0.005 * w.unit**4, random_state=0)),
        "unit weights renumbered another",
    ),
    "triplet_error": Row(
        lambda w: _scores.triplet_error(w.X, w.answers, sample_weight=w.sample_weight),
        ANSWERS + " " + UNITS,
    ),
    "kernel_error": Row(
        lambda w: _scores.kernel_error(w.X @ w.X.T, w.answers),
        "twice permuted another unit renumbered",
    ),
    "log_loss": Row(of_probability(_scores.log_loss), ANSWERS),
    "brier_score": Row(of_probability(_scores.brier_score), ANSWERS),
    "expected_calibration_error": Row(of_probability(_scores.expected_calibration_error), ANSWERS),
    "reliability_curve": Row(curve, ANSWERS),
    "procrustes_align": Row(
        lambda w: w.map(_scores.procrustes_align(w.X, w.X[:, :2] ** 2 / w.unit)) / w.unit, UNITS
    ),
    "procrustes_distance": Row(
        lambda w: _scores.procrustes_distance(w.X, w.X[:, :2] ** 2 / w.unit), UNITS
    ),
    "raw_stress": Row(lambda w: _scores.raw_stress(w.X[:, :2], w.D) / w.unit / w.unit, UNITS),
    "normalized_stress": Row(lambda w: _scores.normalized_stress(w.X[:, :2], w.D), UNITS),
    "average_precision": Row(
        lambda w: _scores.average_precision(-w.D[w.objects[0]], w.labels == 0), UNITS
    ),
    "mean_average_precision": Row(ranking(_scores.mean_average_precision), UNITS),
    "precision_at_k": Row(ranking(_scores.precision_at_k, k=[1, 5]), UNITS),
    "recall_at_k": Row(ranking(_scores.recall_at_k, k=[1, 5]), UNITS),
    "retrieval_scores": Row(
        lambda w: _scores.retrieval_scores(w.X, w.X, w.labels, w.labels, k=[1, 5])["value"], UNITS
    ),
}
for _name in ("Auto", "Batch", "LBFGS", "MiniBatchSGD", "SGD", "SVRG"):
    _solver = find_class(_name, "closerthan.optimize")
    TABLE[_name] = Row(
        ordinal(solver=_solver(), penalty=None, init="random", loss="ste", max_iter=20), "weights"
    )


@each_row(TABLE)
def test_what_may_change_without_changing_the_result(result, change, tolerance):
    check(result, change, tolerance)


def test_every_public_name_stands_in_the_table():
    faces = [import_module(f"closerthan{package}") for package in PACKAGES]
    public = {name for face in faces for name in face.__all__}
    assert public == {name.partition(":")[0] for name in TABLE} | NO_RESULTS
