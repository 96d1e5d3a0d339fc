"""THINGS: the odd one out of three of 1,854 objects, answered by many people."""

from typing import NamedTuple

import numpy as np

from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import decode, parse_integers, refuse
from closerthan.files.faults import shown

N_OBJECTS = 1854
NAMES = "unique_id.txt"


class _Size(NamedTuple):
    """What a file of answers must hold."""

    n_answers: int
    n_people: int


FILES = {
    "test_10_ID.txt": _Size(127_304, 264),
    "ooo_data_modeling_old_and_new_testcase.txt": _Size(107_380, 209),
}

# Of the first file: all answers of this participant, a fifth of a person's, are in the second too.
IN_BOTH = 184


@loader("things_ooo")
def load_things_ooo(*, read) -> Dataset:
    """Load 234,068 answers to "which of these three objects is the odd one out?".

    They are of two files, in this order: 126,688 answers of 263 people, numbered from 0, to
    questions mostly drawn at random from all objects of THINGS, and 107,380 answers of 209 people,
    numbered from 264. Of the latter, ten (264 to 273) answered questions drawn alike, and 199 the
    same 440 questions each. The numbers of the source do not match between its files. Participant
    184 of the first is participant 272 here; the 616 answers of the former, all of them in the
    second file too, are dropped.

    Returns
    -------
    Dataset
        ``answers``, two triplets a screen, with participant; ``object_names``, shape (1854,).

    References
    ----------
    M. N. Hebart et al., THINGS-data, a multimodal collection of large-scale datasets for
    investigating object representations in human brain and behavior, eLife, 2023.
    """
    objects, people, n_before = [], [], 0
    for file, size in FILES.items():
        triples, numbers = parse_answers(read(file), file, *size)
        objects.append(triples)
        people.append(numbers + n_before)
        n_before += size.n_people
    objects, people = np.concatenate(objects), np.concatenate(people)
    copied = people == IN_BOTH
    return describe(
        "things_ooo",
        N_OBJECTS,
        dropped=[
            f"{copied.sum()} of {len(copied)} answers, those of participant {IN_BOTH} of the first "
            "file, which are in the second file too"
        ],
        answers=from_odd_one_out(objects, objects[:, 2], participant=people).take(~copied),
        object_names=parse_names(read(NAMES)),
    )


def parse_answers(content, file, n_answers, n_people, *, n_objects=N_OBJECTS):
    """Parse a file of answers: lines of two objects, the odd one out, and who says so.

    Returns
    -------
    objects : ndarray of int, shape (n_answers, 3)
        The odd one out is the last.
    people : ndarray of int, shape (n_answers,)
        From 0 to n_people - 1.
    """
    table = parse_integers(content, file, 4)
    if len(table) != n_answers:
        raise ValueError(f"{file}: has {len(table)} rows, expected {n_answers}")
    objects, people = table[:, :3], table[:, 3]
    refuse(
        (objects >= n_objects).any(axis=1),
        lambda row: (
            f"{file}: row {row + 1} shows the objects {_listed(objects[row])}, "
            f"expected numbers from 0 to {n_objects - 1}"
        ),
    )
    refuse(
        (objects == np.roll(objects, 1, axis=1)).any(axis=1),
        lambda row: (
            f"{file}: row {row + 1} shows the objects {_listed(objects[row])}, "
            "expected three different ones"
        ),
    )
    refuse(
        people >= n_people,
        lambda row: (
            f"{file}: row {row + 1} is of participant {people[row]}, "
            f"expected one from 0 to {n_people - 1}"
        ),
    )
    return objects, people


def _listed(numbers):
    return ", ".join(map(str, numbers))


def parse_names(content, *, n_objects=N_OBJECTS):
    """Parse ``unique_id.txt``, a name a line; returns an array of n_objects different names."""
    names = decode(content, NAMES).splitlines()
    if len(names) != n_objects:
        raise ValueError(f"{NAMES}: has {len(names)} rows, expected {n_objects}")
    known = set()
    for row, name in enumerate(names, start=1):
        if not name.strip() or name in known:
            raise ValueError(f"{NAMES}: row {row} is {shown(name)}, expected a name of its own")
        known.add(name)
    return np.array(names)
