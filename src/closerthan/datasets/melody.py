"""Melodies: which of two variations is more similar to a query, or neither, by ten people each."""

import re

import numpy as np

from closerthan.comparisons.forms.alternatives import from_responses
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import parse_columns, refuse, to_integers
from closerthan.files.faults import shown

N_MELODIES = 118
N_ROWS = 2810
N_WORKERS = 79
FILE = "judgments.csv"
COLUMNS = [
    "HITId", "CreationTime", "Expiration", "NumberOfSimilarHITs", "WorkerId", "AcceptTime",
    "SubmitTime", "AutoApprovalTime", "ApprovalTime", "WorkTimeInSeconds", "Input.query",
    "Input.docA", "Input.docB", "Input.time", "Answer.comment", "Answer.bground", "Answer.radio",
]  # fmt: skip

# What people could choose, and what `from_responses` calls it; some chose nothing.
RESPONSES = {"a": 1, "b": -1, "s": 0}
_MELODIES = ["Input.query", "Input.docA", "Input.docB"]


@loader("melody")
def load_melody(*, read) -> Dataset:
    """Load 2,286 answers to "which of two melodies is more similar to a third, or are they alike?".

    Ten people answered each of 281 questions, in which two variations stand beside one of eleven
    query melodies. Half of the answers are ties: each becomes two triplets, one either way, at half
    the weight. Dropped are 52 questions in which a variation is the query itself, four empty
    answers, and the one melody that then is in no question.

    Returns
    -------
    Dataset
        ``answers``, a triplet a screen, two where it is a tie, with participant and time;
        ``object_names``, shape (117,), the melodies' numbers in the collection.

    References
    ----------
    J. Urbano, J. Morato, M. Marrero and D. Martin, Crowdsourcing preference judgments for
    evaluation of music similarity tasks, SIGIR workshop on crowdsourcing for search evaluation,
    2010.
    """
    questions, choices, workers, seconds, names = parse_judgments(read(FILE))
    kept, dropped = find_usable(questions, choices)
    ids, renumbered = np.unique(questions[kept], return_inverse=True)
    if len(ids) < len(names):
        n_unused = len(names) - len(ids)
        dropped.append(f"{n_unused} of {len(names)} melodies, which no answer that is kept names")
    answers = from_responses(
        renumbered.reshape(-1, 3),
        [RESPONSES[choice] for choice in choices[kept]],
        participant=workers[kept],
        time=seconds[kept],
    )
    return describe("melody", len(ids), dropped=dropped, answers=answers, object_names=names[ids])


def parse_judgments(content, *, n_rows=N_ROWS, n_melodies=N_MELODIES, n_workers=N_WORKERS):
    """Parse ``judgments.csv``, questions that show the query itself and empty answers too.

    Returns
    -------
    questions : ndarray of int, shape (n_rows, 3)
        The query and the two variations.
    choices : ndarray of str, shape (n_rows,)
        "a" for the first, "b" for the second, "s" for neither, "" where nothing was chosen.
    workers : ndarray of int, shape (n_rows,)
        From 1, as in the file.
    seconds : ndarray of int, shape (n_rows,)
    names : ndarray of str, shape (n_melodies,)
        In alphabetical order, which is that of the ids.
    """
    # Not UTF-8: somebody typed an accent.
    columns = parse_columns(content, FILE, COLUMNS, n_rows, encoding="latin-1")
    workers = to_integers(columns, "WorkerId", FILE, 1, n_workers)
    seconds = to_integers(columns, "WorkTimeInSeconds", FILE, 0)
    for name in _MELODIES:
        _check_texts(columns, name, r"\d{3}\.\d{3}\.\d{3}-\d+\.\d+\.\d+", "a melody's number")
    _check_texts(columns, "Answer.radio", "[abs]?", "a, b, s or nothing")
    melodies = np.array([columns[name] for name in _MELODIES]).T
    refuse(
        melodies[:, 1] == melodies[:, 2],
        lambda row: (
            f"{FILE}: row {row + 2}: Input.docA and Input.docB are both {melodies[row, 1]}, "
            "expected two melodies"
        ),
    )
    names, questions = np.unique(melodies, return_inverse=True)
    if len(names) != n_melodies:
        raise ValueError(f"{FILE}: has {len(names)} melodies, expected {n_melodies}")
    choices = np.array(columns["Answer.radio"])
    return questions.reshape(melodies.shape), choices, workers, seconds, names


def _check_texts(columns, name, form, expected):
    texts, is_right = columns[name], re.compile(form).fullmatch
    refuse(
        np.array([not is_right(text) for text in texts]),
        lambda row: f"{FILE}: row {row + 2}: {name} is {shown(texts[row])}, expected {expected}",
    )


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
