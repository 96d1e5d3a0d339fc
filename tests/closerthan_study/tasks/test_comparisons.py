"""Check that comparisons have the wanted number and noise, in separate parts."""

import numpy as np
import pytest

from toy_study import pick


def rows(table):
    return [tuple(row) for row in table[["i", "j", "k"]].to_numpy()]


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
    arrays["comparisons"] = rng.permutation(every)[:100]
    toy = study(arrays, comparisons=settings)
    comparisons, objects = toy.make_trials()
    assert list(objects.object) == list(objects.row) == 2 * list(range(12))
    assert set(objects.part) == {"item"} and set(objects.label) == {-1}
    for trial in range(2):
        train, test = (
            rows(pick(comparisons, trial=trial, part=part)) for part in ("train", "test")
        )
        assert (len(train), len(test)) == (n_train, n_test)
        assert len(set(train + test)) == n_train + n_test, "none is there twice"
        assert set(train + test) <= set(every), "all are answered by the distances"
        read = toy.setup.comparisons(trial)
        assert [list(map(tuple, triplets)) for triplets in read] == [train, test]
        assert {triplets.dtype for triplets in read} == {np.dtype(np.int64)}
    first, second = (rows(pick(comparisons, trial=trial, part="train")) for trial in (0, 1))
    assert first != second


def test_noise_swaps_exactly_its_share_of_the_training_part_alone(study):
    settings = {"source": "points", "n_train": 200, "n_test": 60, "noise": [0.0, 0.1, 0.33]}
    toy = study(comparisons=settings)
    comparisons, _ = toy.make_trials()
    points = np.load(toy.npz)["points"]

    def wrong(triplets):
        i, j, k = points[triplets.T]
        return int((((i - j) ** 2).sum(1) > ((i - k) ** 2).sum(1)).sum())

    for trial in range(2):
        for noise, swapped in ((0.0, 0), (0.1, 20), (0.33, 66)):
            train, test = toy.setup.comparisons(trial, noise)
            assert (len(train), len(test)) == (200, 60)
            assert (wrong(train), wrong(test)) == (swapped, 0)
        keys = {"trial": trial, "part": "test"}
        tests = [rows(pick(comparisons, noise=noise, **keys)) for noise in (0.0, 0.1, 0.33)]
        assert tests[0] == tests[1] == tests[2]


def test_a_noise_level_depends_not_on_the_others(study):
    settings = {"source": "points", "n_train": 100, "n_test": 10}
    train = []
    for noise in ([0.2], [0.2, 0.4]):
        toy = study(comparisons={**settings, "noise": noise})
        toy.make_trials()
        train.append(toy.setup.comparisons(1, 0.2)[0])
    np.testing.assert_array_equal(*train)


def test_a_training_part_that_leaves_nothing_to_test_on_is_refused(study):
    triplets = np.array([[0, 1, 2]] * 50)
    settings = {"source": "people", "n_train": 50}
    toy = study({"comparisons": triplets, "labels": np.zeros(3)}, comparisons=settings)
    with pytest.raises(ValueError, match=r"n_train=50 of 50 screens"):
        toy.make_trials()
    assert not toy.trials.exists()
