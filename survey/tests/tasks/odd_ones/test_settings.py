"""Check the settings that an experiment on odd ones out accepts and refuses."""

import pytest

from closerthan_study.spec import ConfigError

DEFAULT = {"variants": {"default": {}}}


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ({"model": "SPoSE", "features": "thing", **DEFAULT}, "unknown data set thing"),
        (
            {"model": "OrdinalEmbedding", "features": "music", **DEFAULT},
            "methods.wrong.features: 'music' holds no features",
        ),
        (
            {"control": "random"},
            "unknown control random; allowed: ceiling, truth, cosine, product",
        ),
        (
            {"model": "SPoSE", "variants": {"default": {"parameters": {"n_jobs": 2}}}},
            "unknown parameter n_jobs",
        ),
    ],
)
def test_wrong_methods_are_refused(odd_ones, method, message):
    with pytest.raises(ConfigError, match=message):
        odd_ones(methods={"wrong": method})


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"test": "drawn"}, "n_train and n_test go with test: drawn"),
        ({"n_train": 5, "n_test": 5}, "n_train and n_test go with test: drawn"),
        ({"test": "persons"}, "unknown data set persons"),
    ],
)
def test_wrong_answers_are_refused(odd_ones, answers, message):
    with pytest.raises(ConfigError, match=message):
        odd_ones(answers)


def test_a_data_set_must_hold_odd_ones_out(odd_ones):
    with pytest.raises(ConfigError, match="'music' holds no odd ones out"):
        odd_ones(dataset="music")
