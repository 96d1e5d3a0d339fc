"""Draw the true points of a trial of online learning."""

from closerthan.datasets.synthetic import make_gaussian
from closerthan_study.seeds import seed_sequence


def draw_points(setup, trial):
    """Return the true points of a trial, drawn anew for each trial.

    The experiment's `points` are the parameters of `closerthan.datasets.make_gaussian`. The seed
    determines the points, so no file stores them.
    """
    experiment = setup.experiment
    random_state = seed_sequence(setup.spec.seed, *experiment.words, "points", trial)
    return make_gaussian(**experiment.points.model_dump(), random_state=random_state).points
