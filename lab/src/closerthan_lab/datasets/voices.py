"""Voices: people's answers on the odd one out of three speakers of English."""

from io import BytesIO

import numpy as np
import pandas as pd

from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader


def load_voices(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 36,480 answers to "which of these three speakers is the odd one out?".

    60 listeners heard 160 speakers of English, 20 from each of eight groups by first language. Each
    listener gave 304 answers in each of two sessions. Nearly all questions were asked once.

    The data set has ``answers``, two triplets per screen, with participant; ``object_names``, shape
    (160,): the group and a number within it, such as "polish 3".

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    Modeling individual mental representations underlying similarity judgments, 2025,
    https://doi.org/10.31234/osf.io/agpb5_v1.
    """
    read = reader("voices", mirror, cache, offline)
    speakers = parse_speakers(read("triplets3ab_speakers.csv"))
    rows = pd.read_csv(BytesIO(read("triplets3ab_triplets.csv")))
    shown = rows[["stim_0", "stim_1", "stim_2"]].to_numpy()
    objects = speakers.index.get_indexer(shown.ravel()).reshape(shown.shape)
    odd = objects[np.arange(len(objects)), rows["selected"]]
    answers = from_odd_one_out(objects, odd, participant=rows["rater"].to_numpy())
    return describe(
        "voices", len(speakers), answers=answers, object_names=speakers.to_numpy(dtype=str)
    )


def parse_speakers(content):
    """Return the names of the speakers, indexed by their numbers in the source, in this order."""
    table = pd.read_csv(BytesIO(content), encoding="utf-8-sig", index_col=0).sort_index()
    within = table.groupby("group").cumcount() + 1
    return table["group"] + " " + within.astype(str)
