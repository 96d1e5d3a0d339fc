"""Cars: answers of an online survey on the most central one of three, and four classes."""

import re
from io import BytesIO

import numpy as np

from closerthan.comparisons.forms.three import from_most_central
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader

N_OBJECTS = 60

# Cars of the control question, by their numbers in the file, which start at 1.
CONTROL = (15, 18, 53)


def load_cars60(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 6,951 answers to "which of these three cars is the most central one?".

    People saw three photographs and chose the one that lies between the other two. The central car
    is closer to each of the others than these are to each other. Every round asked one control
    question, on the cars 14, 17 and 52. Its 146 answers would be 2% of the data and are dropped. A
    participant is a round of the survey, of 30 to 50 questions; one person may have done several.

    The data set has ``answers``, two triplets per screen, with round and time; ``labels``, shape
    (60,), indices into ``class_names``. Car i is number i + 1 of the source.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    M. Kleindessner and U. von Luxburg, Lens depth function and k-relative neighborhood graph:
    versatile tools for ordinal data analysis, JMLR 18(58), 2017.
    """
    read = reader("cars60", mirror, cache, offline)
    labels, class_names = parse_classes(read("README.txt"))
    answers, control = parse_survey(read("survey_data.csv"))
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
    """Return labels and names of the classes, of lines such as ``SPORTS CARS: 15 19 20``."""
    found = re.findall(r"^([A-Z][A-Z/ -]*): *(\d.*)$", content.decode(), re.MULTILINE)
    labels = np.full(n_objects, -1)
    for label, (_, cars) in enumerate(found):
        labels[[int(car) - 1 for car in cars.split()]] = label
    return labels, np.array([name.lower() for name, _ in found])


def parse_survey(content):
    """Return all answers, of cars numbered from 0, and which are to the control question."""
    table = np.loadtxt(BytesIO(content), delimiter=",", skiprows=1)
    rounds, central, *objects = table[:, :-1].astype(np.int64).T
    objects = np.column_stack(objects)
    answers = from_most_central(
        objects - 1, central - 1, participant=rounds, time=table[:, -1].copy()
    )
    return answers, (np.sort(objects, axis=1) == CONTROL).all(axis=1)
