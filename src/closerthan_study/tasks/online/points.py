"""Draw the true points of a trial of online learning."""

from closerthan.datasets.synthetic import make_gaussian


def draw_points(setup, trial):
    """Return the true points of a trial, by `closerthan.datasets.make_gaussian` and the seed."""
    seed = setup.seed_of_experiment("points", trial)
    return make_gaussian(**setup.experiment.points.model_dump(), random_state=seed).points
