"""Fit every estimator of kernels, similarities and metrics; name a function that each fit calls."""

import importlib

import pytest
from sklearn.base import clone

from class_points import PAIRS, SIDES, TARGETS, X, Y
from closerthan import BatchKernel, OnlineKernel
from closerthan.comparisons import sample_from_labels
from closerthan.similarity import ITML, LEGO, LMNN, OASIS, RCA, SDCA
from kernels import plain

N = 15
STREAM = plain.random_triplets(N, 300, seed=0, noise=0.2)
NAMED = sample_from_labels(Y, 200, random_state=0)
FITS = [
    (BatchKernel(), (STREAM,), "closerthan.kernels.batch._mean"),
    (OnlineKernel(revisits=1, random_state=0), (STREAM,), "closerthan.kernels.projection._follow"),
    (OASIS(random_state=0), (X, NAMED), "closerthan.similarity.accumulator.dense_pass"),
    (SDCA(random_state=0), (X, NAMED), "closerthan.similarity.accumulator.dense_pass"),
    (RCA(), (X, Y), "closerthan.similarity.rca.eigh"),
    (LMNN(), (X, Y), "closerthan.similarity.lmnn._evaluate"),
    (ITML(), (X, PAIRS, SIDES), "closerthan.similarity.itml._objectives"),
    (LEGO(), (X, PAIRS, TARGETS), "closerthan.similarity.lego.components_of"),
]
every_fit = pytest.mark.parametrize(
    ("model", "data", "inner"), FITS, ids=[type(fit[0]).__name__ for fit in FITS]
)


def bytes_of(model):
    """Return the learned values of a model as bytes."""
    names = ("kernel_", "similarity_", "components_", "embedding_")
    return next(getattr(model, name) for name in names if hasattr(model, name)).tobytes()


def learned(model, data):
    """Return the learned values of a fit as bytes."""
    return bytes_of(clone(model).fit(*data))


def surround(monkeypatch, inner, before=lambda: None, after=lambda: None):
    """Call functions before and after each call of the inner function."""
    module, name = inner.rsplit(".", 1)
    function = getattr(importlib.import_module(module), name)

    def surrounded(*args, **kwargs):
        before()
        result = function(*args, **kwargs)
        after()
        return result

    monkeypatch.setattr(inner, surrounded)
