"""Check OnlineKernel: streams in any pieces, revisits, predictions and refusals."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest
from sklearn.exceptions import NotFittedError

from closerthan import BatchKernel, OnlineKernel
from closerthan.kernels.online import STEPS
from kernels import plain
from slow_reference import random_quadruplets

N = 15
STREAM = plain.random_triplets(N, 400, seed=0, noise=0.1)
HELD_OUT = plain.random_triplets(N, 400, seed=1)


def assert_same(one, other):
    """Both kernels and their pasts are equal to the last bit."""
    assert one.kernel_.tobytes() == other.kernel_.tobytes()
    assert one.n_eigenpairs_ == other.n_eigenpairs_
    pd.testing.assert_frame_equal(one.history_, other.history_, check_exact=True)


def random_model(seed, **options):
    rng = np.random.default_rng(seed)
    options = {
        "loss": str(rng.choice(["gnmds", "ste"])),
        "step": str(rng.choice(STEPS)),
        "initial_scale": float(rng.choice([0.0, 0.3, 1.0, 5.0])),
        "gradient": str(rng.choice(["symmetric", "paper"])),
        "bound": str(rng.choice(["objects", "paper"])),
        "revisits": int(rng.choice([0, 1, 3])),
        **options,
    }
    return OnlineKernel(n_objects=N, random_state=seed, **options)


@pytest.mark.parametrize("gradient", ["symmetric", "paper"])
@pytest.mark.parametrize(("scale", "size"), [(0.0, 1.0), (0.3, 1.0), (1.0, 0.2), (5.0, 1.0)])
def test_a_stream_of_passive_aggressive_steps_in_plain_numpy(gradient, scale, size):
    options = {"initial_scale": scale, "gradient": gradient, "margin": 0.5, "step_size": size}
    model = OnlineKernel(**options).fit(STREAM)
    deltas = np.full(len(STREAM), size)
    K, _ = plain.follow(scale * np.eye(N), STREAM, gradient, deltas=deltas, margin=0.5)
    np.testing.assert_allclose(model.kernel_, K, atol=1e-10 * np.linalg.norm(K))
    assert np.linalg.eigvalsh(model.kernel_)[0] >= -1e-10 * np.linalg.norm(K)


@pytest.mark.parametrize(
    ("step", "size"), [("constant", 1.0), ("1/j", 0.5), ("1/sqrt(j)", 2.0), ("constant", 30.0)]
)
def test_a_stream_of_logistic_steps_in_plain_numpy(step, size):
    model = OnlineKernel("ste", step=step, step_size=size, initial_scale=0.3).fit(STREAM)
    j = np.arange(1, len(STREAM) + 1)
    deltas = {"constant": np.full(len(j), size), "1/j": size / j, "1/sqrt(j)": size / np.sqrt(j)}
    K, _ = plain.follow(0.3 * np.eye(N), STREAM, rule="ste", deltas=deltas[step])
    np.testing.assert_allclose(model.kernel_, K, atol=1e-10 * np.linalg.norm(K))


@given(seed=st.integers(0, 10_000), cuts=st.lists(st.integers(1, 149), max_size=6))
def test_it_makes_no_difference_where_a_stream_is_cut_or_saved(seed, cuts):
    whole = random_model(seed).fit(STREAM[:150])
    model = random_model(seed)
    for piece in np.split(STREAM[:150], sorted(set(cuts))):
        model = pickle.loads(pickle.dumps(model.partial_fit(piece)))
    assert_same(model, whole)


def test_a_stream_longer_than_a_piece_one_by_one():
    stream = plain.random_triplets(5, 2100, seed=2, noise=0.3)
    options = {"revisits": 1, "n_objects": 5, "random_state": 3}
    model = OnlineKernel(**options)
    for triplet in stream:
        model.partial_fit([triplet])
    assert_same(model, OnlineKernel(**options).fit(stream))


@pytest.mark.parametrize("scale", [0.0, 0.3, 1.0, 30.0])
@pytest.mark.parametrize("revisits", [0, 2])
def test_objects_may_come_later(scale, revisits):
    late = STREAM[np.argsort(STREAM.max(axis=1), kind="stable")]
    options = {"initial_scale": scale, "revisits": revisits, "random_state": 4}
    model = OnlineKernel(**options)
    sizes = []
    for triplet in late:
        sizes.append(len(model.partial_fit([triplet]).kernel_))
    np.testing.assert_array_equal(sizes, np.maximum.accumulate(late.max(axis=1)) + 1)
    known = OnlineKernel(n_objects=N, **options).fit(late)
    np.testing.assert_allclose(
        model.kernel_, known.kernel_, atol=1e-10 * np.linalg.norm(known.kernel_)
    )


@pytest.mark.parametrize("revisits", [0, 1, 4])
def test_revisits_follow_algorithm_2(revisits):
    beta = revisits + 1
    model = OnlineKernel(
        *("ste",), step="1/j", step_size=3.0, revisits=revisits, n_objects=N, random_state=5
    )
    history = model.fit(STREAM).history_
    rows = iter(history.itertuples())
    for j in range(1, len(STREAM) + 1):
        passes = beta if j > 2 * beta else 1
        for k in range(passes):
            row = next(rows)
            assert row.comparison == j - 1 if k == 0 else row.comparison < j
            # The size is delta_{j + k} times the slope of the loss.
            slope = 1 / (1 + np.exp(row.margin))
            np.testing.assert_allclose(row.step_size / slope, 3.0 / (j + k))
    assert next(rows, None) is None
    assert model.n_updates_ == len(history)
    assert model.n_updates_ == len(STREAM) + revisits * (len(STREAM) - 2 * beta)


def test_revisits_are_uniform_over_what_was_seen():
    model = OnlineKernel(revisits=9, n_objects=N, random_state=6)
    history = model.fit(STREAM).history_
    new = np.r_[history.comparison[:20], np.repeat(np.arange(20, len(STREAM)), 10)]
    place = (np.arange(len(history)) >= 20) & (np.arange(len(history)) % 10 != 0)
    # A triplet's place in 0..j-1, spread evenly over its share of the unit interval.
    spread = np.random.default_rng(0).random(place.sum())
    assert kstest((history.comparison[place] + spread) / (new[place] + 1), "uniform").pvalue > 0.01
    others = OnlineKernel(revisits=9, n_objects=N, random_state=7).fit(STREAM).history_
    assert not history.comparison.equals(others.comparison)


@pytest.mark.parametrize("gradient", ["symmetric", "paper"])
@pytest.mark.parametrize("probability", [0.6, 0.95])
def test_a_probability_is_a_margin(gradient, probability):
    margin = np.log(probability / (1 - probability))
    model = OnlineKernel(
        *("ste",), step="passive-aggressive", margin=margin, gradient=gradient, initial_scale=5.0
    )
    for triplet in STREAM[:20]:
        model.partial_fit([triplet])
        if model.history_.step_size.iloc[-1] > 0:  # no projection at this scale
            np.testing.assert_allclose(model.predict_proba([triplet])[0, 1], probability)
        else:
            assert model.predict_proba([triplet])[0, 1] >= probability - 1e-12


@pytest.mark.parametrize(
    "model", [OnlineKernel("ste", step="constant"), BatchKernel("ste", max_iter=30)]
)
def test_predictions_follow_the_kernel(model):
    K = model.fit(STREAM).kernel_
    margins = np.array([plain.margin_of(triplet, K) for triplet in HELD_OUT])
    np.testing.assert_array_equal(model.predict(HELD_OUT), margins > 0)
    assert model.score(HELD_OUT) == np.mean(margins > 0) > 0.75
    probability = 1 / (1 + np.exp(-margins))
    np.testing.assert_allclose(model.predict_proba(HELD_OUT)[:, 1], probability, rtol=1e-8)
    quadruplets = random_quadruplets(np.random.default_rng(0), N, 100)
    i, j, l, k = quadruplets.T
    squares = np.diag(K)[:, None] - 2 * K + np.diag(K)
    np.testing.assert_array_equal(model.predict(quadruplets), squares[i, j] < squares[l, k])
    assert not hasattr(type(model)("gnmds"), "predict_proba")
    with pytest.raises(ValueError, match=f"id {N}; allowed are 0 to {N - 1}"):
        model.predict([[0, 1, N]])


@given(seed=st.integers(0, 10_000))
@settings(max_examples=15)
def test_fit_forgets(seed):
    model = random_model(seed).fit(HELD_OUT[:50]).fit(STREAM[:50])
    assert_same(model, random_model(seed).fit(STREAM[:50]))
    assert len(OnlineKernel().fit(STREAM).fit([[0, 1, 2]]).kernel_) == 3


@pytest.mark.parametrize("name", ["kernel_", "n_updates_", "n_eigenpairs_", "history_"])
def test_before_any_triplet_there_is_nothing(name):
    model = OnlineKernel("ste")
    with pytest.raises(NotFittedError):
        getattr(model, name)
    with pytest.raises(NotFittedError):
        model.embedding()
    with pytest.raises(NotFittedError):
        model.score([[0, 1, 2]])


BAD = [
    ({}, [[0, 1, 2], [0, 1, N]], f"triplets, row 1: .*id {N}; allowed are 0 to {N - 1}"),
    ({}, [[0, 1, 2], [3, 3, 4]], r"triplets, row 1: \(3, 3, 4\) names object 3 twice"),
    (
        {},
        [[0, 1, 2, 3]],
        r"triplets: shape \(1, 4\).*only triplets.*: quadruplets have no",
    ),
    ({}, [], "triplets: empty"),
    ({"loss": "ckl"}, STREAM, "loss='ckl'; it must be one of gnmds, ste"),
    ({"step": "newton"}, STREAM, "step='newton'; .*passive-aggressive, constant"),
    ({"gradient": ["paper"]}, STREAM, r"gradient=\['paper'\]; .*symmetric, paper"),
    ({"step_size": 0.0}, STREAM, "step_size=0.0; it must be finite and positive"),
    ({"margin": -1.0}, STREAM, "margin=-1.0"),
    ({"initial_scale": -1e-9}, STREAM, "initial_scale=-1e-09; it must be finite and not negative"),
    ({"revisits": -1}, STREAM, "revisits=-1; it must be a whole number from 0"),
]


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize(("parameters", "triplets", "message"), BAD)
def test_what_is_bad_changes_nothing(method, fitted, parameters, triplets, message):
    model = random_model(10, revisits=1)
    if fitted:
        model.fit(STREAM[:60])
    model.set_params(**parameters)
    state = pickle.dumps(model)
    with pytest.raises(ValueError, match=message):
        getattr(model, method)(triplets)
    assert pickle.dumps(model) == state
    assert hasattr(model, "kernel_") == fitted
