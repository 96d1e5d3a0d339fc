"""Detection of participants who answer unlike the others, guess, hurry, or prefer one side."""

import numpy as np
import pandas as pd
from scipy.special import bdtr, bdtrc, ndtr

from closerthan.comparisons.answers import as_answers
from closerthan_lab.quality.agreement import Pairs
from closerthan_lab.quality.multiplicity import holm

LEVEL = 0.05  # of the tests, over all participants together (familywise)
_CHANCE = 0.005  # level of the test against guesses, on each side, for each participant
_HURRY = 1 / 3  # of the others' median time


def compare_participants(answers):
    """Compare each participant's answers with the others' answers to the same questions.

    A participant is *unlike* the others if Holm's test at 0.05 finds less than half of the expected
    excess of the agreement over chance.

    Returns a DataFrame with one row per participant, sorted by name: ``participant``, ``n_answers``
    (screens), ``n_shared`` (comparisons that somebody else answered, too), ``agreement`` with the
    others, ``expected`` agreement, ``p_value`` (adjusted) and ``unlike``. Values are NaN if a
    participant shares no comparison.
    """
    pairs = Pairs(as_answers(answers), "different", "comparisons")
    person, screen, question, yes = _votes(pairs)
    names, n_answers = np.unique(pairs.answers.participant, return_counts=True)
    own = np.unique(np.stack([question, person]), axis=1, return_inverse=True)[1].ravel()
    others = np.bincount(question)[question] - np.bincount(own)[own]
    others_yes = np.bincount(question, yes)[question] - np.bincount(own, yes)[own]
    shared = others > 0
    person, screen, yes = person[shared], screen[shared], yes[shared]
    others, others_yes = others[shared], others_yes[shared]
    share = others_yes / others
    agreement = _mean(yes * share + (1 - yes) * (1 - share), person, len(names))
    overall = np.average(yes * share + (1 - yes) * (1 - share)) if len(yes) else np.nan
    # Below an agreement of 1/2 there is no such Beta distribution.
    overall = min(max(overall, 0.501), 0.999)
    prior = (1 - overall) / (2 * overall - 1)
    y = (others_yes + prior) / (others + 2 * prior)
    observed, expected = yes * y + (1 - yes) * (1 - y), y**2 + (1 - y) ** 2
    deviation = np.abs(2 * y - 1) * np.sqrt(y * (1 - y))
    of_screen = np.bincount(screen, deviation, minlength=pairs.answers.n_screens) ** 2
    variance = np.bincount(pairs.person, of_screen, minlength=len(names))
    gap = np.bincount(person, observed - expected, minlength=len(names))
    with np.errstate(invalid="ignore"):
        p_value = ndtr(gap / np.sqrt(variance))
    tested = np.isfinite(p_value)
    p_value[tested] = holm(p_value[tested])
    mean_expected = _mean(expected, person, len(names))
    far = _mean(observed, person, len(names)) - 0.5 < (mean_expected - 0.5) / 2
    return pd.DataFrame(
        {
            "participant": names,
            "n_answers": n_answers,
            "n_shared": np.bincount(person, minlength=len(names)),
            "agreement": agreement,
            "expected": mean_expected,
            "p_value": p_value,
            "unlike": tested & (p_value < LEVEL) & far,
        }
    )


def find_sides(place, participant=None):
    """Find participants who pick the same screen position much more often than others do.

    `place` has the position of the picked object on each screen, from 0, or -1 if it is unknown.
    Without `participant`, all picks count as picks of one person.

    Returns a DataFrame with one row per participant: ``participant``, ``n_picks``, ``n_first``
    (those of position 0), the most frequent ``place``, its ``share``, the ``expected`` share,
    ``p_value`` (adjusted) and ``one_sided``.
    """
    place = np.asarray(place)
    known = place >= 0
    people = np.zeros(len(place), dtype=np.int64) if participant is None else participant
    names, person = np.unique(people, return_inverse=True)
    n_places = int(place.max(initial=-1)) + 1
    counts = np.zeros((len(names), max(n_places, 1)))
    np.add.at(counts, (person[known], place[known]), 1)
    n_picks = counts.sum(axis=1)
    of_others = counts.sum(axis=0) - counts
    n_others = np.maximum(of_others.sum(axis=1, keepdims=True), 1)
    most = counts.argmax(axis=1)
    rows = np.arange(len(names))
    expected = np.maximum((of_others / n_others)[rows, most], 1 / max(n_places, 1))
    share = counts[rows, most] / np.maximum(n_picks, 1)
    by_chance = bdtrc(counts[rows, most] - 1, n_picks.astype(np.int64), expected)
    p_value = holm(np.minimum(max(n_places, 1) * by_chance, 1))  # Bonferroni over the positions
    one_sided = (p_value < LEVEL) & (share - expected > (1 - expected) / 2)
    return pd.DataFrame(
        {
            "participant": names,
            "n_picks": n_picks.astype(np.int64),
            "n_first": counts[:, 0].astype(np.int64),
            "place": most,
            "share": np.where(n_picks > 0, share, np.nan),
            "expected": expected,
            "p_value": p_value,
            "one_sided": one_sided,
        }
    )


def find_guessers(answers, holds, placed=None):
    """Find participants whose answers a map predicts hardly better than guesses.

    `holds` says for each comparison whether a map that was fitted without it predicts it, and
    `placed` whether that map has its objects; others do not count.

    Returns a DataFrame with one row per participant: ``participant``, ``n_answers`` that count,
    ``predicted``, ``expected``, ``p_value`` (adjusted) and ``guesses``.
    """
    names, person = np.unique(answers.participant, return_inverse=True)
    placed = np.ones(len(answers), dtype=bool) if placed is None else placed
    n_placed = np.bincount(answers.screen, placed, minlength=answers.n_screens)
    hits = np.bincount(answers.screen, placed & holds, minlength=answers.n_screens)
    counts = n_placed > 0
    n = np.bincount(person[counts], minlength=len(names))
    of_each = np.bincount(person[counts], hits[counts] / n_placed[counts], minlength=len(names))
    expected = (of_each.sum() - of_each) / np.maximum(n.sum() - n, 1)
    predicted = np.divide(of_each, n, out=np.full(len(n), np.nan), where=n > 0)
    p_value = holm(bdtr(of_each, n, expected))
    closer = np.abs(predicted - 0.5) < (expected - 0.5) / 2
    by_chance = np.minimum(bdtrc(np.ceil(of_each) - 1, n, 0.5), bdtr(np.floor(of_each), n, 0.5))
    return pd.DataFrame(
        {
            "participant": names,
            "n_answers": n,
            "predicted": predicted,
            "expected": expected,
            "p_value": p_value,
            "guesses": closer & (p_value < LEVEL) & (by_chance > _CHANCE),
        }
    )


def find_hurried(answers):
    """Return each participant's median seconds, those of the others, and who is below a third."""
    times = pd.Series(answers.time).groupby(answers.participant).median()
    of_others = np.array([times.drop(name).median() for name in times.index])
    found = times.rename_axis("participant").reset_index(name="seconds")
    return found.assign(of_others=of_others, hurried=found["seconds"] < _HURRY * of_others)


def _votes(pairs):
    """Return person, screen, question and share of yes of each answer to a question."""
    item, first = np.unique(pairs.item, return_index=True)
    weight = np.bincount(pairs.item, pairs.weight)
    yes = np.bincount(pairs.item, pairs.weight * (pairs.response == 1)) / weight
    screen = pairs.screen[first]
    return pairs.person[screen], screen, pairs.question[first], yes[item]


def _mean(values, person, n_people):
    """Return the mean of each person's values; NaN if there are none."""
    n = np.bincount(person, minlength=n_people)
    sums = np.bincount(person, values, minlength=n_people)
    return np.divide(sums, n, out=np.full(n_people, np.nan), where=n > 0)
