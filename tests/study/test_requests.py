"""What jobs ask a cluster for."""

import pytest

from closerthan import datasets
from closerthan_study import requests
from closerthan_study.configuration import Spec
from closerthan_study.requests import fits_request, is_short, scores_request, seconds_of_fits
from closerthan_study.spec.jobs import parts_of


def cells_of(spec):
    """Return every job of the fits station, with what it computes."""
    pairs = [(e, dataset) for e in spec.experiments.values() for dataset in e.datasets + e.fallback]
    return parts_of(spec, pairs, "fits").values()


def test_every_job_of_every_scale_fits_a_modest_node_for_a_day(shipped):
    for spec in shipped.values():
        for cells in cells_of(spec):
            megabytes, minutes = fits_request(spec, cells)
            assert 1000 < megabytes < 16_000 and 10 <= minutes <= 12 * 60, cells


def test_controls_are_short_and_the_longest_fits_are_not(shipped):
    spec = shipped["paper"]
    control = "erkle", "synthetic", "synthetic", "random.0"
    assert seconds_of_fits(spec, [control]) == 0 and is_short(fits_request(spec, [control]))
    for cell in (
        ("erkle", "large", "synthetic", "batch.0"),
        ("svrg_sbb", "synthetic", "synthetic", "all"),
        ("sdca", "bags", "caltech10", "itml.0"),
        ("pattern_search", "simlex", "words", "ltsa.0"),
    ):
        assert not is_short(fits_request(spec, [cell])), cell


def test_a_job_of_many_cells_asks_for_the_time_of_all_and_the_memory_of_one(shipped):
    spec = shipped["paper"]
    cells = [
        ("erkle", "large", "synthetic", "batch.0"),
        ("erkle", "initial-scale", "synthetic", "pa-erkle.1"),
        ("pattern_search", "simlex", "words", "ltsa.0"),
    ]
    (one, _), (two, _), (other, _) = (fits_request(spec, [cell]) for cell in cells)
    megabytes, minutes = fits_request(spec, cells)
    assert megabytes == max(one, two, other)
    seconds = [seconds_of_fits(spec, [cell]) for cell in cells]
    assert minutes == pytest.approx(3 * sum(seconds) / 60, abs=1)


def test_tuning_costs_a_fit_for_every_candidate_and_trial(study):
    def seconds(tune, tuning_trials):
        variants = {"tuned": {"parameters": {"decay": 0.01}, "tune": tune}}
        methods = {"sgd": {"solver": "SGD", "variants": variants}}
        toy = study(methods=methods, tuning_trials=tuning_trials, sizes={"trials": 4})
        return seconds_of_fits(toy.spec, [("papers", "toy", "synthetic", "sgd.0")])

    fit = seconds({}, 1) / 4
    assert seconds({"step_size": [0.1, 1, 10]}, 2) == pytest.approx((4 + 3 * 2) * fit)
    assert seconds({"step_size": [0.1, 1]}, 5) == pytest.approx((4 + 2 * 5) * fit)


def test_more_trials_ask_for_more_time_and_each_attempt_for_twice_as_much(shipped):
    paper = shipped["paper"]
    config = {**paper.config.model_dump(), "jobs": "experiment"}
    whole = Spec(config, paper.root)
    jobs = [("svrg_sbb", "music", "music", name) for name in ("all.0", "all.1")]
    (first, second) = (seconds_of_fits(whole, [job]) for job in jobs)
    assert first > second > 0, "the kernel has fewer trials"
    megabytes, minutes = fits_request(whole, jobs[:1])
    again = fits_request(whole, jobs[:1], attempt=3)
    assert again[0] == pytest.approx(4 * megabytes, abs=4)
    assert again[1] == pytest.approx(4 * minutes, abs=4)


def test_scores_of_a_million_objects_take_longer_and_each_attempt_asks_for_twice_as_much(shipped):
    spec = shipped["paper"]
    few, many = [("svrg_sbb", "eurodist", "eurodist")], [("sdca", "large", "synthetic")]
    small, large = scores_request(spec, few), scores_request(spec, many)
    assert large[0] > 1.5 * small[0] and large[1] > 10 * small[1]
    again = scores_request(spec, few, attempt=3)
    assert again[0] > 3 * small[0] and again[1] > 3 * small[1]
    both = scores_request(spec, few + many)
    assert both[0] == large[0] and both[1] >= large[1]


def test_the_number_of_objects_is_that_of_the_experiment_or_the_data_set(shipped):
    spec = shipped["paper"]
    for words, dataset, expected in (
        (("svrg_sbb", "retrieval"), "landuse21", 18 * 60),
        (("erkle", "large"), "synthetic", 5000),
        (("pattern_search", "shapes"), "swissroll", 3000),
        (("sdca", "large"), "synthetic", 1_000_000),
    ):
        assert requests.objects_of(spec.experiment(*words), dataset) == expected
    eurodist = datasets.load("eurodist").distances
    experiment = spec.experiment("svrg_sbb", "eurodist")
    assert requests.objects_of(experiment, "eurodist") == len(eurodist)
