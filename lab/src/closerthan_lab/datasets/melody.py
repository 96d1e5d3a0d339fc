"""Melodies: ten people's answers on which of two variations is more similar to a query."""

from io import BytesIO

import numpy as np
import pandas as pd

from closerthan.comparisons.forms.alternatives import from_responses
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader

# The choices of people, and their names in `from_responses`; some people chose nothing.
RESPONSES = {"a": 1, "b": -1, "s": 0}
_MELODIES = ["Input.query", "Input.docA", "Input.docB"]


def load_melody(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 2,286 answers to "which of two melodies is more similar to a third, or are they alike?".

    Ten people answered each of 281 questions. In each question, two variations stand beside one of
    eleven query melodies. Half of the answers are ties: each tie becomes two triplets, one in each
    direction, at half the weight. Dropped are 52 questions with the query itself as a variation,
    four empty answers, and one melody that is then in no question.

    The data set has ``answers``, one triplet per screen, two for a tie, with participant and time;
    ``object_names``, shape (117,), the numbers of the melodies in the collection.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    J. Urbano, J. Morato, M. Marrero and D. Martin, Crowdsourcing preference judgments for
    evaluation of music similarity tasks, SIGIR workshop on crowdsourcing for search evaluation,
    2010.
    """
    read = reader("melody", mirror, cache, offline)
    questions, choices, workers, seconds, names = parse_judgments(read("judgments.csv"))
    kept, dropped = find_usable(questions, choices)
    ids, renumbered = np.unique(questions[kept], return_inverse=True)
    n_unused = len(names) - len(ids)
    dropped.append(f"{n_unused} of {len(names)} melodies, which no answer that is kept names")
    answers = from_responses(
        renumbered.reshape(-1, 3),
        [RESPONSES[choice] for choice in choices[kept]],
        participant=workers[kept],
        time=seconds[kept],
    )
    return describe("melody", len(ids), dropped=dropped, answers=answers, object_names=names[ids])


def parse_judgments(content):
    """Return questions (query and two variations), choices, workers, seconds, and melodies' names.

    A choice is "a" for the first, "b" for the second, "s" for neither, "" where nothing was chosen.
    """
    # Not UTF-8: somebody typed an accent.
    table = pd.read_csv(BytesIO(content), encoding="latin-1", keep_default_na=False)
    names, questions = np.unique(table[_MELODIES].to_numpy(dtype=str), return_inverse=True)
    choices = table["Answer.radio"].to_numpy(dtype=str)
    workers, seconds = (table[key].to_numpy() for key in ("WorkerId", "WorkTimeInSeconds"))
    return questions.reshape(-1, 3), choices, workers, seconds, names


def find_usable(questions, choices):
    """Return which answers say something, and what to say about the others."""
    first, second = (questions[:, 0] == questions[:, column] for column in (1, 2))
    empty = ~(first | second) & (choices == "")
    n = len(choices)
    return ~(first | second | empty), [
        f"{first.sum()} of {n} answers to questions in which the first variation is the query",
        f"{second.sum()} of {n} answers to questions in which the second variation is the query",
        f"{empty.sum()} of {n} answers to other questions that are empty",
    ]
