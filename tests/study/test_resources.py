"""What jobs ask a cluster for."""

from dataclasses import replace

import pytest
import yaml

from relsim import datasets
from relsim.study import resources
from relsim.study.config import ROOT
from relsim.study.resources import fits_request, is_short, scores_request
from relsim.study.spec import load_spec

STUDIES = ["svrg_sbb", "erkle", "sdca", "pattern_search"]


@pytest.fixture(scope="module")
def specs():
    """Every study, at each scale."""
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    scales = ("smoke", "default", "paper")
    return {scale: load_spec({**config, "scale": scale, "studies": STUDIES}) for scale in scales}


def requests(spec):
    """Return what each job of the fits station asks for, by its words."""
    return {
        (*words, dataset, job): fits_request(experiment, dataset, parts)
        for words, experiment in spec.experiments.items()
        for dataset in experiment.datasets
        for job, parts in spec.jobs(experiment).items()
    }


def test_every_job_of_every_scale_fits_a_modest_node_for_a_day(specs):
    for spec in specs.values():
        for words, (megabytes, minutes) in requests(spec).items():
            assert 1000 < megabytes < 16_000 and 10 <= minutes <= 12 * 60, words


def test_controls_are_short_and_the_longest_fits_are_not(specs):
    asked = requests(specs["paper"])
    assert is_short(asked["erkle", "synthetic", "synthetic", "random.0"])
    for words in (
        ("erkle", "large", "synthetic", "batch.0"),
        ("svrg_sbb", "synthetic", "synthetic", "svrg-sbb.0"),
        ("sdca", "bags", "caltech10", "itml.0"),
        ("pattern_search", "simlex", "words", "ltsa.0"),
    ):
        assert not is_short(asked[words])


@pytest.mark.parametrize(
    ("words", "method"),
    [
        (("svrg_sbb", "synthetic"), "svrg"),
        (("erkle", "music"), "pa-erkle"),
        (("sdca", "bags"), "sdca"),
        (("pattern_search", "shapes"), "smacof"),
    ],
)
def test_more_of_anything_asks_for_more(specs, words, method):
    experiment = specs["paper"].experiments[words]
    dataset = experiment.datasets[0]
    parts = {method: list(range(400))}
    megabytes, minutes = fits_request(experiment, dataset, parts)
    twice = fits_request(experiment, dataset, {method: list(range(800))})
    assert twice[0] == megabytes and 1.5 * minutes < twice[1] <= 2 * minutes
    assert fits_request(experiment, dataset, parts, attempt=2) >= (
        2 * megabytes - 1,
        2 * minutes - 1,
    )
    larger = {"n_objects": 5000} | ({"n_train": 10**6} if words[0] != "pattern_search" else {})
    points = experiment.points and experiment.points | {"n_components": 500}
    harder = replace(experiment, comparisons=experiment.comparisons | larger, points=points)
    assert fits_request(harder, dataset, parts)[1] > 2 * minutes


def test_scores_of_a_million_objects_take_longer_and_each_attempt_asks_for_twice_as_much(specs):
    spec = specs["paper"]
    few = scores_request(spec.experiment("svrg_sbb", "eurodist"), "eurodist")
    many = scores_request(spec.experiment("sdca", "large"), "synthetic")
    assert many[0] > 1.5 * few[0] and many[1] > 10 * few[1]
    again = scores_request(spec.experiment("svrg_sbb", "eurodist"), "eurodist", attempt=3)
    assert again[0] > 3 * few[0] and again[1] > 3 * few[1]


@pytest.mark.parametrize("name", ["eurodist", "synthetic"])
def test_the_sizes_of_data_sets_are_right(name):
    arrays = datasets.load(name).arrays()
    (array,) = (array for key, array in arrays.items() if key in ("points", "distances"))
    assert resources._OBJECTS[name] == len(array)
