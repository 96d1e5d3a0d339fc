"""Faces: people's triplets of 36 photographs, and the time of each answer."""

from io import BytesIO

import pandas as pd

from closerthan.comparisons.answers import Answers
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader


def load_cfd36(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 37,234 triplets of 36 photographs of faces: "i is more similar to j than to k".

    39 people chose which of two faces is more similar to a third. Each gave 1,012 answers. Of
    these, 44 to 72 are attention checks, where one of the two faces is the third face itself. They
    are dropped.

    The data set has ``answers``, one triplet per screen, with participant and time;
    ``object_names``, shape (36,), the names of the photographs in the Chicago Face Database.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    Knowledge and Concepts Lab, University of Wisconsin-Madison, R package tripletTools.
    D. S. Ma, J. Correll and B. Wittenbrink, The Chicago face database: a free stimulus set of faces
    and norming data, Behavior Research Methods, 2015.
    """
    read = reader("cfd36", mirror, cache, offline)
    answers, checks, names = parse_answers(read("cfd36_triplets_individual.csv"))
    return describe(
        "cfd36",
        len(names),
        dropped=[
            f"{checks.sum()} of {len(checks)} answers to checks of attention, "
            "where one of the two faces is the third itself"
        ],
        answers=answers,
        object_names=names,
    )


def parse_answers(content):
    """Return the answers, which rows are attention checks (not answers), and the face names."""
    table = pd.read_csv(BytesIO(content), keep_default_na=False)
    checks = table["sampleAlg"].to_numpy() == "check"
    kept = table[~checks]
    answers = Answers(
        kept[["head", "winner", "loser"]].to_numpy(),
        participant=kept["worker_id"].to_numpy(),
        time=kept["rt"].to_numpy() / 1000,
    )
    return answers, checks, table.groupby("head")["Center"].first().to_numpy(dtype=str)
