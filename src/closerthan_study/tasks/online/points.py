"""The true points of experiments in which every trial has its own."""

from closerthan.datasets.synthetic import make_gaussian
from closerthan_study.seeds import seed_sequence


def draw_points(setup, trial):
    """Return the true points of a trial, in an experiment in which every trial has its own.

    They are as the experiment's `points` say, the parameters of
    `closerthan.datasets.make_gaussian`, and come from the seed alone, so no file holds them.
    """
    experiment = setup.experiment
    random_state = seed_sequence(setup.spec.seed, *experiment.words, "points", trial)
    return make_gaussian(**experiment.points.model_dump(), random_state=random_state).points
