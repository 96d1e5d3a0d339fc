"""Answers of simulated people who weigh the dimensions differently."""

import numpy as np

from closerthan.comparisons import Answers
from closerthan.losses import STE


def simulate(
    seed,
    *,
    n_objects=25,
    n_components=2,
    n_people=30,
    n_answers=300,
    width=0.4,
    scale=0.3,
    logs=0,
    lapses=0,
):
    """Return points, log weights of each person, and triplets by the model of STE.

    `width` and `scale` are standard deviations of the log weights and of the log scale over people.
    `logs` is added to the log weights. `lapses` has the lapse rate of each person, or of all.
    """
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n_objects, n_components))
    drawn = rng.normal(scale=width, size=(n_people, n_components))
    drawn += rng.normal(scale=scale, size=(n_people, 1)) - drawn.mean(axis=1, keepdims=True)
    person = np.repeat(np.arange(n_people), n_answers)
    asked = rng.random((len(person), n_objects)).argsort(axis=1)[:, :3]
    truth = drawn + logs
    i, j, k = points[asked].transpose(1, 0, 2)
    weights = np.exp(truth[person])
    near, far = (weights * (i - j) ** 2).sum(axis=1), (weights * (i - k) ** 2).sum(axis=1)
    rate = np.broadcast_to(lapses, n_people)[person]
    swapped = rng.random(len(asked)) > rate / 2 + (1 - rate) * STE().probability(near, far)
    asked[swapped] = asked[swapped][:, [0, 2, 1]]
    return points, truth, Answers(asked, participant=person)


def centered(logs):
    """Return log weights relative to those of the average person, and their log scales."""
    logs = logs - logs.mean(axis=0)
    scales = logs.mean(axis=1)
    return logs - scales[:, None], scales


def axes_of(points, found):
    """Return for each true axis the number of the most similar found one."""
    n = points.shape[1]
    correlation = np.corrcoef(points.T, found.T)[:n, n:]
    return np.abs(correlation).argmax(axis=1)
