"""THINGS: many people's answers on the odd one out of three of 1,854 objects."""

from io import BytesIO

import numpy as np
import pandas as pd

from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader

N_OBJECTS = 1854
# The number of people in each file; they are numbered from 0.
FILES = {"test_10_ID.txt": 264, "ooo_data_modeling_old_and_new_testcase.txt": 209}

# Of the first file: all answers of this participant, a fifth of a person's, are in the second too.
IN_BOTH = 184


def load_things_ooo(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 234,068 answers to "which of these three objects is the odd one out?".

    The answers come from two files, in this order. The first has 126,688 answers of 263 people,
    numbered from 0, to questions mostly drawn at random from all objects of THINGS. The second has
    107,380 answers of 209 people, numbered from 264. Ten of these (264 to 273) answered random
    questions in the same way; the other 199 all answered the same 440 questions. The source numbers
    people differently in each file. Participant 184 of the first file is participant 272 here. The
    616 answers under number 184 are also in the second file, and are dropped.

    The data set has ``answers``, two triplets per screen, with participant; ``object_names``, shape
    (1854,).

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    M. N. Hebart et al., THINGS-data, a multimodal collection of large-scale datasets for
    investigating object representations in human brain and behavior, eLife, 2023.
    """
    read = reader("things_ooo", mirror, cache, offline)
    first, second = (_parse_answers(read(file)) for file in FILES)
    rows = np.concatenate([first, np.add(second, [0, 0, 0, FILES["test_10_ID.txt"]])])
    objects, people = rows[:, :3], rows[:, 3]
    copied = people == IN_BOTH
    names = np.array(read("unique_id.txt").decode().splitlines())
    return describe(
        "things_ooo",
        len(names),
        dropped=[
            f"{copied.sum()} of {len(copied)} answers, those of participant {IN_BOTH} of the first "
            "file, which are in the second file too"
        ],
        answers=from_odd_one_out(objects, objects[:, 2], participant=people).take(~copied),
        object_names=names,
    )


def _parse_answers(content):
    """Return rows of three objects, the odd one out the last, and of who says so."""
    return pd.read_csv(BytesIO(content), sep=" ", header=None).to_numpy()


def load_things_repeated(
    *, mirror: Place = None, cache: Place = None, offline: bool = False
) -> Dataset:
    """Load 20,000 answers to 1,000 questions of THINGS, each asked 14 to 25 times.

    The answer that is most frequent for its question is given in 67.2 % of all cases. No model that
    gives everyone the same answer can predict more. Objects are numbered as in `load_things_ooo`.
    The source numbers them from 1.

    The data set has ``answers``, two triplets per screen, with participant.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    M. N. Hebart et al., Revealing the multidimensional mental representations of natural objects
    underlying human similarity judgements, Nature Human Behaviour, 2020.
    """
    read = reader("things_repeated", mirror, cache, offline)
    rows = pd.read_csv(BytesIO(read("test_triplets.csv")), sep="\t", header=None).to_numpy()
    objects, place, people = rows[:, :3] - 1, rows[:, 3] - 1, rows[:, 4]
    odd = objects[np.arange(len(objects)), place]
    answers = from_odd_one_out(objects, odd, participant=people)
    return describe("things_repeated", N_OBJECTS, answers=answers)
