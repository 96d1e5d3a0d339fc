"""The comparisons station: as many as asked for, apart, with the noise asked for, repeatable."""

import numpy as np
import pytest

from relsim.study.comparisons import read_comparisons

RETRIEVAL = {
    "source": "labels",
    "n_classes": 4,
    "n_items": 9,
    "n_queries": 5,
    "n_train": 200,
    "n_test": 50,
    "noise": [0.1, 0.25],
}


def rows(table):
    return [tuple(row) for row in table[["i", "j", "k"]].to_numpy()]


def part(table, name, **keys):
    for key, value in keys.items():
        table = table[table[key] == value]
    return table[table.part == name]


@pytest.mark.parametrize(
    ("settings", "n_train", "n_test"),
    [
        ({"source": "points", "n_train": 300, "n_test": 100}, 300, 100),
        ({"source": "distances", "n_train": 40}, 40, 12 * 11 * 10 // 2 - 40),
        ({"source": "distances", "n_train": 0.25, "n_test": 30}, 165, 30),
        ({"source": "people", "n_train": 0.8}, 80, 20),
    ],
)
def test_counts_and_no_triplet_in_both_parts(study, settings, n_train, n_test):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(12, 3))
    distances = np.linalg.norm(points[:, None] - points, axis=-1)
    arrays = {"points": points, "distances": distances}
    every = [(i, j, k) for i in range(12) for j in range(12) for k in range(12)]
    every = [t for t in every if len(set(t)) == 3 and distances[t[0], t[1]] < distances[t[0], t[2]]]
    arrays["triplets"] = rng.permutation(every)[:100]
    toy = study(arrays, comparisons=settings)
    comparisons, objects = toy.make_comparisons()
    assert list(objects.object) == list(objects.row) == 2 * list(range(12))
    assert set(objects.part) == {"item"} and set(objects.label) == {-1}
    for trial in range(2):
        train, test = (rows(part(comparisons, name, trial=trial)) for name in ("train", "test"))
        assert (len(train), len(test)) == (n_train, n_test)
        assert len(set(train + test)) == n_train + n_test, "none is there twice"
        assert set(train + test) <= set(every), "all are answered by the distances"
        read = read_comparisons(toy.inputs[1], trial, 0.0)
        assert [list(map(tuple, triplets)) for triplets in read] == [train, test]
    assert rows(part(comparisons, "train", trial=0)) != rows(part(comparisons, "train", trial=1))


def test_noise_swaps_exactly_its_share_of_the_training_part_alone(study):
    settings = {"source": "points", "n_train": 200, "n_test": 60, "noise": [0.0, 0.1, 0.33]}
    toy = study(comparisons=settings)
    comparisons, _ = toy.make_comparisons()
    points = np.load(toy.npz)["points"]

    def wrong(triplets):
        i, j, k = points[triplets.T]
        return int((((i - j) ** 2).sum(1) > ((i - k) ** 2).sum(1)).sum())

    for trial in range(2):
        for noise, swapped in ((0.0, 0), (0.1, 20), (0.33, 66)):
            train, test = read_comparisons(toy.inputs[1], trial, noise)
            assert (len(train), len(test)) == (200, 60)
            assert (wrong(train), wrong(test)) == (swapped, 0)
        tests = [rows(part(comparisons, "test", trial=trial, noise=n)) for n in (0.0, 0.1, 0.33)]
        assert tests[0] == tests[1] == tests[2]


def test_items_and_queries_are_apart_and_balanced(study, classes):
    comparisons, objects = study(classes, comparisons=RETRIEVAL).make_comparisons()
    chosen = []
    for trial, table in objects.groupby("trial"):
        items, queries = (table[table.part == name] for name in ("item", "query"))
        assert table.row.is_unique
        assert (classes["labels"][table.row] == table.label).all()
        assert list(items.object) == list(range(36)) and list(queries.object) == list(range(20))
        assert (items.label.value_counts() == 9).all() and items.label.nunique() == 4
        assert (queries.label.value_counts() == 5).all() and queries.label.nunique() == 4
        label = items.label.to_numpy()
        train = part(comparisons, "test", trial=trial, noise=0.1)
        assert (label[train.i] == label[train.j]).all()
        assert (label[train.i] != label[train.k]).all()
        chosen.append(list(items.row))
    assert chosen[0] != chosen[1]


def test_fewer_classes_than_asked_for_are_all_taken(study, classes):
    _, objects = study(classes, comparisons={**RETRIEVAL, "n_classes": 18}).make_comparisons()
    assert objects.label.nunique() == 5


def test_a_class_with_too_few_objects_is_named(study, classes):
    toy = study(classes, comparisons={**RETRIEVAL, "n_classes": 5, "n_items": 16})
    with pytest.raises(ValueError, match="class 0 has 20 objects; 16 items and 5 queries"):
        toy.make_comparisons()
    assert not toy.inputs[1].exists() and not toy.inputs[2].exists()


def test_a_trial_depends_neither_on_the_others_nor_on_the_run(study, classes):
    few = study(classes, comparisons=RETRIEVAL, trials=1)
    few.make_comparisons()
    contents = [path.read_bytes() for path in few.inputs[1:]]
    few.make_comparisons()
    assert [path.read_bytes() for path in few.inputs[1:]] == contents
    first = [table[table.trial == 0].reset_index(drop=True) for table in few.make_comparisons()]
    many = study(classes, comparisons=RETRIEVAL, trials=5, tuning_trials=2)
    for table, expected in zip(many.make_comparisons(), first, strict=True):
        assert set(table.trial) == {-2, -1, 0, 1, 2, 3, 4}
        table = table[table.trial == 0].reset_index(drop=True)
        assert table.equals(expected)


def test_a_noise_level_depends_not_on_the_others(study):
    settings = {"source": "points", "n_train": 100, "n_test": 10}
    train = []
    for noise in ([0.2], [0.2, 0.4]):
        toy = study(comparisons={**settings, "noise": noise})
        toy.make_comparisons()
        train.append(read_comparisons(toy.inputs[1], 1, 0.2)[0])
    np.testing.assert_array_equal(*train)
