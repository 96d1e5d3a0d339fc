"""What online learning costs grows with its sizes."""

import pytest

from closerthan_study.tasks.base import runs_of
from closerthan_study.tasks.online import cost


def runs(spec, experiment, name):
    """Return the ways in which a method is run."""
    losses = list(spec.losses(experiment.study))
    return runs_of(experiment, experiment.methods[name], losses)


def test_a_revisit_costs_as_much_as_a_first_visit(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("erkle", "music")
    alone, revisited = (
        cost.seconds(experiment, "music", run) for run in runs(spec, experiment, "pa-erkle")[:2]
    )
    assert revisited == pytest.approx(10 * alone)


def test_more_objects_take_longer_and_more_memory(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("erkle", "large")
    many = experiment.points.model_copy(update={"n_objects": 10_000})
    harder = experiment.model_copy(update={"points": many})
    assert cost.objects(harder) == 10_000
    assert cost.megabytes(harder, "synthetic") == pytest.approx(
        4 * cost.megabytes(experiment, "synthetic")
    )
    for name in ("pa-erkle", "batch"):
        run = runs(spec, experiment, name)[0]
        assert cost.seconds(harder, "synthetic", run) > 2 * cost.seconds(
            experiment, "synthetic", run
        )


def test_a_batch_kernel_is_fitted_at_every_checkpoint(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("erkle", "music")
    run = runs(spec, experiment, "batch")[0]
    seconds = cost.seconds(experiment, "music", run)
    twice = run.method.model_copy(update={"checkpoints": run.method.checkpoints * 2})
    methods = {**experiment.methods, "batch": twice}
    more = experiment.model_copy(update={"methods": methods})
    assert cost.seconds(more, "music", run) == pytest.approx(2 * seconds)


def test_tuning_fits_a_kernel_once_and_a_stream_wholly(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("erkle", "large")
    one, two = runs(spec, experiment, "batch")
    marks = experiment.marks("batch")
    seconds = cost.seconds(experiment, "synthetic", one)
    assert cost.tuning_seconds(experiment, "synthetic", one) == pytest.approx(seconds / len(marks))
    assert cost.seconds(experiment, "synthetic", two) == pytest.approx(2 * seconds), "two steps"
    (stream,) = runs(spec, experiment, "pa-erkle")
    whole = cost.seconds(experiment, "synthetic", stream)
    assert cost.tuning_seconds(experiment, "synthetic", stream) == whole
