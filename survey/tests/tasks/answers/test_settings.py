"""Check the settings that an experiment on answers accepts and refuses."""

import pytest

from closerthan_study.spec import ConfigError


def model(**parameters):
    return {"model": "OrdinalEmbedding", "variants": {"default": {"parameters": parameters}}}


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (model(penalty="lasso"), "penalty: 'lasso' is not allowed; allowed: ridge, low-rank"),
        (model(strength="much"), "strength: 'much' is neither a number nor prior or auto"),
        (model(n_objects=3), "unknown parameter n_objects"),
        ({"control": "truth"}, "unknown control truth; allowed: random, ceiling"),
    ],
)
def test_wrong_methods_are_refused(survey, method, message):
    with pytest.raises(ConfigError, match=message):
        survey(methods={"wrong": method})


def test_people_must_be_known_to_be_kept_whole(survey):
    with pytest.raises(ConfigError, match=r"by: participant, but those of 'music' are unknown"):
        survey("music", comparisons={"n_train": 0.5, "by": "participant"})
