"""What ordinal embedding costs grows with its sizes."""

import pytest

from closerthan_study.tasks.base import runs_of
from closerthan_study.tasks.ordinal import cost


def run_of(spec, experiment, name):
    """Return a way in which a method is run."""
    losses = list(spec.losses(experiment.study))
    return runs_of(experiment, experiment.methods[name], losses)[0]


def test_more_triplets_and_epochs_take_longer_and_kernels_need_eigenvectors(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("svrg_sbb", "synthetic")
    seconds = cost.seconds(experiment, "synthetic", run_of(spec, experiment, "svrg"))
    many = experiment.comparisons.model_copy(update={"n_train": 10**6})
    harder = experiment.model_copy(update={"comparisons": many})
    longer = cost.seconds(harder, "synthetic", run_of(spec, harder, "svrg"))
    assert longer == pytest.approx(100 * seconds)
    kernel = run_of(spec, experiment, "convex")
    assert cost.seconds(experiment, "synthetic", kernel) > 1.1 * seconds


def test_kernels_of_many_objects_need_memory_and_points_do_not(shipped):
    experiment = shipped["paper"].experiment("svrg_sbb", "retrieval")
    assert cost.objects(experiment) == 18 * 60
    matrix = 8e-6 * (18 * 60) ** 2
    assert matrix < cost.megabytes(experiment, "landuse21") < 20 * matrix
    solvers = {name: m for name, m in experiment.methods.items() if not m.model}
    without = experiment.model_copy(update={"methods": solvers})
    assert cost.megabytes(without, "landuse21") == 0


def test_of_a_share_of_comparisons_as_many_as_are_common_are_reckoned_with(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("svrg_sbb", "music")
    assert experiment.comparisons.n_train < 1
    run = run_of(spec, experiment, "sgd")
    assert cost.seconds(experiment, "music", run) > 0.1 * run.method.epochs * 1e-7 * 10_000
