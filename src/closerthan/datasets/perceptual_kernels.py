"""Colors, shapes and their combinations: triplets, odd ones out, and ratings of the same pairs."""

from typing import NamedTuple

import numpy as np

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import parse_integers

N_PEOPLE = 20
N_CATCH = 10
HIGHEST = 9


class Design(NamedTuple):
    """Which questions a file of answers holds.

    People were first trained on objects of their own, whose numbers come before the others. Then
    each three of the objects were one question. At the end there were ten catch trials.
    """

    n_objects: int
    n_training_objects: int
    n_training: int

    @property
    def n_questions(self):
        return self.n_objects * (self.n_objects - 1) * (self.n_objects - 2) // 6


DESIGNS = {
    "color": Design(10, 4, 8),
    "shape": Design(10, 4, 8),
    "shapecolor": Design(16, 6, 24),
}
# The source's abbreviations, of triplet matching and triplet discrimination.
TASKS = {"triplets": "tm", "odd_one_out": "td"}
SETS = {f"perceptual_{kind}_{task}": (kind, task) for kind in DESIGNS for task in TASKS}


@loader(*SETS)
def load_perceptual_kernels(name: str, *, read) -> Dataset:
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

    Everybody answered one question on each three objects; which of them is the third in a triplet
    was drawn at random for each person. Training and catch trials are dropped. Twenty people also
    rated how different the two objects of each pair are; they are other people than those who
    answered, or not known to be the same.

    Parameters
    ----------
    name : str

    Returns
    -------
    Dataset
        ``answers``, with the participant, who is a line of the file, from 1; ``ratings``, with
        "rating", rows (i, j, score, participant), the score from 0, the same, to 9.

    References
    ----------
    C. Demiralp, M. S. Bernstein and J. Heer, Learning perceptual kernels for visualization design,
    IEEE TVCG (InfoVis), 2014.
    """
    kind, task = SETS[name]
    design = DESIGNS[kind]
    triples, dropped = _read_triples(read, f"{kind}-{TASKS[task]}.txt", design)
    rows, dropped_ratings = _read_ratings(read, f"{kind}-l9.txt", design)
    people = np.repeat(np.arange(1, N_PEOPLE + 1), design.n_questions)
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


def _read_triples(read, file, design):
    training, triples, catch = parse_triples(read(file), file, design)
    n_training, n_triples, n_catch = (part.size // 3 for part in (training, triples, catch))
    n_all = n_training + n_triples + n_catch
    return triples.reshape(-1, 3), [
        f"{n_training} of {n_all} answers in training, to questions on other objects",
        f"{n_catch} of {n_all} answers to catch trials, which show an object twice",
    ]


def _read_ratings(read, file, design):
    scores = parse_ratings(read(file), file, design.n_objects)
    i, j = np.triu_indices(design.n_objects, k=1)
    people = np.repeat(np.arange(1, N_PEOPLE + 1), len(i))
    rows = np.column_stack([np.tile(i, N_PEOPLE), np.tile(j, N_PEOPLE), scores[:, i, j].ravel()])
    of_itself = np.diagonal(scores, axis1=1, axis2=2)
    return np.column_stack([rows, people]), [
        f"{of_itself.size} of {len(rows) + of_itself.size} ratings of an object beside itself, "
        f"{np.count_nonzero(of_itself)} of them above 0"
    ]


def parse_triples(content, file, design, *, n_people=N_PEOPLE, n_catch=N_CATCH):
    """Parse a file of answers: a line for each person, their triples one after the other.

    Returns
    -------
    training : ndarray of int, shape (n_people, design.n_training, 3)
        With ids as in the file, those of the objects of the training.
    triples : ndarray of int, shape (n_people, design.n_questions, 3)
        With ids from 0.
    catch : ndarray of int, shape (n_people, n_catch, 3)
        Likewise; two ids of each are the same.
    """
    n_triples = design.n_training + design.n_questions + n_catch
    table = _parse_lines(content, file, 3 * n_triples, n_people).reshape(n_people, n_triples, 3)
    place = np.arange(n_triples)
    in_training, is_catch = place < design.n_training, place >= n_triples - n_catch
    n_before = design.n_training_objects
    low = np.where(in_training, 0, n_before)
    high = np.where(in_training, n_before, n_before + design.n_objects) - 1
    twice = (table == np.roll(table, 1, axis=2)).any(axis=2)
    _refuse_triple(
        ((table < low[:, None]) | (table > high[:, None])).any(axis=2),
        lambda n: f"objects from {low[n]} to {high[n]}",
        table,
        file,
    )
    _refuse_triple(twice & ~in_training & ~is_catch, lambda n: "different objects", table, file)
    _refuse_triple(~twice & is_catch, lambda n: "a catch trial's object twice", table, file)
    questions = ~in_training & ~is_catch
    again = np.zeros(table.shape[:2], dtype=bool)
    for person, triples in enumerate(np.sort(table, axis=2)):
        first = np.unique(triples[questions], axis=0, return_index=True)[1]
        again[person, questions] = ~np.isin(np.arange(design.n_questions), first)
    _refuse_triple(again, lambda n: "each three objects once", table, file)
    return table[:, in_training], table[:, questions] - n_before, table[:, is_catch] - n_before


def _refuse_triple(wrong, expect, table, file):
    """Refuse the first triple of a person that is wrong; `expect` says what its place holds."""
    if wrong.any():
        row, n = np.argwhere(wrong)[0]
        triple = tuple(table[row, n].tolist())
        raise ValueError(f"{file}: row {row + 1}, triple {n + 1} is {triple}, expected {expect(n)}")


def parse_ratings(content, file, n_objects, *, n_people=N_PEOPLE):
    """Parse a file of ratings: a line for each person, the rows of a matrix one after the other.

    Returns
    -------
    ndarray of int, shape (n_people, n_objects, n_objects)
        Symmetric, from 0 to 9.
    """
    scores = _parse_lines(content, file, n_objects**2, n_people)
    scores = scores.reshape(n_people, n_objects, n_objects)
    wrong = (scores > HIGHEST) | (scores != scores.transpose(0, 2, 1))
    if wrong.any():
        person, i, j = np.argwhere(wrong)[0]
        raise ValueError(
            f"{file}: row {person + 1} has {scores[person, i, j]} for the objects {i} and {j}, and "
            f"{scores[person, j, i]} for {j} and {i}, expected the same from 0 to {HIGHEST}"
        )
    return scores


def _parse_lines(content, file, n_columns, n_people):
    table = parse_integers(content, file, n_columns, delimiter=",")
    if len(table) != n_people:
        raise ValueError(f"{file}: has {len(table)} rows, expected {n_people}")
    return table
