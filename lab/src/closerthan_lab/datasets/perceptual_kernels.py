"""Load judgments of colors, shapes and their combinations: triplets, odd-one-out and ratings."""

from io import BytesIO
from typing import NamedTuple

import numpy as np

from closerthan._core.validation import check_word
from closerthan.comparisons.answers import Answers
from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader

N_CATCH = 10


class Design(NamedTuple):
    """Describe the questions in a file of answers.

    Participants were first trained on separate objects, which have the first numbers. Then every
    set of three objects was one question. Ten catch trials came last.
    """

    n_objects: int
    n_training_objects: int
    n_training: int


DESIGNS = {"color": Design(10, 4, 8), "shape": Design(10, 4, 8), "shapecolor": Design(16, 6, 24)}
# Abbreviations in the source: triplet matching and triplet discrimination.
TASKS = {"triplets": "tm", "odd_one_out": "td"}
SETS = {f"perceptual_{kind}_{task}": (kind, task) for kind in DESIGNS for task in TASKS}


def load_perceptual_kernels(
    name: str, *, mirror: Place = None, cache: Place = None, offline: bool = False
) -> Dataset:
    """Load answers of 20 people on colors, shapes or their combinations.

    ================================= ======= =================================== =======
    name                              objects each was asked                      answers
    ================================= ======= =================================== =======
    perceptual_color_triplets         10      which of two is more like a third   2,400
    perceptual_color_odd_one_out      10      which of three is the odd one out   2,400
    perceptual_shape_triplets         10      which of two is more like a third   2,400
    perceptual_shape_odd_one_out      10      which of three is the odd one out   2,400
    perceptual_shapecolor_triplets    16      which of two is more like a third   11,200
    perceptual_shapecolor_odd_one_out 16      which of three is the odd one out   11,200
    ================================= ======= =================================== =======

    Every participant answered one question on each set of three objects. For triplets, the anchor
    was drawn at random for each participant. Training and catch trials are dropped. Twenty people
    also rated the difference between the two objects of each pair. They are other people, or not
    known to be the same.

    The data set has ``answers``, with the participant, a line number of the file, from 1.
    ``ratings`` has "rating": rows (i, j, score, participant), with scores from 0 (the same) to 9.

    Parameters
    ----------
    name : str
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    C. Demiralp, M. S. Bernstein and J. Heer, Learning perceptual kernels for visualization design,
    IEEE TVCG (InfoVis), 2014.
    """
    check_word("name", name, SETS)
    read = reader(name, mirror, cache, offline)
    kind, task = SETS[name]
    design = DESIGNS[kind]
    triples, dropped = parse_triples(read(f"{kind}-{TASKS[task]}.txt"), design)
    rows, dropped_ratings = parse_ratings(read(f"{kind}-l9.txt"), design.n_objects)
    people = np.repeat(np.arange(len(triples)) + 1, triples.shape[1])
    triples = triples.reshape(-1, 3)
    if task == "triplets":
        answers = Answers(triples, participant=people)
    else:
        answers = from_odd_one_out(triples, triples[:, 2], participant=people)
    return describe(
        name,
        design.n_objects,
        dropped=[*dropped, *dropped_ratings],
        answers=answers,
        ratings={"rating": rows},
    )


def parse_triples(content, design):
    """Return the triples of each person, (n_people, n_questions, 3), and a list of what is dropped.

    A line has the triples of the training, then the questions, then the catch trials.
    """
    lines = np.loadtxt(BytesIO(content), delimiter=",", dtype=np.int64, ndmin=2)
    table = lines.reshape(len(lines), -1, 3)
    n_people, n_all = len(lines), lines.size // 3
    return table[:, design.n_training : -N_CATCH] - design.n_training_objects, [
        f"{n_people * design.n_training} of {n_all} answers in training, to questions on other "
        "objects",
        f"{n_people * N_CATCH} of {n_all} answers to catch trials, which show an object twice",
    ]


def parse_ratings(content, n_objects):
    """Return rows (i, j, score, person) from symmetric matrices, and a list of what is dropped."""
    lines = np.loadtxt(BytesIO(content), delimiter=",", dtype=np.int64, ndmin=2)
    scores = lines.reshape(-1, n_objects, n_objects)
    i, j = np.triu_indices(n_objects, k=1)
    people = np.repeat(np.arange(1, len(scores) + 1), len(i))
    pairs = np.tile(i, len(scores)), np.tile(j, len(scores))
    of_itself = np.diagonal(scores, axis1=1, axis2=2)
    return np.column_stack([*pairs, scores[:, i, j].ravel(), people]), [
        f"{of_itself.size} of {len(people) + of_itself.size} ratings of an object beside itself, "
        f"{np.count_nonzero(of_itself)} of them above 0"
    ]
