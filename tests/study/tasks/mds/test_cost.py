"""What multidimensional scaling costs grows with its sizes."""

import pytest

from closerthan_study.tasks.base import runs_of
from closerthan_study.tasks.mds import cost


def run_of(spec, experiment, name):
    """Return a way in which a method is run."""
    losses = list(spec.losses(experiment.study))
    return runs_of(experiment, experiment.methods[name], losses)[0]


def test_more_objects_take_longer_and_more_memory(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("pattern_search", "shapes")
    many = experiment.objects.model_copy(update={"n_objects": 6000})
    harder = experiment.model_copy(update={"objects": many})
    assert (cost.objects(experiment), cost.objects(harder)) == (3000, 6000)
    megabytes = cost.megabytes(experiment, "swissroll")
    assert cost.megabytes(harder, "swissroll") == pytest.approx(4 * megabytes)
    for name in ("pattern-search", "isomap"):
        run = run_of(spec, experiment, name)
        seconds = cost.seconds(experiment, "swissroll", run)
        assert cost.seconds(harder, "swissroll", run) > 2 * seconds


def test_the_neighbors_of_a_variant_count(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("pattern_search", "mnist")
    of_all, of_hessian = (run_of(spec, experiment, name) for name in ("ltsa", "hessian-lle"))
    few, many = (cost.seconds(experiment, "mnist", run) for run in (of_all, of_hessian))
    assert many > 10 * few, "232 and 30 neighbors"
