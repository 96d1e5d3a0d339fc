"""Check the counts of objects in questions, and their connections, against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan import comparisons as rc
from closerthan_lab.quality.coverage import answers_by_object


def random_answers(seed, kind):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    if kind == "quadruplets":
        rows = np.array([[0, 1, *rng.permutation(np.arange(1, 12))[:2]] for _ in range(n)])
        rows[rows[:, 2] == 0, 2] = 11
        return rc.Answers(rows, weight=rng.random(n))
    anchors = rng.integers(3, size=n)
    others = np.array([3 + rng.permutation(12)[:4] for _ in range(n)])
    others[rng.random(n) < 0.5, 3] = -1
    return rc.from_rankings(anchors, others)


@pytest.mark.parametrize("kind", ["rankings", "quadruplets"])
@given(seed=st.integers(0, 2**32 - 1))
def test_screens_and_bits_of_objects(kind, seed):
    answers = random_answers(seed, kind)
    n_answers, bits = answers_by_object(answers, 16)
    n_asked = np.bincount(answers.question)[answers.question]
    share = answers.sample_weight / n_asked[answers.screen]
    for obj in range(16):
        rows = (answers.comparisons == obj).any(axis=1)
        assert n_answers[obj] == len(np.unique(answers.screen[rows]))
        np.testing.assert_allclose(bits[obj], share[rows].sum(), rtol=1e-6)


def test_a_repeat_is_no_news():
    once, again = ([[0, 1, 2]] * n for n in (1, 5))
    votes = rc.from_responses([[0, 1, 2]] * 10, [1] * 9 + [-1])
    for answers in (once, again, [*again, [0, 2, 1]], votes):
        assert answers_by_object(answers, 3)[1].tolist() == pytest.approx([1, 1, 1])
