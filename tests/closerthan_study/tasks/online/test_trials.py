"""Streams: points of each trial's own, and triplets in three parts."""

import numpy as np
import pytest

from closerthan_study.tasks.online.points import draw_points


def test_every_trial_has_points_of_its_own_that_answer_every_question(stream):
    toy = stream()
    points = [draw_points(toy.setup, trial) for trial in (0, 1)]
    assert points[0].shape == (12, 3) and not np.isin(*points).any()
    for trial in (0, 1):
        parts = toy.setup.comparisons(trial, parts=("train", "validation", "test"))
        assert [len(part) for part in parts] == [90, 60, 12 * 11 * 10 // 2 - 150]
        every = np.concatenate(parts)
        assert len(np.unique(every, axis=0)) == len(every)
        i, j, k = points[trial][every.T]
        assert (((i - j) ** 2).sum(1) < ((i - k) ** 2).sum(1)).all()


def test_people_and_sampled_questions_are_split_in_three(stream):
    rng = np.random.default_rng(0)
    triplets = np.array([rng.choice(9, 3, replace=False) for _ in range(100)])
    arrays = {"comparisons": triplets, "features": np.zeros((9, 4))}
    settings = {"source": "people", "n_train": 50, "n_validation": 20}
    toy = stream(arrays=arrays, points=None, comparisons=settings)
    parts = ("train", "validation", "test")
    assert list(map(len, toy.setup.comparisons(0, parts=parts))) == [50, 20, 30]
    assert toy.objects.object.nunique() == 9
    with pytest.raises(ValueError, match=r"n_train=50 and n_validation=50 of 100 .* leave none"):
        stream(arrays=arrays, points=None, comparisons={**settings, "n_validation": 50})
