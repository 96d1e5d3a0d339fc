"""Check a trial of similarity learning: objects in parts, features, triplets of items."""

import numpy as np
import pytest

from closerthan_study.tasks.similarity.settings import Comparisons
from closerthan_study.tasks.similarity.trials import Collection, draw_retrieval

COMPARISONS = {"source": "labels", "items": 0.7, "validation": 0.3, "n_train": 150}


def test_every_class_is_parted_and_triplets_name_items_alone():
    labels = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [20, 40, 61]))
    settings = Comparisons(**{**COMPARISONS, "validation": 0.2})
    triplets, objects = draw_retrieval(settings, labels, np.random.SeedSequence(1))
    assert sorted(objects.row) == list(range(121)), "each once"
    assert (objects.label.to_numpy() == labels[objects.row]).all()
    sizes = objects.groupby(["part", "label"]).size()
    assert list(sizes["item"]) == [11, 22, 34]
    assert list(sizes["validation"]) == [3, 6, 9] and list(sizes["query"]) == [6, 12, 18]
    items = objects[objects.part != "query"].sort_values("object")
    assert list(items.object) == list(range(85)) and set(items.part[:67]) == {"item"}
    assert list(objects[objects.part == "query"].object) == list(range(36))
    label = items.label.to_numpy()
    for part, n in (("train", 85), ("tuning", 67)):
        i, j, k = triplets.loc[triplets.part == part, ["i", "j", "k"]].to_numpy().T
        assert len(i) == 150 and max(i.max(), j.max(), k.max()) == n - 1
        assert (label[i] == label[j]).all() and (label[i] != label[k]).all() and (i != j).all()


def test_a_share_of_the_queries_is_used():
    labels = np.repeat([0, 1], 100)
    settings = Comparisons(**COMPARISONS, queries=0.1)
    _, objects = draw_retrieval(settings, labels, np.random.SeedSequence(1))
    assert (objects.part == "query").sum() == 6


def test_a_class_that_is_too_small_is_named():
    labels = np.repeat([0, 7], [30, 1])
    with pytest.raises(ValueError, match="class 7: with 1 objects, no validation is left"):
        draw_retrieval(Comparisons(**COMPARISONS), labels, np.random.SeedSequence(1))


def test_objects_are_those_of_their_numbers(similarity, blobs):
    toy = similarity()
    objects = toy.objects
    assert set(objects.trial) == {0, 1}, "none is drawn to tune on: each trial tunes itself"
    for trial in (0, 1):
        found = Collection(toy.setup).of_trial(trial, "item", "validation")
        rows = objects[(objects.trial == trial) & (objects.part != "query")]
        rows = rows.set_index("object").row.loc[range(63)]
        np.testing.assert_array_equal(found.features, blobs["features"][rows])
        np.testing.assert_array_equal(found.labels, blobs["labels"][rows])
    assert set(objects[objects.trial == 0].row[:60]) != set(objects[objects.trial == 1].row[:60])


@pytest.mark.parametrize("how", ["range", "length"])
def test_features_are_normalized_where_the_study_says_so(similarity, how):
    toy = similarity(normalize={"synthetic": how})
    found = Collection(toy.setup).of_trial(0, "item", "validation", "query").features
    assert len(found) == 90
    if how == "range":
        np.testing.assert_allclose([found.min(0), found.max(0)], [[-1] * 4, [1] * 4])
    else:
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)
