"""A fit of every estimator of kernels, similarities and metrics, and a function within each."""

import importlib

import pytest
from sklearn.base import clone

from class_points import PAIRS, SIDES, TARGETS, X, Y
from kernels import plain
from relsim import BatchKernel, OnlineKernel
from relsim.bilinear import OASIS, SDCA
from relsim.comparisons import sample_from_labels
from relsim.mahalanobis import ITML, LEGO, LMNN, RCA

N = 15
STREAM = plain.random_triplets(N, 300, seed=0, noise=0.2)
NAMED = sample_from_labels(Y, 200, random_state=0)
FITS = [
    (BatchKernel(), (STREAM,), "relsim.kernels.batch._gradient"),
    (OnlineKernel(revisits=1, random_state=0), (STREAM,), "relsim.kernels.projection._follow"),
    (OASIS(random_state=0), (X, NAMED), "relsim.bilinear.accumulator.dense_pass"),
    (SDCA(random_state=0), (X, NAMED), "relsim.bilinear.accumulator.dense_pass"),
    (RCA(), (X, Y), "relsim.mahalanobis.rca.eigh"),
    (LMNN(), (X, Y), "relsim.mahalanobis.lmnn._evaluate"),
    (ITML(), (X, PAIRS, SIDES), "relsim.mahalanobis.itml._objectives"),
    (LEGO(), (X, PAIRS, TARGETS), "relsim.mahalanobis.lego.components_of"),
]
every_fit = pytest.mark.parametrize(
    ("model", "data", "inner"), FITS, ids=[type(fit[0]).__name__ for fit in FITS]
)


def learned(model, data):
    """The bytes of what a fit has learned."""
    model = clone(model).fit(*data)
    names = [name for name in ("kernel_", "similarity_", "components_") if hasattr(model, name)]
    return getattr(model, names[0]).tobytes()


def surround(monkeypatch, inner, before=lambda: None, after=lambda: None):
    """Call functions before and after each call of the one within."""
    module, name = inner.rsplit(".", 1)
    function = getattr(importlib.import_module(module), name)

    def surrounded(*args, **kwargs):
        before()
        result = function(*args, **kwargs)
        after()
        return result

    monkeypatch.setattr(inner, surrounded)
