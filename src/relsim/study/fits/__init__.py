"""The fits station: what each method learns, and its learning curve. A module a kind of learning.

What an experiment `learns` (config/studies) names the kind: points (`ordinal`), a kernel from a
stream of triplets (`streams`), a map of objects (`maps`), or a similarity of features
(`similarities`).
"""

from relsim.study.fits import maps, ordinal, similarities, streams
from relsim.study.fits.common import make_loss

__all__ = ["KINDS", "make_fits", "make_loss"]

KINDS = {"points": ordinal, "stream": streams, "map": maps, "similarity": similarities}


def make_fits(spec, experiment, dataset, method, trials, inputs, outputs):
    """Fit one method for every variant, loss and trial of a shard, as its kind does.

    Parameters
    ----------
    spec : Spec
    experiment : Experiment
    dataset, method : str
    trials : list of int
    inputs : tuple of path-like
        The data set's .npz, the comparisons and the objects.
    outputs : tuple of path-like
        Parquet files: the learning curves, the embeddings (no rows where kernels are learned) and
        the seconds of the curves, apart because they never repeat.
    """
    kind = KINDS[experiment.learns]
    kind.make_fits(spec, experiment, dataset, method, trials, inputs, outputs)
