"""What similarity learning costs grows with its sizes."""

import pytest

from closerthan_study.tasks.base import runs_of
from closerthan_study.tasks.similarity import cost


def run_of(spec, experiment, name):
    """Return a way in which a method is run."""
    losses = list(spec.losses(experiment.study))
    return runs_of(experiment, experiment.methods[name], losses)[0]


def test_more_triplets_and_features_take_longer(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("sdca", "large")
    run = run_of(spec, experiment, "sdca")
    seconds = cost.seconds(experiment, "synthetic", run)
    fewer = experiment.comparisons.model_copy(update={"n_train": 50_000})
    easier = experiment.model_copy(update={"comparisons": fewer})
    assert seconds == pytest.approx(10 * cost.seconds(easier, "synthetic", run))
    wide = experiment.points.model_copy(update={"n_components": 594})
    harder = experiment.model_copy(update={"points": wide})
    assert cost.seconds(harder, "synthetic", run) == pytest.approx(4 * seconds)
    assert cost.megabytes(harder, "synthetic") > 2 * cost.megabytes(experiment, "synthetic")


def test_only_the_labeled_objects_are_in_memory_at_once(shipped):
    experiment = shipped["paper"].experiment("sdca", "large")
    assert cost.objects(experiment) == 1_000_000
    assert cost.megabytes(experiment, "synthetic") < 8e-6 * 1_000_000 * 297


def test_a_data_set_of_unknown_size_can_be_reckoned_with(study):
    comparisons = {"source": "labels", "items": 0.7, "validation": 0.3, "n_train": 150}
    methods = {"sdca": {"model": "SDCA", "variants": {"default": {}}}}
    toy = study(task="similarity", comparisons=comparisons, methods=methods, dataset="words")
    run = run_of(toy.spec, toy.experiment, "sdca")
    assert cost.seconds(toy.experiment, "words", run) > 0
    assert cost.megabytes(toy.experiment, "words") > 0
