"""Check that simulated answers agree with their truth exactly as often as stated."""

from itertools import combinations
from math import comb, erf, exp, sqrt

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import expit
from scipy.stats import kstest

from closerthan.comparisons import to_odd_one_out
from closerthan_lab.datasets import list_datasets, load, make_answers
from closerthan_lab.datasets.simulated import SURVEYS

TRIPLETS = sorted(set(SURVEYS) - {"simulated_odd_one_out"})
ODD = "simulated_odd_one_out"


def distances_of(data):
    return cdist(data.points, data.points) if data.distances is None else data.distances


def agree(data):
    """Return whether each triplet agrees with the true distances."""
    i, j, k = data.comparisons.T
    distances = distances_of(data)
    return distances[i, j] < distances[i, k]


def places_of_odd(data):
    """Return the true position of the odd one on each screen; 2 is the answer's position."""
    objects, odd = to_odd_one_out(data.answers)
    np.testing.assert_array_equal(objects[:, 2], odd)
    a, b, o = objects.T
    distances = distances_of(data)
    return np.argmin([distances[b, o], distances[a, o], distances[a, b]], axis=0)


def assert_share(times, n, probability):
    """Allow four standard errors, so that chance fails one right implementation in 16,000."""
    assert abs(times / n - probability) <= 4 * sqrt(probability * (1 - probability) / n)


@pytest.mark.parametrize(
    ("name", "n_objects", "n_components", "n_comparisons"),
    [
        ("simulated", 60, 3, 3600),
        ("simulated_2d", 60, 2, 3600),
        ("simulated_5d", 60, 5, 3600),
        ("simulated_large", 200, 3, 12_000),
        ("simulated_few", 60, 3, 1200),
        ("simulated_many", 60, 3, 18_000),
        ("simulated_exact", 60, 3, 3600),
        ("simulated_noisy", 60, 3, 3600),
        ("simulated_lapses", 60, 3, 3600),
        ("simulated_city", 60, None, 3600),
        ("simulated_odd_one_out", 60, 3, 3600),
    ],
)
def test_the_sizes_of_each_survey(name, n_objects, n_components, n_comparisons):
    data = load(name, random_state=0)
    assert len(data.answers) == n_comparisons
    np.testing.assert_array_equal(np.unique(data.comparisons), np.arange(n_objects))
    assert distances_of(data).shape == (n_objects, n_objects)
    assert (data.points is None) == (data.distances is not None) == (n_components is None)
    if n_components:
        assert data.points.shape == (n_objects, n_components)
    assert len(np.unique(data.answers.question)) == data.answers.n_screens, "none is asked twice"
    assert data.info["n_objects"] == n_objects and data.info["n_people"] is None


def test_a_simulated_survey_is_no_answer_of_people_in_the_table():
    table = list_datasets().loc[list(SURVEYS)]
    assert table[["form", "n_objects", "n_answers", "n_people"]].isna().all(axis=None)
    assert (table.megabytes == 0).all() and table.open_license.all()


def test_the_documentation_names_every_survey():
    assert [name for name in SURVEYS if f"``{name}``" not in make_answers.__doc__] == []


# The truth


def test_the_points_are_standard_normal():
    points = make_answers(n_objects=1000, n_per_object=1, random_state=0).points
    assert kstest(points.ravel(), "norm").pvalue > 0.001
    np.testing.assert_allclose(np.cov(points.T), np.eye(3), atol=4 * sqrt(2 / 1000))


def test_city_block_distances_have_the_mean_of_log_normal_coordinates():
    mean = 5 * 2 * exp(0.5) * erf(0.5)  # Gini's mean difference of exp N(0, 1), for each of five
    distances = [
        load("simulated_city", n_per_object=1, random_state=seed).distances for seed in range(60)
    ]
    for matrix in distances:
        np.testing.assert_array_equal(matrix, matrix.T)
        assert (np.diag(matrix) == 0).all()
    means = np.array([matrix[np.triu_indices(60, 1)].mean() for matrix in distances])
    assert abs(means.mean() - mean) < 4 * means.std(ddof=1) / sqrt(len(means))


# The answers


@pytest.mark.parametrize("name", sorted({*TRIPLETS} - {"simulated_lapses"}))
def test_the_share_of_swapped_triplets_is_exact(name):
    data = load(name, random_state=1)
    swapped = {"simulated_exact": 0.0, "simulated_noisy": 0.25}.get(name, 0.1)
    assert np.count_nonzero(~agree(data)) == round(swapped * len(data.answers))


def test_swaps_do_not_depend_on_the_question():
    data = make_answers("simulated_many", n_objects=100, swapped=0.25, random_state=2)
    i, j, k = data.comparisons.T
    squares = distances_of(data) ** 2
    margin, right = np.abs(squares[i, j] - squares[i, k]), agree(data)
    for part in np.array_split(np.argsort(margin), 10):
        assert_share(right[part].sum(), len(part), 0.75)


@pytest.mark.parametrize("lapse", [0.1, 0.0, 0.6])
def test_answers_by_chance_have_the_probability_of_ste_and_of_lapses(lapse):
    data = load("simulated_lapses", lapse=lapse, n_objects=200, n_per_object=300, random_state=3)
    i, j, k = data.comparisons.T
    squares = distances_of(data) ** 2
    margin, right = np.abs(squares[i, j] - squares[i, k]), agree(data)
    probability = lapse / 2 + (1 - lapse) * expit(margin)
    for part in np.array_split(np.argsort(margin), 20):
        error = sqrt((probability[part] * (1 - probability[part])).sum())
        assert abs(right[part].sum() - probability[part].sum()) <= max(4 * error, 3)


@pytest.mark.parametrize("name", TRIPLETS)
def test_lapses_and_swaps_add_up(name):
    """All answers are lapses, so they are coin tosses in every case."""
    data = load(name, lapse=1.0, random_state=4)
    assert_share(agree(data).sum(), len(data.answers), 0.5)
    if name == "simulated":
        data = load(name, swapped=0.2, lapse=0.3, n_per_object=1000, random_state=4)
        assert_share(agree(data).sum(), len(data.answers), 0.7 * 0.8 + 0.3 * 0.5)


@pytest.mark.parametrize("swapped", [0.0, 0.1, 0.5])
def test_the_odd_one_is_not_of_the_closest_pair_but_where_it_is_swapped(swapped):
    data = load(ODD, swapped=swapped, n_per_object=600, random_state=5)
    times = np.bincount(places_of_odd(data), minlength=3)
    n = data.answers.n_screens
    assert times[:2].sum() == round(swapped * n)
    if swapped:
        assert_share(times[0], times[:2].sum(), 0.5)


def test_the_wrong_odd_one_is_either_of_the_two_others():
    data = load(ODD, swapped=1.0, n_per_object=600, random_state=5)
    objects, place = to_odd_one_out(data.answers)[0], places_of_odd(data)
    spared = objects[np.arange(len(objects)), 1 - place]
    distances, named, odd = (
        distances_of(data),
        objects[:, 2],
        objects[np.arange(len(objects)), place],
    )
    assert_share((named > spared).sum(), len(objects), 0.5)
    assert_share((distances[named, odd] > distances[spared, odd]).sum(), len(objects), 0.5)


def test_a_lapse_names_any_of_the_three():
    data = load(ODD, swapped=0.0, lapse=0.6, n_per_object=600, random_state=6)
    times, n = np.bincount(places_of_odd(data), minlength=3), data.answers.n_screens
    for found, probability in zip(times, (0.2, 0.2, 0.6), strict=True):
        assert_share(found, n, probability)


def test_every_three_objects_may_be_shown_and_as_often():
    most = 2 * comb(7, 3) // 7
    data = load(ODD, n_objects=7, n_per_object=most, random_state=0)
    shown = {tuple(sorted(objects)) for objects in to_odd_one_out(data.answers)[0].tolist()}
    assert shown == set(combinations(range(7), 3))
    n_seeds, times = 150, np.zeros(7)
    for seed in range(n_seeds):
        answers = load(ODD, n_objects=7, n_per_object=1, random_state=seed).answers
        times += np.bincount(to_odd_one_out(answers)[0].ravel(), minlength=7)
    assert times.sum() == 3 * 3 * n_seeds  # three screens with three objects each
    for found in times:
        assert_share(found, 3 * n_seeds, 3 / 7)


# The seed


def test_surveys_of_one_seed_and_size_have_the_same_truth():
    points = make_answers(random_state=0).points
    for name in sorted({*SURVEYS} - {"simulated_2d", "simulated_5d", "simulated_large"}):
        other = load(name, random_state=0).points
        assert other is None or np.array_equal(other, points)


# Sizes that are small, or wrong


@pytest.mark.parametrize("name", SURVEYS)
def test_the_smallest_survey(name):
    data = load(name, n_objects=3, n_components=1, n_per_object=np.int8(1), random_state=0)
    assert data.answers.n_screens == (1 if name == ODD else 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_objects": 2}, "n_objects=2; a question needs at least 3"),
        ({"n_per_object": -1}, "n_per_object=-1; it must be a whole number from 1"),
        ({"swapped": 1.1}, r"swapped=1\.1; it must be a share from 0 to 1"),
        ({"lapse": -0.1}, r"lapse=-0\.1; it must be a share from 0 to 1"),
        ({"lapse": "often"}, "lapse='often'; it must be a share"),
        (
            {"n_objects": 10, "n_per_object": 37},
            "n_per_object=37 takes 370 questions; there are only 360 of 10 objects",
        ),
        (
            {"name": ODD, "n_objects": 10, "n_per_object": 25},
            "n_per_object=25 takes 125 questions; there are only 120 of 10 objects",
        ),
    ],
)
def test_nonsense_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        make_answers(**options)


def test_every_question_may_be_asked():
    assert len(make_answers(n_objects=10, n_per_object=36, random_state=0).answers) == 360
