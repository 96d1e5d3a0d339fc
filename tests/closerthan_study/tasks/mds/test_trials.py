"""Check a trial of maps: objects, noise, true places."""

import numpy as np
import pandas as pd

from closerthan.datasets.shapes import make_shape
from closerthan_study.reading import coordinates
from closerthan_study.seeds import seed_sequence
from closerthan_study.tasks.mds.trials import features_of, true_map, with_noise
from toy_study import pick


def test_a_shape_is_drawn_anew_in_every_trial_with_its_true_coordinates(of_shape):
    toy = of_shape("clusters", noise=[0.0, 0.3])
    objects = toy.objects
    assert list(objects.groupby("trial").size()) == [150, 150]
    assert set(objects.part) == {"item"} and set(objects.row) == {-1}
    first, second = (pick(objects, trial=trial) for trial in (0, 1))
    drawn = second.p0 >= 0  # the others are at the origin
    assert not np.isclose(coordinates(first)[drawn], coordinates(second)[drawn]).any()
    words = ("papers", "toy", "clusters", "comparisons", 1)
    rng = np.random.default_rng(seed_sequence(7, *words))
    shape = make_shape("clusters", 150, random_state=rng)
    np.testing.assert_array_equal(coordinates(second), shape.points)
    np.testing.assert_array_equal(second.color, shape.color)
    place = coordinates(second, "p")[:, 0]
    assert set(second.label) == {-1, *range(10)}
    np.testing.assert_array_equal(second.label == -1, (place != np.round(place)) | ~drawn)
    assert (second.label[second.label >= 0] == place[second.label >= 0]).all()


def test_words_of_the_pairs_alone_take_part(of_words):
    toy, arrays = of_words()
    objects = pick(toy.objects, trial=0)
    assert list(objects.row) == list(range(30)) and set(objects.label) == {-1}
    np.testing.assert_array_equal(features_of(arrays, objects), arrays["features"][:30])
    few = of_words(12)[0].objects
    assert list(few.groupby("trial").row.nunique()) == [12, 12] and few.row.max() < 30
    assert set(pick(few, trial=0).row) != set(pick(few, trial=1).row)


def test_noise_is_normal_and_at_all_levels_a_multiple_of_the_same(of_shape):
    toy = of_shape()
    clean = np.ones((400, 5))
    args = toy.setup, clean
    half, fifth = (with_noise(*args, noise, 3) - clean for noise in (0.5, 0.2))
    np.testing.assert_allclose(half / 0.5, fifth / 0.2)
    assert abs(half.std() / 0.5 - 1) < 0.05 and abs(half.mean()) < 0.05
    assert not np.isclose(with_noise(*args, 0.5, 4) - clean, half).any()
    np.testing.assert_array_equal(with_noise(*args, 0.0, 3), clean)


def test_the_true_map_of_a_helix_is_a_circle_and_clusters_have_none():
    def drawn(name):
        shape = make_shape(name, 120, random_state=0)
        table = {f"p{axis}": values for axis, values in enumerate(shape.parameters.T)}
        return pd.DataFrame(table), shape.parameters

    helix, angle = drawn("toroid_helix")
    circle = true_map("toroid_helix", helix)
    np.testing.assert_allclose(np.arctan2(*circle.T[::-1]) % (2 * np.pi), angle[:, 0])
    roll, parameters = drawn("swissroll")
    np.testing.assert_array_equal(true_map("swissroll", roll), parameters)
    assert true_map("clusters", drawn("clusters")[0]) is None
    assert true_map("words", pd.DataFrame({"row": [0, 1]})) is None
