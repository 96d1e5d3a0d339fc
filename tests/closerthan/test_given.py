"""Check that what is given is what is read, counted and kept; see also `test_containers`."""

import copy
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import pairwise_distances

from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
from closerthan.comparisons import Answers, check_comparisons, from_responses, split
from closerthan.mds import SMACOF, geodesic_distances
from closerthan.scores import (
    average_precision,
    kernel_error,
    mean_average_precision,
    precision_at_k,
    recall_at_k,
    retrieval_scores,
    triplet_error,
)
from closerthan.similarity import OASIS, SDCA

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 3))
T = np.array([RNG.permutation(12)[:3] for _ in range(200)])
TIES = from_responses(T, np.arange(200) % 3 - 1)
LINE = np.array([0.0, 1.0, -1.0, 1000.0])[:, None]


def quick(**options):
    return OrdinalEmbedding(2, loss="ste", max_iter=20, random_state=0, **options)


# --- ties and retrieval ---------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(("share", "error"), [(0.0, 1), (0.9e-9, 1), (1.1e-9, 0.5)])
def test_a_tie_is_a_small_share_of_the_largest_squared_distance(share, error, size):
    points = LINE.copy()
    points[2] = -np.sqrt(1 + share * 1001.0**2)  # the largest distance is that of the last two
    points, both = size * points, [[0, 1, 2], [0, 2, 1]]
    model = quick().fit(T)
    model.embedding_ = points
    kernel = BatchKernel(max_iter=1).fit(T)
    kernel.kernel_ = points @ points.T
    assert triplet_error(points, both) == kernel_error(kernel.kernel_, both) == error
    assert model.score(both) == kernel.score(both) == 1 - error


def test_kernel_error_counts_by_weight():
    kernel, weights = X @ X.T, RNG.random(200)
    wrong = [kernel_error(kernel, [row]) for row in T]
    assert kernel_error(kernel, T, sample_weight=weights) == pytest.approx(
        np.average(wrong, weights=weights)
    )


def test_a_query_can_be_left_out_of_its_ranking():
    labels = RNG.integers(3, size=30)
    distances = pairwise_distances(X)
    rest = [np.delete(row, i) for i, row in enumerate(distances)]
    alike = [np.delete(labels == label, i) for i, label in enumerate(labels)]
    first = [np.take(a, np.argsort(d)[:4]) for a, d in zip(alike, rest, strict=True)]
    ap = [average_precision(-d, a) for d, a in zip(rest, alike, strict=True)]
    recall = [f.sum() / a.sum() for f, a in zip(first, alike, strict=True)]
    np.fill_diagonal(distances, np.nan)  # which does not matter
    given = {"query_labels": labels, "item_labels": labels, "exclude_self": True}
    given |= {"greater_is_better": False}
    assert mean_average_precision(distances, **given) == pytest.approx(np.mean(ap))
    assert precision_at_k(distances, **given, k=4) == pytest.approx(np.mean(first))
    assert recall_at_k(distances, **given, k=4) == pytest.approx(np.mean(recall))
    table = retrieval_scores(X, query_labels=labels, k=4, exclude_self=True)
    np.testing.assert_allclose(table.value, [np.mean(ap), np.mean(first), np.mean(recall)])
    assert table.k.tolist() == [29, 4, 4]
    assert retrieval_scores(X, query_labels=labels, k=1).value[1] == 1
    with pytest.raises(ValueError, match="k=30; it must be a whole number from 1 to 29"):
        precision_at_k(distances, **given, k=30)
    with pytest.raises(ValueError, match="exclude_self=True needs the same query_labels"):
        mean_average_precision(distances, **{**given, "item_labels": 1 - labels})
    with pytest.raises(ValueError, match="exclude_self=True needs them left out"):
        retrieval_scores(X, X, labels, labels, exclude_self=True)


# --- tables, rows, numbers and weights ------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "fine"),
    [
        (["anchor", "near", "far"], True),
        (["a", "b", "c"], True),
        (["near_1", "near_2", "far_1", "far_2"], True),
        ([0, 1, 2, 3], True),
        (["anchor", "near", "far", "participant"], False),
        (["anchor", "near", "far", "age"], False),
        (["near", "anchor", "far"], False),
        (["Near", "far", "participant"], False),
    ],
)
def test_a_table_has_the_columns_of_comparisons(columns, fine):
    table = pd.DataFrame(np.arange(len(columns))[None], columns=columns)
    if fine:
        assert check_comparisons(table).shape == table.shape
    else:
        with pytest.raises(ValueError, match=r"the columns are '\w+', .* to Answers"):
            quick().fit(table)
        assert check_comparisons(table.to_numpy()).shape == table.shape


def test_features_are_those_of_the_fit_in_their_order():
    table = pd.DataFrame(X[:12], columns=list("abc"))
    model = quick().fit(T, features=table)
    assert model.feature_names_in_.tolist() == list("abc")
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(features=table[["c", "b", "a"]])
    assert not hasattr(model.fit(T), "feature_names_in_")
    model = SMACOF(metric="precomputed").fit(pd.DataFrame(pairwise_distances(X)).add_prefix("d"))
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(pd.DataFrame(np.ones((1, 30))).add_prefix("d").iloc[:, ::-1])


def test_rows_may_be_given_as_a_mask():
    mask = np.arange(30) < 3
    expected = geodesic_distances(X, 5)[:3]
    np.testing.assert_allclose(geodesic_distances(X, 5, sources=mask), expected, rtol=1e-12)
    with pytest.raises(ValueError, match="sources, row 1: -1; allowed are the rows 0 to 29"):
        geodesic_distances(X, 5, sources=[0, -1])
    assert Answers(T).take([3, 3]).n_screens == 1


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_ids_that_a_float_may_have_rounded_are_refused(dtype):
    most = 2.0 ** (np.finfo(dtype).nmant + 1)
    good = np.array([[0, 1, most - 1]], dtype)
    assert check_comparisons(good)[0, 2] == most - 1
    with pytest.raises(ValueError, match=r"row 0: .* is not an object id"):
        check_comparisons(good + dtype(1))


@pytest.mark.parametrize("model", [quick(), BatchKernel(), OnlineKernel()])
@pytest.mark.parametrize("n_objects", [5.5, "5", 0, 12.0, True])
def test_a_number_of_objects_is_a_count(model, n_objects):
    with pytest.raises(ValueError, match=r"^n_objects=.*; it must be a whole number"):
        copy.copy(model).set_params(n_objects=n_objects).fit(T)


@pytest.mark.parametrize("model", [quick(tol="1"), BatchKernel(tol="1"), SMACOF(eps="1")])
def test_text_is_no_number(model):
    with pytest.raises(ValueError, match=r"(tol|eps)='1'; it must be"):
        model.fit(X if isinstance(model, SMACOF) else T)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("given", [(OnlineKernel(),), (OASIS(), X), (SDCA(), X)])
def test_weights_that_have_no_effect_are_refused(given, method):
    model, *features = given
    with pytest.raises(ValueError, match=r"^weight: .* give answers\.comparisons"):
        getattr(model, method)(*features, TIES)
    getattr(copy.copy(model), method)(*features, Answers(T, weight=np.full(200, 0.5)))


@pytest.mark.parametrize("model", [BatchKernel(), OnlineKernel(), OnlineKernel().fit(T)])
def test_a_kernel_of_vast_size_is_refused(model):
    fit = getattr(model, "partial_fit", model.fit)
    with pytest.raises(
        ValueError, match=r"row 0, column 2: 100000 is .* number the objects from 0"
    ):
        fit([[0, 1, 10**5]])


def test_metrics_are_read_whole():
    squared = SMACOF(metric_params={"squared": True}).fit(X).dissimilarity_matrix_
    np.testing.assert_allclose(squared, pairwise_distances(X) ** 2, atol=1e-12)
    for metric in ("mahalanobis", "seuclidean"):
        expected = pairwise_distances(X, metric=metric)
        model = SMACOF(metric=metric, random_state=0).fit(X)
        peer = SMACOF(metric="precomputed", random_state=0).fit(expected)
        np.testing.assert_allclose(model.transform(X[:2]), peer.transform(expected[:2]), atol=1e-6)


@pytest.mark.parametrize(
    "metric",
    [
        lambda a, b: float(a @ b),
        lambda a, b: abs(a[0] - 2 * b[0]),
        lambda a, b: 1.0 + abs(a - b)[0],
    ],
)
def test_what_is_no_distance_is_refused(metric):
    with pytest.raises(ValueError, match=r"^metric, row \d+.*(negative|symmetric|from itself)"):
        SMACOF(metric=metric).fit(X)


# --- what is kept, split and counted --------------------------------------------------------------


def test_nobody_shares_an_array_with_the_caller():
    given = {"comparisons": T.copy(), "screen": np.arange(200), "participant": np.arange(200)}
    given |= {"time": np.ones(200), "weight": np.ones(200)}
    answers = Answers(**given)
    for name, array in given.items():
        assert not np.shares_memory(array, getattr(answers, name))
    points = X.copy()
    model = SMACOF(random_state=0).fit(points)
    before = model.transform(X[:2])
    points += 1.0
    np.testing.assert_array_equal(model.transform(X[:2]), before)
    D = pairwise_distances(X)
    assert not np.shares_memory(D, SMACOF(metric="precomputed").fit(D).dissimilarity_matrix_)


@pytest.mark.parametrize(("model", "data"), [(OnlineKernel(), ()), (OASIS(), (X,)), (SDCA(), (X,))])
def test_a_copy_goes_its_own_way(model, data):
    model.partial_fit(*data, T[:100])
    before = model.score(*data, T), model.history_
    copy.copy(model).partial_fit(*data, T[100:])
    assert before[0] == model.score(*data, T) and before[1].equals(model.history_)


def test_repeats_of_a_question_stay_together():
    rows = np.concatenate([T, T[:, [0, 2, 1]]])
    question = Answers(rows).question
    question_of = dict(zip(map(tuple, rows.tolist()), question, strict=True))
    parts = split(rows, 0.5, random_state=0)
    assert sum(map(len, parts)) == len(rows)
    both = [{question_of[tuple(row)] for row in part.tolist()} for part in parts]
    assert not both[0] & both[1]
    once = T[np.unique(Answers(T).question, return_index=True)[1]]
    for one, other in zip(
        split(once, 9, random_state=0), split(once, 9, by="screen", random_state=0), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_the_history_counts_given_comparisons_and_the_bar_ends_at_its_end(monkeypatch, capsys):
    model = quick(solver="l-bfgs", verbose=1).fit(np.tile(T, (20, 1)))
    assert (model.history_["evaluations"] % 4000 == 0).all()
    assert "101%" not in capsys.readouterr().err
    monkeypatch.setattr(sys, "stderr", None)
    OnlineKernel(verbose=1).fit(T)
    SDCA(verbose=1).fit(X, T)
