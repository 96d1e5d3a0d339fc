"""Check that fits to parts of the answers are silent about what is usual in a part."""

import warnings

import numpy as np

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_points
from closerthan.ordinal import folding
from closerthan_lab.fit_many import missing_objects_allowed

TRUTH = np.random.default_rng(5).normal(size=(25, 2))
TRIPLETS = sample_from_points(TRUTH, 1500, random_state=0)


def test_a_fold_is_not_looked_for_if_nobody_would_hear_of_it(monkeypatch):
    tried = []
    monkeypatch.setattr(folding, "descend", lambda *args: tried.append(args))
    with missing_objects_allowed():
        OrdinalEmbedding(1, random_state=0).fit(TRIPLETS)
    assert tried == []


def test_nobody_hears_of_missing_objects():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with missing_objects_allowed():
            OrdinalEmbedding(n_objects=26, max_iter=2, random_state=0).fit(TRIPLETS)
