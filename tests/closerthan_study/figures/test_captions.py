"""Check that captions give the numbers of the experiment and of the drawn values."""

from types import SimpleNamespace

import pytest

from closerthan_study.figures import Curve, captions
from toy_page import errors, tidy


def test_trials_name_every_reduction_with_its_reason(toy):
    experiment = toy({}).experiments["points"]
    assert captions.trials(experiment) == "3 trials (batch: 1 trial, because it is slow)"
    assert captions.trials(experiment, epochs=True).startswith("3 trials of 8 epochs (batch: ")
    assert captions.trials(experiment, of=[Curve("svrg")]) == "3 trials"
    assert "batch" in captions.trials(experiment, of=[Curve("batch")])


def test_epochs_of_each_loss_are_given_as_a_range():
    sized = SimpleNamespace(trials=3, epochs={"gnmds": 900, "ste": 3000}, methods={})
    assert captions.trials(sized, epochs=True) == "3 trials of 900 to 3,000 epochs, by loss"


def test_methods_with_the_same_reason_are_named_together():
    slow = {"reason": "they are slow", "trials": 2, "epochs": 4}
    methods = {name: SimpleNamespace(label=name, **slow) for name in ("LLE", "LTSA")}
    methods["refit"] = SimpleNamespace(label="refit", reason="it is long", trials=3, epochs=8)
    experiment = SimpleNamespace(trials=3, epochs=8, methods=methods)
    assert captions.trials(experiment) == (
        "3 trials (LLE, LTSA: 2 trials of 4 epochs, shown with their range, because they are slow; "
        "refit: at fewer places, because it is long)"
    )


@pytest.mark.parametrize(
    ("n", "reach"),
    [
        (6, "are the range of the 6 trials (97 % confidence interval)"),
        (
            10,
            "reach from the 2nd lowest to the 2nd highest of 10 trials (98 % confidence interval)",
        ),
        (
            50,
            "reach from the 18th lowest to the 18th highest of 50 trials "
            "(97 % confidence interval)",
        ),
    ],
)
def test_spread_says_with_which_probability_it_holds_the_median(n, reach):
    said = captions.spread(SimpleNamespace(trials=n), "dots", "lines")
    assert said == f"Dots are medians over trials; lines {reach}"


def test_data_are_described_by_what_was_drawn(toy):
    drawn = {"comparisons": {"train": 60, "test": [35, 40]}}
    page = toy({"points": {"svrg": errors()}, "stream": {}}, drawn)
    training = "60 training triplets, 35 to 40 test triplets"
    assert captions.data(page, "points") == f"15 generated points in 2 dimensions, {training}"
    assert captions.data(page, "stream") == f"9 generated points in 2 dimensions, {training}"


def test_maps_are_described_by_their_objects_alone(toy, monkeypatch):
    page = toy({"maps": {}}, {"objects": {"item": 1000}})
    words = "1,234 generated points, drawn again in each trial; graph of 12 neighbors"
    assert captions.data(page, "maps") == words
    record = {"description": "Vectors.", "n_objects": 400, "shape": {"features": [4000, 3]}}
    monkeypatch.setattr(page, "record", lambda dataset: record)
    assert captions.data(page, "maps") == "roll: Vectors; 1,000 objects are used"


def test_seconds_count_only_where_nothing_ran_beside_them():
    experiments = {"one": SimpleNamespace(timed=True), "two": SimpleNamespace(timed=False)}
    page = SimpleNamespace(experiments=experiments)
    assert "no other job beside it" in captions.timing(page, "one")
    assert captions.timing(page, "two").endswith("other jobs may have run")


def test_people_are_described_by_the_record_of_the_data_set(toy, monkeypatch):
    page = toy({"points": {}}, {"comparisons": {"train": 7272, "test": 1818}})
    record = {"description": "Answers.", "n_objects": 400, "shape": {"comparisons": [9090, 3]}}
    monkeypatch.setattr(page, "record", lambda dataset: record)
    assert captions.data(page, "points") == (
        "synthetic: Answers (400 objects, 9,090 triplets), 7,272 training triplets, "
        "1,818 test triplets"
    )


def test_chosen_parameters_are_counted(toy):
    page = toy({})
    rows = [{"measure": "step_size", "value": value} for value in (1.0, 0.1, 1.0)]
    assert captions.chosen(page, tidy(rows)) == "step size 0.1 (1), 1 (2)"
    page.study.labels["step_size"] = "α"
    assert captions.chosen(page, tidy(rows)) == "α 0.1 (1), 1 (2)"


def test_numbers_are_written_with_what_they_count():
    assert captions.spread(SimpleNamespace(trials=1)) == "Lines show the only trial"
    assert captions.count(1, "trial") == "1 trial"
    assert captions.count(10000, "triplet") == "10,000 triplets"
    assert captions.swapped(0.15) == "15 % of answers swapped"
