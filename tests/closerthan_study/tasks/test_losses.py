"""Check losses as study files name them, and the error of kernels that minimize one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from closerthan.scores.error import kernel_error, triplet_error
from closerthan_study.spec.study import LossEntry
from closerthan_study.tasks.losses import build_loss


def entry(**content):
    """Return a loss as a study file writes it."""
    return LossEntry.model_validate(content, context={"trusted": False})


@given(st.integers(0, 10**6), st.integers(3, 12), st.integers(1, 4))
def test_a_kernel_is_judged_like_its_points(seed, n, p):
    rng = np.random.default_rng(seed)
    points = rng.integers(-4, 5, size=(n, p)).astype(float)  # with ties, without rounding
    triplets = np.array([rng.choice(n, 3, replace=False) for _ in range(30)])
    assert kernel_error(points @ points.T, triplets) == triplet_error(points, triplets)
    assert kernel_error(np.full((n, n), np.nan), triplets) == 1.0


def test_the_default_of_t_ste_is_settled_by_the_dimension():
    assert build_loss(entry(**{"class": "TSTE"}), 10).alpha == 9.0
    assert build_loss(entry(**{"class": "TSTE", "alpha": 3.0}), 10).alpha == 3.0
    assert build_loss(entry(**{"class": "CKL", "mu": 0.2}), 10).mu == 0.2
