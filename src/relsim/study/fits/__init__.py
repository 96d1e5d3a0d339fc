"""The fits station: what each method learns, and its learning curve. A module a kind of learning.

What an experiment `learns` (config/studies) names the kind: points (`ordinal`), a kernel from a
stream of triplets (`streams`), a map of objects (`maps`), or a similarity of features
(`similarities`).
"""

from pathlib import Path

from relsim.study.fits import maps, ordinal, similarities, streams
from relsim.study.fits.common import make_loss

__all__ = ["KINDS", "SUFFIXES", "make_fits", "make_loss"]

KINDS = {"points": ordinal, "stream": streams, "map": maps, "similarity": similarities}
# Learning curves, embeddings (no rows where kernels are learned) and the seconds of the curves,
# apart because they never repeat.
SUFFIXES = ("parquet", "embedding.parquet", "seconds.parquet")


def make_fits(spec, experiment, dataset, parts, inputs, folder):
    """Fit methods for every variant, loss and trial of theirs, as the experiment's kind does.

    Parameters
    ----------
    spec : Spec
    experiment : Experiment
    dataset : str
    parts : dict of str to list of int
        The methods, with the trials of each.
    inputs : tuple of path-like
        The data set's .npz, the comparisons and the objects.
    folder : path-like
        Where the tables of each method go: {method} with every one of `SUFFIXES`.
    """
    kind = KINDS[experiment.learns]
    for method, trials in parts.items():
        outputs = [Path(folder, f"{method}.{suffix}") for suffix in SUFFIXES]
        kind.make_fits(spec, experiment, dataset, method, trials, inputs, outputs)
