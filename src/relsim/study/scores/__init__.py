"""The scores station: one tidy row a value, for every method of an experiment.

Columns: study, experiment, dataset, method, variant, loss, batch_size, noise, sweep (the value of
the parameter that a method is run over), trial, epoch (gradient evaluations over the number of
training comparisons), triplets (how many a stream has brought), measure, k and value. A column that
a row has no use for is missing there. What an experiment `learns` (config/studies) says which
module makes the rows: that of points (`ordinal`), of streams of triplets (`streams`), of maps of
objects (`maps`) or of similarities of features (`similarities`).
"""

from relsim.study.scores import maps, ordinal, similarities, streams
from relsim.study.scores.ordinal import Retrieval
from relsim.study.scores.tidy import COLUMNS, MEASURES

__all__ = ["COLUMNS", "KINDS", "MEASURES", "Retrieval", "make_scores"]

KINDS = {"points": ordinal, "stream": streams, "map": maps, "similarity": similarities}


def make_scores(spec, experiment, dataset, data, objects, folder):
    """Score every fit of an experiment on a data set: a Parquet file a method, and the seconds.

    Parameters
    ----------
    spec : Spec
    experiment : Experiment
    dataset : str
    data, objects : path-like
        What the stations before have made.
    folder : path-like
        Where the files go: {method}.parquet, and seconds.parquet, which never repeats.
    """
    KINDS[experiment.learns].make_scores(spec, experiment, dataset, data, objects, folder)
