"""The scores station: tidy rows, one for each value, for every method of an experiment."""

from functools import cache

from closerthan_study import tasks
from closerthan_study.tasks import scoring
from closerthan_study.tasks.setup import making

_OF_DATA = {
    "objects": "number of objects of a data set",
    "features": "number of features of a data set",
    "classes": "number of classes of a data set",
}
_SHARED = {  # by several tasks
    "test_error": "share of test comparisons that do not hold, ties included",
    "final_error": "test error at the end of the budget, or of the stream",
    "step_size": "step size of the solver",
    "seconds": "seconds of learning so far, in a file of its own",
    "search_seconds": "seconds of the epochs alone, in a file of its own",
    "epochs": "epochs until the method stopped",
    "epochs_to_error": "epochs until the target error (of a map, 1 % above the least found); "
    "missing where it is not reached",
    "seconds_to_error": "the same in seconds, in a file of its own",
    "stress": "Kruskal's Stress-1, after the best scaling of the map",
    "procrustes": "Procrustes distance to metric MDS of all distances; of a map, to the true one",
    "MAP": "mean average precision over the whole ranking",
}
_OF_TWO = {
    "epochs_to_common_error": "epochs until the error is within 1 % of the larger last error of "
    "two methods; claims compute it from both curves",
}


@cache
def measures():
    """Return all measures with a line of explanation; a function, to import other tasks late."""
    found = _OF_DATA | _SHARED | _OF_TWO
    for task in tasks.names():
        found.update(tasks.module(task, "scores").MEASURES)
    return found


def make_scores(spec, study, experiment, dataset):
    """Score every fit of an experiment on a data set, or on each of a collection."""
    with making("scores", spec, study, experiment, dataset) as places:
        for setup, folder in places:
            scorer = tasks.module(setup.experiment.task, "scores").Scoring(setup)
            scoring.score_fits(scorer, folder)
