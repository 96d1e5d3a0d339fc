"""Check the settings that an experiment on answers accepts and refuses."""

import pytest

from closerthan_study.spec import ConfigError

MODEL = {"model": "OrdinalEmbedding"}


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ({**MODEL, "losses": ["stee"], "variants": {"default": {}}}, "unknown loss stee"),
        (
            {"model": "Ordinal", "variants": {"default": {}}},
            "no class 'Ordinal' in closerthan.ordinal, ",
        ),
        (
            {**MODEL, "variants": {"default": {"parameters": {"penalty": "lasso"}}}},
            "parameters.penalty: 'lasso' is not allowed; allowed: ridge, low-rank",
        ),
        (
            {**MODEL, "variants": {"default": {"parameters": {"strength": "much"}}}},
            "strength: 'much' is neither a number nor prior or auto",
        ),
        (
            {**MODEL, "variants": {"default": {"parameters": {"n_objects": 3}}}},
            "unknown parameter n_objects",
        ),
        ({"control": "truth"}, "unknown control truth; allowed: random, ceiling"),
    ],
)
def test_wrong_methods_are_refused(survey, method, message):
    with pytest.raises(ConfigError, match=message):
        survey(methods={"wrong": method})


@pytest.mark.parametrize(
    ("comparisons", "message"),
    [
        ({"n_train": 1.0}, "n_train: 1.0 should be less than"),
        ({"n_train": 0.5, "by": "people"}, "'people' should be 'question', 'screen' or"),
        ({"n_train": 0.5, "most": 0}, "most: 0 should be greater than"),
    ],
)
def test_wrong_parts_are_refused(survey, comparisons, message):
    with pytest.raises(ConfigError, match=message):
        survey(comparisons=comparisons)


def test_people_must_be_known_to_be_kept_whole(survey):
    with pytest.raises(ConfigError, match=r"by: participant, but those of 'music' are unknown"):
        survey("music", comparisons={"n_train": 0.5, "by": "participant"})
