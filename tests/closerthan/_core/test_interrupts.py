"""Check Ctrl-C: an estimator stays as it was, or ends its stream between two steps."""

import signal

import numpy as np
import pytest
from sklearn.base import clone

from class_points import X
from closerthan import OnlineKernel, OrdinalEmbedding
from closerthan._core.interrupts import uninterrupted
from closerthan.kernels import projection
from closerthan.similarity import OASIS, SDCA, accumulator
from every_fit import NAMED, STREAM, N, every_fit
from fit_checks import check_interrupted_fit, interrupt
from kernels import plain


@every_fit
@pytest.mark.parametrize("raises", [True, False], ids=["exception", "signal"])
@pytest.mark.parametrize("fitted", [False, True])
def test_an_interrupted_fit_changes_nothing(model, data, inner, raises, fitted, monkeypatch):
    check_interrupted_fit(model, data, inner, raises, fitted, monkeypatch)


@pytest.mark.parametrize("solver", ["auto", "l-bfgs", "batch", "minibatch-sgd", "sgd", "svrg"])
def test_an_interrupt_ends_a_fit_of_every_solver_and_leaves_no_half_of_it(solver):
    def interrupt(points, row):
        raise KeyboardInterrupt

    model = OrdinalEmbedding(solver=solver, callback=interrupt, n_jobs=2, random_state=0)
    with pytest.raises(KeyboardInterrupt):
        model.fit(STREAM)
    assert not [name for name in vars(model) if name.endswith("_")]
    assert not hasattr(model, "history_")


@pytest.mark.parametrize("revisits", [0, 2])
@pytest.mark.parametrize("call", [1, 2, 5, 20])
def test_a_stream_of_comparisons_ends_between_two_steps(revisits, call, monkeypatch):
    options = {"initial_scale": 0.3, "n_objects": N, "random_state": 0, "revisits": revisits}
    model = OnlineKernel(**options).partial_fit(STREAM[:50])
    monkeypatch.setattr(projection, "_ENTRIES", 1)  # a pause after each eigenpair
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        interrupt(patch, "closerthan.kernels.projection._follow", call, raises=False)
        model.partial_fit(STREAM[50:])
    history, n_seen = model.history_, len(model._seen)
    assert 50 <= n_seen < len(STREAM)
    assert history.comparison.max() == n_seen - 1
    K, _ = plain.follow(0.3 * np.eye(N), STREAM[history.comparison])
    np.testing.assert_allclose(model.kernel_, K, atol=1e-10 * np.linalg.norm(K))
    model.partial_fit(STREAM[n_seen:])
    if not revisits:  # an interrupted call loses its draws
        whole = OnlineKernel(**options).fit(STREAM)
        assert model.kernel_.tobytes() == whole.kernel_.tobytes()
        assert model.history_.equals(whole.history_)


@pytest.mark.parametrize("model", [OASIS(), SDCA(), SDCA(project=True)])
def test_a_stream_of_similarities_ends_between_two_steps(model, monkeypatch):
    monkeypatch.setattr(accumulator, "_ENTRIES", 1)  # 32 steps at once
    model, other = clone(model), clone(model)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        interrupt(patch, "closerthan.similarity.accumulator.dense_pass", 3, raises=False)
        model.partial_fit(X, NAMED)
    assert model.n_iter_ == 96 == model.progress_.iterations.iloc[-1]
    other.partial_fit(X, NAMED[:96])
    np.testing.assert_array_equal(model.similarity_, other.similarity_)
    for each in (model, other):
        each.partial_fit(X, NAMED[96:])
    np.testing.assert_array_equal(model.similarity_, other.similarity_)


@pytest.mark.parametrize("model", [OASIS(), SDCA()])
def test_a_stream_that_never_began_leaves_no_similarity(model, monkeypatch):
    model = clone(model)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        interrupt(patch, "closerthan.similarity.accumulator.dense_pass", 1, raises=True)
        model.partial_fit(X, NAMED)
    assert not hasattr(model, "similarity_") and not hasattr(model, "_accumulator")
    assert model.partial_fit(X, NAMED).n_iter_ == len(NAMED)


def test_a_block_is_finished_before_it_is_interrupted():
    done = []
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), uninterrupted() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        assert asked()
        done.append("all")
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is handler
    with uninterrupted() as asked:
        assert not asked()
