"""Draw the true points of a trial of online learning."""

from closerthan.datasets.synthetic import make_gaussian


def draw_points(setup, trial):
    """Return the true points of a trial, drawn anew for each trial.

    The experiment's `points` are the parameters of `closerthan.datasets.make_gaussian`. The seed
    determines the points, so no file stores them.
    """
    seed = setup.seed_of_experiment("points", trial)
    return make_gaussian(**setup.experiment.points.model_dump(), random_state=seed).points
