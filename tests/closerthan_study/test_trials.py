"""Check that the trials station repeats each trial exactly and records what it drew."""

import json

from toy_study import files_of

COMPARISONS = {"source": "points", "n_train": 200, "n_test": 60, "noise": [0.1, 0.3]}
RETRIEVAL = {
    "source": "labels",
    "n_classes": 4,
    "n_items": 9,
    "n_queries": 5,
    "n_train": 200,
    "n_test": 50,
}
SIMILARITY = {
    "task": "similarity",
    "comparisons": {"source": "labels", "items": 0.7, "validation": 0.3, "n_train": 150},
    "methods": {"euclidean": {"control": "features"}},
}


def record_of(toy):
    """Run the station and read its record."""
    toy.make_trials()
    return json.loads((toy.trials / "drawn.json").read_text())


def test_a_trial_depends_neither_on_the_others_nor_on_the_run(study, classes):
    few = study(classes, comparisons=RETRIEVAL, sizes={"trials": 1})
    first = few.make_trials()
    contents = files_of(few.trials)
    assert set(contents) == {"comparisons.parquet", "objects.parquet", "drawn.json"}
    few.make_trials()
    assert files_of(few.trials) == contents
    many = study(classes, comparisons=RETRIEVAL, tuning_trials=2, sizes={"trials": 5})
    for table, expected in zip(many.make_trials(), first, strict=True):
        assert set(table.trial) == {-2, -1, 0, 1, 2, 3, 4}
        table = table[table.trial == 0].reset_index(drop=True)
        assert table.equals(expected)


def test_the_record_says_how_much_a_trial_is_given(study):
    record = record_of(study(comparisons=COMPARISONS, tuning_trials=1))
    assert record == {
        "trials": 2,
        "noise": [0.1, 0.3],
        "comparisons": {"test": 60, "train": 200},  # per noise level, not in total
        "objects": {"item": 15},
    }


def test_the_record_counts_what_was_drawn_and_not_what_was_asked_for(study, classes):
    asked = {**RETRIEVAL, "n_classes": 18}  # there are five
    record = record_of(study(classes, comparisons=asked))
    assert record["objects"] == {"item": 5 * 9, "query": 5 * 5}
    assert record["comparisons"] == {"test": 50, "train": 200}
    record = record_of(study(classes, **SIMILARITY))
    items = 5 * round(0.7 * 20)
    assert record["objects"] == {"item": 5 * 10, "query": 100 - items, "validation": 5 * 4}
    assert record["comparisons"] == {"train": 150, "tuning": 150}
