"""ViSpa: which of four pairs of words look most and least similar."""

import json
import re
from io import BytesIO
from zipfile import ZipFile

import numpy as np

from closerthan.comparisons.forms.pairs import from_best_worst
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader

# A trial as it was retold; the lines before the first are instructions, with pairs of their own.
_PAIR = r"[a-z]+ - [a-z]+"
_TRIAL = re.compile(
    rf"Which look the most similar\? ({_PAIR}(?:; {_PAIR}){{3}})\. "
    rf"You choose <<({_PAIR})>> as most similar\. "
    rf"Which look the least similar\? \1\. You choose <<({_PAIR})>> as least similar\."
)


def load_vispa(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 33,055 choices of the most and the least similar of four word pairs, by their looks.

    Each choice implies five comparisons: the best pair is closer than the three others, and the two
    in the middle are closer than the worst. The pairs link each word to few others: the words fall
    into 241 groups without a link between them.

    The data set has ``answers``, 33,055 screens with participants, 165,275 quadruplets;
    ``object_names``, shape (2235,), the words in alphabetical order.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    F. Günther, M. Marelli, S. Tureski and M. A. Petilli, ViSpa (Vision Spaces): A computer-vision-
    based representation system for individual images and concept prototypes, with large-scale
    evaluation, Psychological Review 130(4), 2023.
    """
    read = reader("vispa", mirror, cache, offline)
    archive = ZipFile(BytesIO(read("prompts.jsonl.zip")))
    words, answers = parse_prompts(archive.read("prompts.jsonl"))
    return describe("vispa", len(words), answers=answers, object_names=words)


def parse_prompts(content):
    """Parse lines of JSON, each a session told as a text; return sorted words and `Answers`."""
    shown, best, worst, people = [], [], [], []
    for session in map(json.loads, content.splitlines()):
        for told, most, least in _TRIAL.findall(session["text"]):
            shown.append(told.split("; "))
            best.append(shown[-1].index(most))
            worst.append(shown[-1].index(least))
            people.append(session["participant"])
    pairs, place = np.unique(np.array(shown), return_inverse=True)
    words, ids = np.unique([pair.split(" - ") for pair in pairs], return_inverse=True)
    ids = ids.reshape(-1, 2)[place.reshape(len(shown), -1)]
    return words, from_best_worst(ids, best, worst, participant=np.array(people))
