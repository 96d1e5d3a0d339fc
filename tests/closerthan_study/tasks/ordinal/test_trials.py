"""Check a trial of retrieval: items and queries are disjoint and balanced."""

import pytest

from toy_study import pick

RETRIEVAL = {
    "source": "labels",
    "n_classes": 4,
    "n_items": 9,
    "n_queries": 5,
    "n_train": 200,
    "n_test": 50,
    "noise": [0.1, 0.25],
}


def test_items_and_queries_are_apart_and_balanced(study, classes):
    comparisons, objects = study(classes, comparisons=RETRIEVAL).make_trials()
    chosen = []
    for trial, table in objects.groupby("trial"):
        items, queries = (table[table.part == name] for name in ("item", "query"))
        assert table.row.is_unique
        assert (classes["labels"][table.row] == table.label).all()
        assert list(items.object) == list(range(36)) and list(queries.object) == list(range(20))
        assert (items.label.value_counts() == 9).all() and items.label.nunique() == 4
        assert (queries.label.value_counts() == 5).all() and queries.label.nunique() == 4
        label = items.label.to_numpy()
        test = pick(comparisons, part="test", trial=trial, noise=0.1)
        assert (label[test.i] == label[test.j]).all()
        assert (label[test.i] != label[test.k]).all()
        chosen.append(list(items.row))
    assert chosen[0] != chosen[1]


def test_a_class_with_too_few_objects_is_named(study, classes):
    toy = study(classes, comparisons={**RETRIEVAL, "n_classes": 5, "n_items": 16})
    with pytest.raises(ValueError, match="class 0 has 20 objects; 16 items and 5 queries"):
        toy.make_trials()
    assert not toy.trials.exists()
