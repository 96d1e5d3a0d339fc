"""Draw the stream of triplets and the objects of a trial of online learning."""

from closerthan.datasets.synthetic import make_gaussian
from closerthan_study.tasks.comparisons import draw_comparisons, every_object


def draw(setup, trial):
    """Return the comparisons and the objects of a trial; see `draw_comparisons`."""
    drawn = setup.experiment.points
    data = {"points": draw_points(setup, trial)} if drawn else setup.data
    seeds = setup.seed("comparisons", trial)
    return draw_comparisons(setup.experiment, data, seeds, every_object)


def draw_points(setup, trial):
    """Return the true points of a trial, by `closerthan.datasets.make_gaussian` and the seed."""
    seed = setup.seed_of_experiment("points", trial)
    return make_gaussian(**setup.experiment.points.model_dump(), random_state=seed).points
