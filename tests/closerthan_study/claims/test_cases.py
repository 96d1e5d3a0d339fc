"""Claims are read whole or refused."""

import pytest

from closerthan_study.spec import ConfigError
from planted import FASTER, PASSES, by


@pytest.mark.parametrize(
    ("part", "key", "words"),
    [
        ({**FASTER, "who": "svgr"}, "parts.0", "unknown method svgr; allowed: sbb, sgd, random"),
        ({**FASTER, "measure": "tets_error"}, "parts.0.measure", "unknown measure tets_error"),
        ({**FASTER, "losses": ["tse"]}, "parts.0.losses", "unknown loss tse; allowed: ste, gnmds"),
        ({**FASTER, "measure": "recall"}, "parts.0.measure", "not measured in toy"),
        (
            {**FASTER, "who": [{"method": "sbb", "batch_size": {"tse": 5}}]},
            "parts.0: sbb.batch_size",
            "unknown loss tse",
        ),
        (
            {**FASTER, "who": [{"method": "sbb", "variant": "tuned"}]},
            "parts.0: sbb",
            "unknown variant tuned; allowed: paper",
        ),
        (
            {**FASTER, "who": [{"method": "sbb", "batch_size": 20}]},
            "parts.0: sbb",
            "unknown batch size 20; allowed: 1, 5",
        ),
        ({**FASTER, "who": [{"method": "sbb", "sweep": 9}]}, "parts.0: sbb", "sweeps no"),
        (
            {**FASTER, "who": [{"method": "sbb", "loss": "ckl"}]},
            "parts.0: sbb",
            "unknown loss ckl; allowed: ste, gnmds",
        ),
        ({**FASTER, "who": [{"method": "sbb", "noise": 0.2}]}, "parts.0: sbb", "unknown noise"),
        ({**FASTER, "by": {"factor": 4}}, "parts.0", "threshold_by goes with by"),
        ({**FASTER, "unit": "words"}, "parts.0.unit", "'words' should be 'trials', 'pairs' or"),
        (
            {**FASTER, "premises": [{"measure": "norm", "why": "of a premise"}]},
            "parts.0.premises.0",
            "at_least or at_most is missing",
        ),
        (
            {**FASTER, **by(factor=4, difference=1)},
            "parts.0.by",
            "either a factor or",
        ),
        (
            {**FASTER, "kind": "compares"},
            "parts.0",
            "kind: unknown kind compares; allowed: compare, within, slope, untestable",
        ),
        ({**FASTER, "against": {"papers": ["sgd"]}}, "parts.0.against", "unknown key papers"),
    ],
)
def test_a_part_that_cannot_be_is_refused(claim, part, key, words):
    with pytest.raises(ConfigError) as error:
        claim(part)
    (line,) = str(error.value).splitlines()
    file, key_of, message = line.split(": ", 2)
    assert file.endswith("config/studies/papers/claims.yaml")
    assert f"{key_of}: {message}".startswith(f"it.{key}: ") and words in message


STREAM = {"experiment": "stream"}


@pytest.mark.parametrize(
    ("part", "changes", "said"),
    [
        (FASTER, {"experiment": "toys"}, "it.experiment: unknown experiment toys; allowed: toy, "),
        (FASTER, {"data": {"musik": "same"}}, "unknown data set musik; allowed: synthetic, digits"),
        ({**FASTER, "experiment": "steam"}, {}, "parts.0.experiment: unknown experiment steam"),
        ({**PASSES, "who": [{"method": "pa", "sweep": 4}]}, STREAM, "revisits 4; allowed: 0, 9"),
        ({**PASSES, "losses": ["ste"]}, STREAM, "parts.0: pa: unknown loss ste; allowed: gnmds"),
    ],
)
def test_a_claim_that_cannot_be_is_refused(claim, part, changes, said):
    with pytest.raises(ConfigError, match="papers") as error:
        claim(part, **changes)
    assert said in str(error.value)


def test_a_part_is_about_the_losses_that_all_its_methods_have(claim):
    part = {key: value for key, value in PASSES.items() if key != "losses"}
    assert {case.loss for case in claim(part, **STREAM).cases} == {"gnmds"}
    assert {case.loss for case in claim(FASTER).cases} == {"ste", "gnmds"}


SHARED = {
    "experiment": "toy",
    "experiments": {"toy": {"settings": "code", "data": {"synthetic": "same"}}},
    "measures": {"final_error": {"direction": "less", "smallest": {"factor": 1.01}}},
    "threshold_by": "printed",
}
SHORT = {"statement": "It is so.", "where": "Fig. 1", "artefact": "figures/papers/a"}


def test_a_claim_and_its_parts_have_the_defaults_unless_they_say_otherwise(read, spec):
    better = {"part": "better", "who": "sbb", "against": "sgd", "measure": "final_error"}
    parts = [
        better,
        better | {"direction": "greater", "by": {"factor": 2}},
        {"part": "low", "who": "sbb", "measure": "norm", "at_most": 1},
        {"part": "high", "who": "sbb", "measure": "norm", "at_least": 1}
        | {"threshold_by": "ours, 2026-11-20"},
        {"part": "unclear", "void": "the paper does not say"},
    ]
    entry = read(spec, {**SHORT, "settings": "ours", "parts": parts}, **SHARED).entry
    assert (entry.experiment, entry.settings, entry.data) == ("toy", "ours", {"synthetic": "same"})
    less, by_two, low, high, unclear = entry.parts
    assert (less.kind, less.direction, less.smallest.factor) == ("compare", "less", 1.01)
    assert (by_two.direction, by_two.smallest, by_two.threshold_by) == ("greater", None, "printed")
    assert (low.kind, low.threshold_by) == ("within", "printed")
    assert (high.threshold_by, unclear.kind) == ("ours, 2026-11-20", "untestable")


def test_a_default_that_cannot_be_is_refused(read, spec):
    wrong = {"measures": {"norm": {"direction": "lower"}}}
    said = "papers.*defaults.measures.norm.direction: 'lower' should be 'less' or 'greater'"
    with pytest.raises(ConfigError, match=said):
        read(spec, {**SHORT, "parts": None}, **SHARED | wrong)


def test_a_setting_with_several_values_stands_for_a_contender_with_each(claim):
    sides = [{"method": "sbb", "batch_size": [1, 5]}, "sgd"]
    (part,) = claim({**FASTER, "who": sides}).parts
    assert [(side.method, side.batch_size) for side in part.who.paper] == [
        ("sbb", 1),
        ("sbb", 5),
        ("sgd", None),
    ]
