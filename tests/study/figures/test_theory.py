"""The theorems' conditions, against finite differences and printed examples."""

import numpy as np
import pytest

from relsim.losses import make_loss
from relsim.study.figures.theory import hessians, largest_batch, smoothness


@pytest.mark.parametrize("name", ["ste", "t-ste", "ckl"])
def test_hessian_agrees_with_differences_of_the_gradient(name):
    loss = make_loss(name)
    rng = np.random.default_rng(0)
    x = rng.normal(size=9)

    def gradient(x):
        i, j, k = x.reshape(3, 3)
        near, far = i - j, i - k
        da, db = (slope[0] for slope in loss.slopes([near @ near], [far @ far], 3))
        return 2 * np.concatenate([da * near + db * far, -da * near, -db * far])

    step = 1e-6 * np.eye(9)
    differences = np.array([(gradient(x + h) - gradient(x - h)) / 2e-6 for h in step])
    (found,) = hessians(loss, x.reshape(3, 3), np.array([[0, 1, 2]]))
    np.testing.assert_allclose(found, differences, atol=1e-6)


def test_smoothness_is_the_largest_of_the_triplets():
    loss = make_loss("ste")
    points = np.random.default_rng(1).normal(size=(6, 2))
    triplets = np.array([[0, 1, 2], [3, 4, 5], [1, 5, 0]])
    each = [smoothness(loss, points, triplets[[row]]) for row in range(3)]
    assert smoothness(loss, points, triplets) == max(each)


def test_the_bound_at_equal_epsilon_and_smoothness_is_the_one_worked_out_in_the_paper():
    # Section 4.1: for epsilon = L and m = 2 (1 + sqrt 5) n the bound is n.
    n = 500
    m = 2 * (1 + np.sqrt(5)) * n
    assert largest_batch(3.0, 3.0, m) == pytest.approx(n)
