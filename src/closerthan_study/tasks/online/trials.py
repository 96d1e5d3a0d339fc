"""Draw the stream of triplets and the objects of a trial of online learning."""

from closerthan_study.tasks.comparisons import draw_comparisons, every_object
from closerthan_study.tasks.online.points import draw_points


def draw(setup, trial):
    """Return the comparisons and the objects of a trial; see `draw_comparisons`."""
    drawn = setup.experiment.points
    data = {"points": draw_points(setup, trial)} if drawn else setup.data
    seeds = setup.seed("comparisons", trial)
    return draw_comparisons(setup.experiment, data, seeds, every_object)
