"""Show a type checker the main calls; mypy reads this file in `make lint`, and nothing runs it."""

from typing import assert_type

import numpy as np

import closerthan
from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
from closerthan.comparisons import Answers, sample_from_points, split
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.loader import load
from closerthan.datasets.music import load_music
from closerthan.mds import SMACOF
from closerthan.similarity import SDCA
from closerthan_study.baselines import ITML, LMNN


def use() -> None:
    triplets = sample_from_points(np.eye(3), 12, random_state=0)
    assert_type(triplets, np.ndarray)
    assert_type(closerthan.__version__, str)

    model = assert_type(OrdinalEmbedding(loss="ste").fit(triplets), OrdinalEmbedding)
    assert_type(model.predict(triplets), np.ndarray)
    assert_type(model.score(Answers(triplets), sample_weight=[1.0]), float)
    assert_type(model.fit_transform(triplets), np.ndarray)
    assert_type(BatchKernel().fit(triplets), BatchKernel)
    assert_type(OnlineKernel().partial_fit(triplets).kernel_, np.ndarray)

    assert_type(SDCA(project=True).fit(np.eye(3), triplets), SDCA)
    assert_type(LMNN().fit(np.eye(3), [0, 1, 0]), LMNN)
    assert_type(ITML().fit_transform(np.eye(3), [[0, 1]], [1]), np.ndarray)
    assert_type(SMACOF().fit_transform(np.eye(3)), np.ndarray)

    assert_type(split(triplets, 0.8)[0], np.ndarray)
    assert_type(split(Answers(triplets), 0.8)[0], Answers)

    assert_type(load_music(), Dataset)
    assert_type(load("music"), Dataset)

    # The checker must reject these calls.
    model.fit(triplets=triplets)  # type: ignore[call-arg]
    closerthan.OrdinalEmbeding()  # type: ignore[operator]
