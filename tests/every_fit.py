"""Fit every estimator of kernels and similarities; name a function that each fit calls."""

import pytest

from class_points import X, Y
from closerthan import BatchKernel, OnlineKernel
from closerthan.comparisons import sample_from_labels
from closerthan.similarity import OASIS, SDCA
from kernels import plain

N = 15
STREAM = plain.random_triplets(N, 300, seed=0, noise=0.2)
NAMED = sample_from_labels(Y, 200, random_state=0)
FITS = [
    (BatchKernel(), (STREAM,), "closerthan.kernels.batch._mean"),
    (OnlineKernel(revisits=1, random_state=0), (STREAM,), "closerthan.kernels.projection._follow"),
    (OASIS(random_state=0), (X, NAMED), "closerthan.similarity.accumulator.dense_pass"),
    (SDCA(random_state=0), (X, NAMED), "closerthan.similarity.accumulator.dense_pass"),
]
every_fit = pytest.mark.parametrize(
    ("model", "data", "inner"), FITS, ids=[type(fit[0]).__name__ for fit in FITS]
)
