"""Check every check, sampler and conversion of comparisons by brute force or by hand."""

import itertools
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chi2
from sklearn.metrics import euclidean_distances

from closerthan import comparisons as rc
from closerthan.comparisons import check

TRIPLETS = np.array([[0, 1, 2], [3, 0, 1], [2, 3, 0]])
QUADRUPLETS = np.array([[0, 1, 2, 3], [3, 0, 3, 1], [2, 1, 0, 1]])


def some_points(n_objects=6, seed=0):
    return np.random.default_rng(seed).normal(size=(n_objects, 2))


def brute_force(distances):
    """Return every answered question as a set of tuples, the nearer object first."""
    return {
        (i, j, k)
        for i, j, k in itertools.permutations(range(len(distances)), 3)
        if distances[i][j] < distances[i][k]
    }


def as_set(comparisons):
    return {tuple(row) for row in comparisons.tolist()}


def assert_uniform(rows, outcomes):
    """Run a chi-square test at 1e-4, with a fixed seed for the rows."""
    counts = pd.Series(map(tuple, rows.tolist())).value_counts()
    assert set(counts.index) <= outcomes
    counts = counts.reindex(list(outcomes), fill_value=0)
    expected = len(rows) / len(outcomes)
    assert ((counts - expected) ** 2 / expected).sum() < chi2.ppf(1 - 1e-4, len(outcomes) - 1)


# check_comparisons


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([], "answers: empty; give at least one comparison"),
        (np.empty((0, 3)), "answers: empty"),
        ([0, 1, 2], r"answers: shape \(3,\); expected \(n, 3\) for triplets or \(n, 4\)"),
        ([[0, 1]], r"answers: shape \(1, 2\)"),
        (5, r"answers: shape \(\)"),
        ([[0, 1, 2], [0, 1]], r"answers, row 1: 2 entries, but row 0 has 3"),
        (
            [[0, 1, 2], [0, 1.5, 2]],
            "answers, row 1: 1.5 is not an object id; ids are whole numbers",
        ),
        ([[0, 1, 2], [0, "a", 2]], "answers, row 1, column 1: 'a' is not an object id"),
        ([[0, 1, 2], [0, -1, 2]], r"answers, row 1: \(0, -1, 2\) has the negative id -1"),
        ([[0, 1, 2], [0, 1, 9]], r"answers, row 1: \(0, 1, 9\) has the id 9; allowed are 0 to 8"),
        ([[0, 1, 2], [1, 1, 2]], r"row 1: \(1, 1, 2\) names object 1 twice; the three objects of"),
        ([[0, 1, 2, 3], [1, 1, 2, 3]], r"row 1: \(1, 1, 2, 3\) pairs object 1 with itself"),
        ([[0, 1, 2, 3], [1, 2, 1, 2]], r"row 1: \(1, 2, 1, 2\) compares a pair with itself"),
    ],
)
def test_check_refuses(bad, message):
    n_objects = 9 if isinstance(bad, list) else None
    with pytest.raises(ValueError, match=message):
        rc.check_comparisons(bad, n_objects, source="answers")


@given(arrays(int, (2, 4), elements=st.integers(0, 5)))
def test_check_agrees_with_the_definition(table):
    def valid(row):
        if len(row) == 3:
            return len(set(row)) == 3
        near, far = set(row[:2]), set(row[2:])
        return len(near) == len(far) == 2 and near != far

    for candidate in (table, table[:, :3]):
        wrong = [r for r, row in enumerate(candidate.tolist()) if not valid(row)]
        if wrong:
            with pytest.raises(ValueError, match=f"comparisons, row {wrong[0]}: "):
                rc.check_comparisons(candidate)
        else:
            np.testing.assert_array_equal(rc.check_comparisons(candidate), candidate)


@pytest.mark.parametrize("stored", ["<i4", ">i8", np.uint32, np.uint64, np.int8, float])
@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("dtype", [np.int64, np.uint32, np.int8])
def test_every_stored_form_is_taken_a_block_at_a_time(monkeypatch, stored, order, dtype):
    monkeypatch.setattr(check, "_ROWS", 7)
    rows = np.array([np.random.default_rng(r).permutation(100)[:3] for r in range(50)])
    table = rows.astype(stored, order=order)
    checked = rc.check_comparisons(table, dtype=dtype)
    np.testing.assert_array_equal(checked, rows)
    assert checked.dtype == dtype and checked.flags.c_contiguous
    same_size = table.dtype.kind != "f" and table.dtype.itemsize == np.dtype(dtype).itemsize
    fits = same_size and table.dtype.isnative and order == "C"
    assert np.shares_memory(checked, table) == fits
    for row in (0, 6, 7, 49):
        bad = table.copy(order="K")
        bad[row, 2] = bad[row, 1]
        with pytest.raises(ValueError, match=f"comparisons, row {row}: .* names object"):
            rc.check_comparisons(bad, dtype=dtype)


def test_ids_that_the_type_cannot_hold_are_refused():
    for largest, dtype in ((127, np.int8), (2**32 - 1, np.uint32), (2**63 - 1, np.int64)):
        good = np.array([[0, 1, largest]], dtype=np.uint64)
        assert rc.check_comparisons(good, dtype=dtype).tolist() == good.tolist()
        good[0, 2] += np.uint64(1)
        with pytest.raises(ValueError, match=f"the id {largest + 1}; allowed are 0 to {largest}"):
            rc.check_comparisons(good, dtype=dtype)


# Sampling


@pytest.mark.parametrize("round_to", [None, 0])
def test_all_triplets_are_those_of_brute_force_in_order(round_to):
    distances = euclidean_distances(some_points())
    if round_to is not None:
        distances = distances.round(round_to)  # many ties
    triplets = rc.all_triplets(distances)
    assert len(triplets) == len(as_set(triplets))
    assert as_set(triplets) == brute_force(distances)
    questions = [(i, min(j, k), max(j, k)) for i, j, k in triplets.tolist()]
    assert questions == sorted(questions)


@pytest.mark.parametrize("few_questions", [0, 100_000], ids=["by rejection", "from a list"])
@pytest.mark.parametrize("sampler", ["distances", "points"])
class TestSampling:
    """Draw in both ways from small integer points, which make many ties."""

    @pytest.fixture(autouse=True)
    def _setup(self, monkeypatch, few_questions, sampler):
        monkeypatch.setattr("closerthan.comparisons.sample.FEW_QUESTIONS", few_questions)
        points = np.random.default_rng(3).integers(0, 3, size=(5, 2)).astype(float)
        self.distances = euclidean_distances(points).round(9)
        self.outcomes = brute_force(self.distances)
        assert len(self.outcomes) < 30, "ties exist"
        source = self.distances if sampler == "distances" else points
        function = getattr(rc, f"sample_from_{sampler}")
        self.sample = lambda size, **more: function(source, size, **more)

    def test_is_uniform_with_replacement(self):
        assert_uniform(self.sample(5000, replace=True, random_state=0), self.outcomes)

    def test_is_uniform_without_replacement(self):
        rng = np.random.default_rng(0)
        first = [self.sample(2, random_state=rng) for _ in range(300)]
        assert all(len(as_set(rows)) == 2 for rows in first)
        assert_uniform(np.concatenate(first), self.outcomes)
        assert_uniform(np.array([rows[0] for rows in first]), self.outcomes)

    def test_draws_all_there_are_and_no_more(self):
        everything = self.sample(len(self.outcomes), random_state=0)
        assert as_set(everything) == self.outcomes
        with pytest.raises(ValueError, match=f"there are only {len(self.outcomes)} "):
            self.sample(len(self.outcomes) + 1)


def test_points_are_sampled_without_a_matrix():
    n_objects = 100_000
    points = np.random.default_rng(0).normal(size=(n_objects, 3))
    tracemalloc.start()
    rows = rc.sample_from_points(points, 20_000, random_state=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6  # a matrix of distances would take 80e9 bytes
    quadruplets = rc.to_quadruplets(rc.check_comparisons(rows, n_objects))
    ends = points[quadruplets]
    near, far = np.linalg.norm(ends[:, [0, 2]] - ends[:, [1, 3]], axis=2).T
    assert (near < far).all()
    assert len(as_set(rows)) == 20_000
    assert rows.max() > 0.999 * n_objects


def test_most_of_many_questions_can_be_drawn():
    points = np.random.default_rng(0).integers(0, 2, size=(90, 1))  # half of the questions are ties
    n_questions = 90 * 89 * 88 // 2
    n_answers = len(rc.all_triplets(np.abs(points - points.T)))
    n_comparisons = n_questions // 4 - 1  # too few by one to list all questions
    assert n_comparisons > 0.45 * n_answers
    rows = rc.sample_from_points(points, n_comparisons, random_state=0)
    assert len(as_set(rows)) == n_comparisons


def test_too_many_ties_end_the_search():
    with pytest.raises(ValueError, match="n_comparisons=9000000; there are only 3940200 triplets"):
        rc.sample_from_points(np.ones((200, 1)), 9_000_000)
    with pytest.raises(ValueError, match=r"n_comparisons=5; only 0 of .* random triplets of 200"):
        rc.sample_from_points(np.ones((200, 1)), 5)


def test_labels_give_every_triplet_the_same_probability():
    labels = np.array(["b", "a", "c", "a", "b", "a"])
    outcomes = {
        (i, j, k)
        for i, j, k in itertools.permutations(range(6), 3)
        if labels[i] == labels[j] != labels[k]
    }
    assert_uniform(rc.sample_from_labels(labels, 5000, replace=True, random_state=0), outcomes)
    everything = rc.sample_from_labels(labels, len(outcomes), random_state=0)
    assert as_set(everything) == outcomes
    with pytest.raises(ValueError, match=f"there are only {len(outcomes)} triplets"):
        rc.sample_from_labels(labels, len(outcomes) + 1)


@pytest.mark.parametrize(
    "sample",
    [
        lambda seed: rc.sample_from_labels([0, 0, 1, 1, 1], 9, random_state=seed),
        lambda seed: rc.sample_from_points(some_points(), 9, random_state=seed),
        lambda seed: rc.split(rc.all_triplets(euclidean_distances(some_points())), 9,
                              random_state=seed)[0],
        lambda seed: rc.split(rc.Answers(TRIPLETS[[0, 1, 2] * 9]), 0.5, by="screen",
                              random_state=seed)[0],
        lambda seed: rc.swap_answers(TRIPLETS[[0, 1, 2] * 9], 0.5, random_state=seed)[0],
        lambda seed: rc.bradley_terry_luce(TRIPLETS[[0, 1, 2] * 9], some_points(),
                                           random_state=seed)[0],
    ],
)  # fmt: skip
def test_the_seed_determines_the_result(sample):
    np.testing.assert_array_equal(sample(1), sample(1))
    np.testing.assert_array_equal(sample(1), sample(np.random.default_rng(1)))
    np.testing.assert_array_equal(sample(1), sample(np.random.SeedSequence(1)))
    assert not np.array_equal(sample(1), sample(2))


MATRIX = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rc.all_triplets(MATRIX[:2]), r"distances: shape \(2, 3\)"),
        (lambda: rc.all_triplets(MATRIX - 1), "row 0, column 0: -1.0; .* not negative"),
        (lambda: rc.all_triplets(np.triu(MATRIX)), "row 0, column 1: 1.0; .* symmetric"),
        (lambda: rc.sample_from_distances(MATRIX, 0), "n_comparisons=0"),
        (lambda: rc.sample_from_distances(np.zeros((3, 3)), 1, replace=True), "there are only 0"),
        (lambda: rc.sample_from_points([[1], [2]], 1), "there are only 0 triplets of 2 objects"),
        (lambda: rc.sample_from_labels([[1, 1, 2]], 1), r"labels: shape \(1, 3\)"),
        (lambda: rc.sample_from_labels([1, 1, 1], 1), "labels: 3 objects in 1 classes"),
        (lambda: rc.sample_from_labels([1, 2, 3], 1), "labels: 3 objects in 3 classes"),
        (lambda: rc.split(TRIPLETS, 0), "n_train=0 of 3 .* from 1 to 2"),
        (lambda: rc.split(TRIPLETS, 3), "n_train=3"),
        (lambda: rc.split(TRIPLETS, 1.0), "n_train=1.0"),
        (lambda: rc.split(TRIPLETS, 0.01), "n_train=0.01"),
        (lambda: rc.split(TRIPLETS, True), "n_train=True"),
        (lambda: rc.swap_answers(TRIPLETS, 1.5), "fraction=1.5; it must be from 0 to 1"),
        (lambda: rc.bradley_terry_luce(TRIPLETS, np.ones((3, 1))), "row 1: .* has the id 3"),
        (lambda: rc.bradley_terry_luce(TRIPLETS, np.ones((4, 1)), exponent=0), "exponent=0"),
    ],
)
def test_samplers_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("n_train", "count"), [(1, 1), (13, 13), (0.25, 5), (np.float32(0.5), 10)])
def test_split_puts_every_row_in_one_part(n_train, count):
    rows = rc.all_triplets(euclidean_distances(some_points()))[:20]
    train, test = rc.split(rows, n_train, random_state=0)
    assert len(train) == count
    assert sorted(map(tuple, np.vstack([train, test]).tolist())) == sorted(as_set(rows))


# Noise


@pytest.mark.parametrize(("rows", "order"), [(TRIPLETS, [0, 2, 1]), (QUADRUPLETS, [2, 3, 0, 1])])
@pytest.mark.parametrize("fraction", [0, 0.1, 0.5, 1])
def test_swap_answers_swaps_the_exact_number(rows, order, fraction):
    rows = np.repeat(rows, 7, axis=0)
    noisy, swapped = rc.swap_answers(rows, fraction, random_state=0)
    assert swapped.sum() == round(21 * fraction)
    np.testing.assert_array_equal(noisy[~swapped], rows[~swapped])
    np.testing.assert_array_equal(noisy[swapped], rows[swapped][:, order])


def test_swap_answers_swaps_each_row_equally_often():
    rng = np.random.default_rng(0)
    masks = [rc.swap_answers(np.repeat(TRIPLETS, 2, axis=0), 1 / 6, random_state=rng)[1]
             for _ in range(600)]  # fmt: skip
    assert_uniform(np.argmax(masks, axis=1)[:, None], {(row,) for row in range(6)})


@pytest.mark.parametrize("exponent", [0.5, 1, 2, 10])
@pytest.mark.parametrize("scale", [1e-200, 1, 1e200])
def test_bradley_terry_luce_has_the_stated_probabilities(exponent, scale):
    points = some_points(4)
    distances = euclidean_distances(points)
    size = 4000
    for row in [(0, 1, 2), (0, 2, 1), (0, 1, 2, 3)]:
        i, j, l, k = row if len(row) == 4 else (row[0], row[1], row[0], row[2])
        near, far = distances[i, j] ** exponent, distances[l, k] ** exponent
        _, swapped = rc.bradley_terry_luce(
            np.tile(row, (size, 1)), points * scale, exponent=exponent, random_state=0
        )
        probability = near / (near + far)
        deviation = np.sqrt(probability * (1 - probability) / size)
        assert abs(swapped.mean() - probability) < 4 * deviation + 1e-9


def test_bradley_terry_luce_at_zero_distance():
    points = [[0.0], [0.0], [0.0], [1.0]]
    surely = np.tile([0, 1, 3], (1000, 1))
    assert not rc.bradley_terry_luce(surely, points, random_state=0)[1].any()
    assert rc.bradley_terry_luce(surely[:, [0, 2, 1]], points, random_state=0)[1].all()
    tossed = rc.bradley_terry_luce(np.tile([0, 1, 2], (1000, 1)), points, random_state=0)[1]
    assert abs(tossed.mean() - 0.5) < 4 * np.sqrt(0.25 / 1000)
