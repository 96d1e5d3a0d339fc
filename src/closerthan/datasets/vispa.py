"""ViSpa: of four pairs of words, the one that looks most and the one that looks least similar."""

import re

import numpy as np

from closerthan.comparisons.forms.pairs import from_best_worst
from closerthan.datasets.archive import read_member
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import decode, parse_json
from closerthan.files.faults import shown

N_PEOPLE = 601
N_TRIALS = 55

# The file has 10.3 MB.
_MAX_BYTES = 12_000_000
_KEYS = {"text", "experiment", "participant"}

# A trial as it was retold; the lines before the first are instructions, with pairs of their own.
_PAIR = r"[a-z]+ - [a-z]+"
_START = "Which look the most similar?"
_TRIAL = re.compile(
    rf"Which look the most similar\? ({_PAIR}(?:; {_PAIR}){{3}})\. "
    rf"You choose <<({_PAIR})>> as most similar\. "
    rf"Which look the least similar\? (.*?)\. You choose <<({_PAIR})>> as least similar\."
)


@loader("vispa")
def load_vispa(*, read) -> Dataset:
    """Load 33,055 choices of the most and the least similar of four pairs of words, by their looks.

    Each choice implies five comparisons: the best pair is closer than the three others, which are
    closer than the worst. The words hang together badly: pairs link them to 241 groups.

    Returns
    -------
    Dataset
        ``answers``, 33,055 screens with participants, 165,275 quadruplets; ``object_names``, shape
        (2235,), the words in alphabetical order.

    References
    ----------
    F. Günther, M. Marelli, S. Tureski and M. A. Petilli, ViSpa (Vision Spaces): A computer-vision-
    based representation system for individual images and concept prototypes, with large-scale
    evaluation, Psychological Review 130(4), 2023.
    """
    archive = "prompts.jsonl.zip"
    trials, people = parse_prompts(read_member(read(archive), archive, max_bytes=_MAX_BYTES))
    words, answers = build(trials, people)
    return describe("vispa", len(words), answers=answers, object_names=words)


def parse_prompts(content, *, n_people=N_PEOPLE, n_trials=N_TRIALS):
    """Parse ``prompts.jsonl``, where each line is one participant's session, told as a text.

    Parameters
    ----------
    content : bytes
        Lines of JSON with ``text``, of which a line is a trial, and ``participant``, a number.
    n_people, n_trials : int
        The participants, and the trials of each.

    Returns
    -------
    trials : list of (list of str, int, int)
        The four pairs shown, such as ``"apple - orange"``, and the positions of the best and of the
        worst of them.
    people : ndarray of int, shape (n_people,)
        The participant of each session of n_trials trials.
    """
    file = "prompts.jsonl"
    decode(content, file, "utf-8")  # whole, so that an error names a byte of the file
    lines = content.splitlines()
    if len(lines) != n_people:
        raise ValueError(f"{file}: has {len(lines)} rows, expected {n_people}")
    trials, people = [], []
    for row, line in enumerate(lines, start=1):
        session = parse_json(line, file, first_row=row)
        where = f"{file}: row {row}"
        if not isinstance(session, dict) or session.keys() != _KEYS:
            found = sorted(session) if isinstance(session, dict) else session
            raise ValueError(f"{where} is {shown(found, 200)}, expected {sorted(_KEYS)}")
        person, text = session["participant"], session["text"]
        if type(person) is not int or person < 0 or person in people:
            raise ValueError(
                f"{where}: participant is {shown(person)}, expected a number, each once"
            )
        if not isinstance(text, str):
            raise ValueError(f"{where}: text is {shown(text)}, expected a text")
        found = _parse_text(text, where)
        if len(found) != n_trials:
            raise ValueError(f"{where}: has {len(found)} trials, expected {n_trials}")
        trials += found
        people.append(person)
    return trials, np.array(people)


def _parse_text(text, where):
    _, start, told = text.partition(_START)
    lines = (start + told).splitlines()
    return [
        _parse_trial(line, f"{where}, trial {number}")
        for number, line in enumerate(filter(None, lines), start=1)
    ]


def _parse_trial(line, where):
    trial = _TRIAL.fullmatch(line)
    if not trial:
        raise ValueError(
            f"{where} is {shown(line)}, expected a best and a worst of four pairs of words"
        )
    first, best, again, worst = trial.groups()
    pairs = first.split("; ")
    if again != first:
        raise ValueError(
            f"{where} shows {shown(again, 200)} the second time, expected {shown(first, 200)}"
        )
    different = {frozenset(pair.split(" - ")) for pair in pairs}
    if len(different) != len(pairs) or min(map(len, different)) < 2:
        raise ValueError(
            f"{where} shows {shown(first, 200)}, expected four different pairs of two words"
        )
    for chosen in (best, worst):
        if chosen not in pairs:
            raise ValueError(
                f"{where} has the choice {shown(chosen)}, expected one of {shown(first, 200)}"
            )
    if best == worst:
        raise ValueError(f"{where} has {best!r} as the best and the worst, expected two pairs")
    return pairs, pairs.index(best), pairs.index(worst)


def build(trials, people):
    """Number the words in alphabetical order; returns the words and the `Answers`.

    Parameters
    ----------
    trials : list of (list of str, int, int)
    people : ndarray of int, shape (n_people,)
        Each has the same number of trials, one after the other.
    """
    shown, best, worst = zip(*trials, strict=True)
    pairs, place = np.unique(np.array(shown), return_inverse=True)
    words, ids = np.unique([pair.split(" - ") for pair in pairs], return_inverse=True)
    ids = ids.reshape(-1, 2)[place.reshape(len(trials), -1)]
    participant = np.repeat(people, len(trials) // len(people))
    return words, from_best_worst(ids, best, worst, participant=participant)
