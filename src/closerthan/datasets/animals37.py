"""Animals: 37 names, ranked by three people by similarity to one of them, five times each."""

import json
import re
from io import BytesIO

import numpy as np
import pandas as pd

from closerthan._core.shown import shown
from closerthan.comparisons.forms.lists import from_rankings
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.fetch import Place, reader

N_RANKED = 8
PEOPLE = ("S1", "S4", "S7")

# A session is half of the questions.
_N_TRIALS = 111
_STIMULI = [f"stim{place}" for place in range(1, N_RANKED + 1)]
_OTHER = ["participant", "session", "date", "expName", "psychopyVersion", "frameRate"]
_COLUMNS = [*_STIMULI, "clicks", *_OTHER]


def load_animals37(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 3,330 rankings of eight animals by similarity to a ninth, the most similar first.

    There are 222 questions, six for each of the 37 animals. All three people ranked every question
    five times.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `fetch`.

    Returns
    -------
    Dataset
        ``answers``, 3,330 screens with participants, 93,240 triplets; ``object_names``, shape
        (37,), in the order of the source.

    References
    ----------
    S. A. Waraich and J. D. Victor, A psychophysics paradigm for the collection and analysis of
    similarity judgments, Journal of Visualized Experiments, 2022.
    """
    read = reader("animals37", mirror, cache, offline)
    names = read("stimuli.txt").decode().splitlines()
    found = [parse_rankings(read(f"{person}_word_exp.json"), names) for person in PEOPLE]
    anchors, rankings = map(np.concatenate, zip(*found, strict=True))
    participant = np.repeat(PEOPLE, [len(own) for own, _ in found])
    answers = from_rankings(anchors, rankings, participant=participant)
    return describe("animals37", len(names), answers=answers, object_names=np.array(names))


def parse_rankings(content, names):
    """Return the references of one person's rankings, shape (n,), and the rankings, shape (n, 8).

    JSON has them by question, ``reference:word.word...`` with eight words, a list of rankings of
    these words, the one that is most like the reference first. Ids are places in `names`.
    """
    ids = {name: number for number, name in enumerate(names)}
    anchors, rankings = [], []
    for question, repeats in json.loads(content).items():
        for ranking in repeats:
            anchors.append(ids[question.partition(":")[0]])
            rankings.append([ids[word] for word in ranking])
    return np.array(anchors), np.array(rankings)


def parse_session(content, file, names, *, n_trials=_N_TRIALS):
    """Parse the table of one session as PsychoPy wrote it, from which the rankings were made.

    A row has the reference, eight stimuli, and the order in which they were clicked, the most alike
    first. A second click on the same stimulus just after the first is dropped. The name of the
    first column is not read, for in some files it is damaged.

    Parameters
    ----------
    content : bytes
        A table with commas, in UTF-8, with a byte order mark or without.
    file : str
        Its name, for errors.
    names : list of str
        The words, in the order of the ids.
    n_trials : int, default 111

    Returns
    -------
    answers : Answers
        A screen for each trial, with its participant.
    dropped : list of str
        What was left out of the file.

    Raises
    ------
    ValueError
        If a row is not such a trial; the message names it.
    """
    try:
        table = pd.read_csv(BytesIO(content), dtype=str, encoding="utf-8-sig", na_filter=False)
    except ValueError as error:
        raise ValueError(f"{file}: cannot be read as a table with commas ({error})") from None
    if table.columns[1:].tolist() != _COLUMNS:
        raise ValueError(
            f"{file}: row 1 is {shown(','.join(table), 200)}, "
            f"expected the reference and {','.join(_COLUMNS)!r}"
        )
    if len(table) != n_trials:
        raise ValueError(f"{file}: has {len(table)} trials, expected {n_trials}")
    ids = {name: number for number, name in enumerate(names)}
    parsed = [
        _parse_trial(trial, ids, f"{file}: row {row}")
        for row, trial in enumerate(table.to_numpy().tolist(), start=2)
    ]
    anchors, rankings, people, n_again = zip(*parsed, strict=True)
    dropped = f"{sum(n_again)} clicks on a stimulus that was clicked just before"
    return from_rankings(anchors, rankings, participant=people), [dropped] if any(n_again) else []


def _parse_trial(trial, ids, where):
    """Return the reference, the ranking, the participant and the number of repeated clicks."""
    words, clicks, person = trial[: N_RANKED + 1], trial[N_RANKED + 1], trial[N_RANKED + 2]
    for word in words:
        if word not in ids or words.count(word) > 1:
            raise ValueError(
                f"{where} has {shown(word)}, expected one of the {len(ids)} animals, and each once"
            )
    places = [int(place) for place in re.findall(r"stim(\d+)", clicks)]
    once = [place for place, before in zip(places, [0, *places], strict=False) if place != before]
    if sorted(once) != list(range(1, N_RANKED + 1)):
        raise ValueError(
            f"{where} has the clicks {shown(clicks, 120)}, expected each of {_STIMULI} once"
        )
    if not person.strip():
        raise ValueError(f"{where} has the participant {person!r}, expected a name")
    reference, *ranking = (ids[words[place]] for place in [0, *once])
    return reference, ranking, person, len(places) - len(once)
