"""Check that the shipped files load at every scale, and that a scale changes only its own keys."""

from itertools import product

import numpy as np
import pytest

from closerthan_study import tasks
from closerthan_study.configuration import load_spec
from closerthan_study.tasks.losses import build_loss

CONFIG, MA, HEIM = "config.yaml", "studies/svrg_sbb/study.yaml", "studies/erkle/study.yaml"


@pytest.mark.parametrize("scale", ["smoke", "default", "paper"])
def test_the_shipped_files_load_and_every_class_takes_its_parameters(shipped, scale):
    spec = shipped[scale]
    assert {experiment.task for experiment in spec.experiments.values()} == set(tasks.names())
    for (study, name), experiment in spec.experiments.items():
        assert (experiment.study, experiment.name) == (study, name)
        for key, method in experiment.methods.items():
            assert method.name == key
            losses = method.losses_of(list(spec.losses(study)))
            for variant, loss in product(method.variants, losses):
                settings = method.variant(variant).settings(loss)
                for sweep in method.sweeps or [()]:
                    chosen = {**settings, **dict([sweep] if sweep else [])}
                    for name in method.also:  # the task itself takes these
                        chosen.pop(name, None)
                    assert hasattr(method.learner(**chosen), "get_params")
            assert bool(method.variants) != bool(method.control)
            if experiment.task == "online":
                marks = experiment.marks(key)
                assert marks == sorted(set(marks)) and marks[0] > 0
                assert marks[-1] == experiment.comparisons.n_train
            if experiment.task == "ordinal":
                budgets = experiment.budgets(key, "ste")
                assert budgets == sorted(set(budgets)) and budgets[-1] == method.epochs_of("ste")
        for loss in spec.losses(study).values():
            p = getattr(experiment, "n_components", 2)
            assert build_loss(loss, p).get_params() is not None


def test_what_the_command_line_hands_over_as_text_is_read(shipped):
    """`--config data='{strict: true}'` arrives as strings."""
    config = {**shipped["smoke"].config.model_dump(), "studies": ["sdca"]}
    for text, strict in (("true", True), ("True", True), ("false", False)):
        places = {"strict": text, "mirror": "null", "cache": "/data"}
        data = load_spec({**config, "data": places}).config.data
        assert (data.strict, data.mirror, data.cache) == (strict, None, "/data")
    assert load_spec({**config, "words": {"vectors": ""}}).config.words.vectors is None


def test_a_scale_changes_what_a_stream_brings_and_what_is_swept(load):
    sizes = {"trials": 1, "epochs": 4, "checkpoints": 4, "points": {"n_objects": 20}}
    sizes["comparisons"] = {"n_train": 200, "n_validation": 50}
    sizes["methods"] = {
        "pa-erkle": {"sweep": {"revisits": [0, 9]}},
        "batch": {"checkpoints": [50, 200]},
    }
    spec = load(HEIM, "experiments.passes.scales.smoke", sizes)
    experiment = spec.experiment("erkle", "passes")
    expected = {"n_objects": 20, "n_components": 50, "variance": 1}
    assert experiment.points.model_dump() == expected
    assert experiment.comparisons.source == "distances"
    assert (experiment.comparisons.n_train, experiment.comparisons.n_validation) == (200, 50)
    assert experiment.methods["pa-erkle"].sweeps == [("revisits", 0), ("revisits", 9)]
    assert experiment.methods["ste-erkle"].sweeps[-1] == ("revisits", 19)
    assert experiment.marks("pa-erkle") == [50, 100, 150, 200]
    assert experiment.marks("batch") == [50, 200]
    assert list(experiment.tuned_on) == [0], "no more trials than there are"


def test_numbers_stay_as_they_are_written(shipped):
    """Seeds come from the words of a run, and the words 0 and 0.0 differ."""
    experiment = shipped["paper"].experiment("pattern_search", "men")
    assert [type(noise) for noise in experiment.noises] == [int, float, float, float]
    assert np.isnan(experiment.methods["isomap"].batch_sizes_of("paper")).all()


@pytest.mark.parametrize(
    ("stations", "key", "value"),
    [
        ({"trials"}, "comparisons.n_train", 0.7),
        ({"trials", "fits"}, "scales.smoke.trials", 3),
        ({"fits"}, "n_components", 3),
        ({"fits"}, "methods.sgd.variants.paper.parameters.decay", 0.02),
        ({"fits"}, "scales.smoke.epochs", 30),
        ({"scores"}, "target_error", 0.2),
        (set(), "shows", "other"),
        (set(), "methods.sgd.label", "other"),
        (set(), "methods.convex.reason", "other"),
    ],
)
def test_a_setting_belongs_to_the_stations_that_depend_on_it(load, stations, key, value):
    """An edit then makes their results again; words on pages belong to none."""

    def settings(spec):
        experiment = spec.experiment("svrg_sbb", "music")
        return {name: str(experiment.settings_of(name, 0)) for name in ("trials", "fits", "scores")}

    before = settings(load(MA, "labels", {}))
    after = settings(load(MA, f"experiments.music.{key}", value))
    assert {name for name in before if before[name] != after[name]} == stations
