"""Claims are read whole or refused."""

import pytest

from planted import FASTER, PASSES
from relsim.study.spec import ConfigError


@pytest.mark.parametrize(
    ("check", "key", "words"),
    [
        ({**FASTER, "who": "svgr"}, "check.0", "unknown method svgr; allowed: sbb, sgd, random"),
        ({**FASTER, "against": ["adam"]}, "check.0", "unknown method adam"),
        ({**FASTER, "measure": "tets_error"}, "check.0.measure", "unknown measure tets_error"),
        ({**FASTER, "losses": ["tse"]}, "check.0.losses", "unknown loss tse; allowed: ste, gnmds"),
        ({**FASTER, "measure": "recall"}, "check.0.measure", "not measured in toy"),
        (
            {**FASTER, "who": [{"method": "sbb", "by_loss": {"tse": {"batch_size": 5}}}]},
            "check.0.by_loss",
            "unknown loss tse",
        ),
        (
            {**FASTER, "who": [{"method": "sbb", "variant": "tuned"}]},
            "check.0: sbb",
            "unknown variant tuned; allowed: paper",
        ),
        (
            {**FASTER, "who": [{"method": "sbb", "batch_size": 20}]},
            "check.0: sbb",
            "unknown batch size 20; allowed: 1, 5",
        ),
        ({**FASTER, "who": [{"method": "sbb", "sweep": 9}]}, "check.0: sbb", "is swept"),
        (
            {**FASTER, "who": [{"method": "sbb", "loss": "ckl"}]},
            "check.0: sbb",
            "unknown loss ckl; allowed: ste, gnmds",
        ),
        ({**FASTER, "triplets": 500}, "check.0.triplets", "500 is not a list"),
        ({**FASTER, "who": [{"method": "sbb", "noise": 0.2}]}, "check.0: sbb", "unknown noise"),
        ({**FASTER, "faktor": 4}, "check.0", "unknown key faktor"),
        (
            {**FASTER, "by": {"factor": 4, "difference": 1}},
            "check.0.by",
            "either a factor or",
        ),
        ({**FASTER, "direction": "lower"}, "check.0.direction", "allowed: less, greater"),
        (
            {**FASTER, "kind": "compares"},
            "check.0",
            "kind: 'compares' is not allowed; allowed: compare, within, slope",
        ),
        ({**FASTER, "against": {"papers": ["sgd"]}}, "check.0.against", "unknown key papers"),
        ({"kind": "within", "who": "sgd", "measure": "norm"}, "check.0", "at_least"),
        ({"kind": "slope", "who": "sgd", "measure": "norm", "epoch": 3}, "check.0", "epoch"),
    ],
)
def test_a_check_that_cannot_be_is_refused(claim, check, key, words):
    with pytest.raises(ConfigError) as error:
        claim(check)
    (line,) = str(error.value).splitlines()
    file, key_of, message = line.split(": ", 2)
    assert file.endswith("config/studies/papers/claims.yaml")
    assert f"{key_of}: {message}".startswith(f"it.{key}: ") and words in message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"experiment": "toys"}, "it.experiment: unknown experiment toys; allowed: toy, search, "),
        (
            {"data": {"musik": "same"}},
            "unknown data set musik; allowed: synthetic, digits",
        ),
        ({"data": {"synthetic": "alike"}}, "allowed: same, stand-in, partial"),
        ({"statment": "It is."}, "unknown key statment"),
        ({"min_trials": 0}, "it.min_trials"),
    ],
)
def test_a_claim_that_cannot_be_is_refused(claim, changes, words):
    with pytest.raises(ConfigError, match="papers") as error:
        claim(FASTER, **changes)
    assert words in str(error.value)


def test_another_experiment_must_be_known(claim):
    with pytest.raises(ConfigError, match=r"check\.0\.experiment: unknown experiment steam"):
        claim({**FASTER, "experiment": "steam"})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"who": [{"method": "pa", "sweep": 4}]}, "unknown revisits 4; allowed: 0, 9"),
        ({"losses": ["ste"]}, "check.0: pa: unknown loss ste; allowed: gnmds"),
    ],
)
def test_a_contender_of_a_stream_that_was_never_run_is_refused(claim, changes, words):
    with pytest.raises(ConfigError) as error:
        claim({**PASSES, **changes}, experiment="stream")
    assert words in str(error.value)


@pytest.mark.parametrize(("kind", "k"), [("within", 10), ("within", None), ("slope", None)])
def test_a_check_of_recall_is_about_every_k_unless_it_says_one(claim, kind, k):
    check = {"kind": kind, "who": "sbb", "losses": ["ste"], "noise": [0.1], "measure": "recall"}
    check |= {"at_most": 1.0} | ({"k": k} if k else {})
    cases = claim(check, experiment="search", data={"scenes": "same"}).cases
    assert [case.k for case in cases] == ([k] if k else [5, 10])
