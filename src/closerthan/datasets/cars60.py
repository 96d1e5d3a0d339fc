"""Cars: which of three is the most central one, answered in an online survey, and four classes."""

import re

import numpy as np

from closerthan.comparisons.forms.three import from_most_central
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import decode, parse_columns, refuse, to_integers
from closerthan.files.faults import shown

N_OBJECTS = 60
N_ANSWERS = 7097
N_ROUNDS = 146
README = "README.txt"
SURVEY = "survey_data.csv"
TRIPLE = ["triplet_object_1", "triplet_object_2", "triplet_object_3"]
COLUMNS = ["survey_round", "chosen_center", *TRIPLE, "response_time"]

# Cars of the control question, by their numbers in the file, which count from 1.
CONTROL = (15, 18, 53)


@loader("cars60")
def load_cars60(*, read) -> Dataset:
    """Load 6,951 answers to "which of these three cars is the most central one?".

    People saw three photographs and chose the one that lies between the other two: the central car
    is closer to either of the others than these are to each other. One question, of the cars 14, 17
    and 52, was asked in every round as a control, and would pass for 2% of the data: its 146
    answers are dropped. A participant is a round of the survey, of 30 to 50 questions; one person
    may have done several.

    Returns
    -------
    Dataset
        ``answers``, two triplets a screen, with round and time; ``labels``, shape (60,), as indices
        into ``class_names``. Car i is number i + 1 of the source.

    References
    ----------
    M. Kleindessner and U. von Luxburg, Lens depth function and k-relative neighborhood graph:
    versatile tools for ordinal data analysis, JMLR 18(58), 2017.
    """
    labels, class_names = parse_classes(read(README))
    objects, central, rounds, seconds = parse_survey(read(SURVEY))
    control = (np.sort(objects, axis=1) == np.subtract(CONTROL, 1)).all(axis=1)
    answers = from_most_central(objects, central, participant=rounds, time=seconds)
    return describe(
        "cars60",
        N_OBJECTS,
        dropped=[
            f"{control.sum()} of {len(control)} answers to the control question "
            f"{', '.join(map(str, CONTROL))} (numbers from 1), which was asked in every round"
        ],
        answers=answers.take(~control),
        labels=labels,
        class_names=class_names,
    )


def parse_classes(content, *, n_objects=N_OBJECTS):
    """Parse the classes that ``README.txt`` lists, lines such as ``SPORTS CARS: 15 19 20``.

    Returns
    -------
    labels : ndarray of int, shape (n_objects,)
        The index of each car's class, in the order of the file.
    class_names : ndarray of str
    """
    lines = decode(content, README, "utf-8").splitlines()
    matches = [re.fullmatch(r"([A-Z][A-Z/ -]*): *(.+)", line) for line in lines]
    classes = [(row, match) for row, match in enumerate(matches, start=1) if match]
    labels = np.full(n_objects, -1)
    for label, (row, match) in enumerate(classes):
        for number in match[2].split():
            car = int(number) - 1 if re.fullmatch("[0-9]{1,9}", number) else -1
            if not 0 <= car < n_objects or labels[car] >= 0:
                raise ValueError(
                    f"{README}: row {row} names the car {shown(number)}, "
                    f"expected each number from 1 to {n_objects} once"
                )
            labels[car] = label
    refuse(
        labels < 0,
        lambda car: f"{README}: car {car + 1} is in no class, expected each car in one",
    )
    return labels, np.array([match[1].lower() for _, match in classes])


def parse_survey(content, *, n_answers=N_ANSWERS, n_objects=N_OBJECTS, n_rounds=N_ROUNDS):
    """Parse ``survey_data.csv``, answers to the control question too.

    Returns
    -------
    objects : ndarray of int, shape (n_answers, 3)
        Ids from 0, from left to right on the screen.
    central : ndarray of int, shape (n_answers,)
        The one that was chosen.
    rounds : ndarray of int, shape (n_answers,)
        From 1, as in the file.
    seconds : ndarray of shape (n_answers,)
    """
    columns = parse_columns(content, SURVEY, COLUMNS, n_answers)
    rounds = to_integers(columns, "survey_round", SURVEY, 1, n_rounds)
    central = to_integers(columns, "chosen_center", SURVEY, 1, n_objects)
    objects = np.column_stack([to_integers(columns, name, SURVEY, 1, n_objects) for name in TRIPLE])
    refuse(
        (objects == np.roll(objects, 1, axis=1)).any(axis=1),
        lambda row: (
            f"{SURVEY}: row {row + 2} shows the cars {tuple(objects[row].tolist())}, "
            "expected three different ones"
        ),
    )
    refuse(
        (objects != central[:, None]).all(axis=1),
        lambda row: (
            f"{SURVEY}: row {row + 2}: chosen_center is {central[row]}, "
            f"expected one of {', '.join(map(str, objects[row]))}"
        ),
    )
    return objects - 1, central - 1, rounds, _to_seconds(columns["response_time"])


def _to_seconds(texts):
    is_number = re.compile(r"[0-9]{1,9}(\.[0-9]*)?").fullmatch
    refuse(
        np.array([not is_number(text) for text in texts]),
        lambda row: (
            f"{SURVEY}: row {row + 2}: response_time is {shown(texts[row])}, "
            "expected a number of seconds"
        ),
    )
    return np.array(texts, dtype=float)
