"""What a trial of online learning is given: a stream of triplets, and the objects in it."""

from closerthan_study.seeds import seed_sequence
from closerthan_study.tasks.comparisons import draw_comparisons, every_object
from closerthan_study.tasks.online.points import draw_points


def draw(spec, experiment, dataset, data, trial):
    """Return the comparisons and the objects of a trial; see `draw_comparisons`."""
    if experiment.points:
        data = {"points": draw_points(spec, experiment, trial)}
    words = (experiment.study, experiment.name, dataset, "comparisons", trial)
    return draw_comparisons(experiment, data, seed_sequence(spec.seed, *words), every_object)
