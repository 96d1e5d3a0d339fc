"""Measure the weights of people: accuracy on THINGS, and tests and intervals in simulations.

- `things` fits both kinds of map to a random 80 % of the answers, and prints the share of the other
  odd ones out that they predict, also with the participants shuffled.
- `sets` does the same for every data set with participants, in two and in five dimensions.
- `simulations` prints how often 90 % intervals hold the true weights, how often the tests find
  differences that are there or not, and how often guessers are found.

All take about ten minutes on two cores.
"""

import argparse
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers
from closerthan_lab.commands.held_out import predict_held_out
from closerthan_lab.datasets import list_datasets, load
from closerthan_lab.people import PeopleEmbedding, differences_test
from closerthan_lab.quality.participants import find_guessers

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from people.simulated import axes_of, centered, simulate

SAME = {"width": 0.0, "scale": 0.0}
HALVES = {person: person >= 20 for person in range(40)}
HEAVY = {"n_people": 40, "width": 0.2, "scale": 0.2}


def odd_ones(model, answers):
    """Return for each screen whether all its comparisons are predicted."""
    wrong = np.bincount(answers.screen, 1 - model.predict(answers), minlength=answers.n_screens)
    return wrong == 0


def fitted(answers, n_components):
    """Return both kinds of map, not fitted yet."""
    options = {"n_objects": int(answers.comparisons.max()) + 1, "n_jobs": -1, "random_state": 0}
    common = OrdinalEmbedding(n_components, **options)
    own = PeopleEmbedding(n_components, **options)
    return common, own


def things(n_components=10):
    answers = load("things_ooo").answers
    train = np.random.default_rng(0).random(answers.n_screens) < 0.8
    rest = answers.take(~train)
    same = rest.participant >= 274  # the 199 people with the same questions
    common, own = fitted(answers, n_components)
    common.fit(answers.take(train))
    before = time.perf_counter()
    own.fit(answers.take(train))
    seconds = time.perf_counter() - before
    mixed = replace(answers, participant=shuffled(answers.participant))
    _, other = fitted(answers, n_components)
    other.set_params(width=own.width_).fit(mixed.take(train))
    for name, model, given in (
        ("one map", common, rest),
        (f"own weights, {seconds:.0f} s", own, rest),
        ("own weights, participants shuffled", other, mixed.take(~train)),
    ):
        right = odd_ones(model, given)
        print(f"{name}: the 199 {right[same].mean():.4f}, others {right[~same].mean():.4f}")


def shuffled(participant):
    """Shuffle the participants of the screens of the 199, and those of the others."""
    participant, rng = participant.copy(), np.random.default_rng(0)
    for rows in (participant >= 274, participant < 274):
        participant[rows] = rng.permutation(participant[rows])
    return participant


def sets(n_splits=5):
    known = list_datasets()
    names = known.index[known.n_answers.notna() & (known.n_people > 1)]
    for name in names.drop("things_repeated"):
        answers = load(name).answers
        for n_components in (2, 5):
            gains = []
            for seed in range(1 if len(answers) > 200_000 else n_splits):
                train = np.random.default_rng(seed).random(answers.n_screens) < 0.8
                scores = [
                    model.fit(answers.take(train)).score(answers.take(~train))
                    for model in fitted(answers, n_components)
                ]
                gains.append(scores[1] - scores[0])
            print(f"{name}, {n_components} dimensions: {np.mean(gains):+.4f}", flush=True)


def covered(seed, **options):
    """Return the share of true log weights in their intervals; NaN without own weights."""
    points, logs, answers = simulate(seed, **options)
    model = PeopleEmbedding(points.shape[1], random_state=0).fit(answers)
    if model.width_ == 0:
        return np.nan
    weights, order = centered(logs)[0], axes_of(points, model.embedding_)
    ends = [
        np.log(model.people_[[f"weight_{axis + 1}_{end}" for axis in order]].to_numpy())
        for end in ("low", "high")
    ]
    return ((ends[0] <= weights) & (weights <= ends[1])).mean()


def p_value(seed, groups=None, **options):
    points, _, answers = simulate(seed, **options)
    model = PeopleEmbedding(points.shape[1], random_state=0).fit(answers)
    test = differences_test(model, answers, groups, n_permutations=199, random_state=seed)
    return test.p_value


def guessers(seed):
    """Return how many of three guessers are found, and whether anybody else is accused."""
    points, _, answers = simulate(seed, n_answers=100, n_objects=20, **SAME)
    guessed = (answers.participant < 3) & (np.random.default_rng(seed).random(3000) < 0.5)
    comparisons = answers.comparisons.copy()
    comparisons[guessed] = comparisons[guessed][:, [0, 2, 1]]
    answers = Answers(comparisons, participant=answers.participant)
    held_out = predict_held_out(OrdinalEmbedding(len(points[0]), random_state=0), answers)
    found = find_guessers(answers, held_out.holds, held_out.placed)["guesses"]
    return found[:3].sum(), found[3:].any()


def simulations(n=1000):
    logs = np.repeat([0, 1], 20)[:, None] * [np.log(1.5), 0]
    with ProcessPoolExecutor(2) as pool:

        def repeated(function, times=n, **options):
            return np.array(list(pool.map(partial(function, **options), range(times), chunksize=5)))

        for options in (
            {},
            {"n_components": 3},
            {"width": 0.2},
            {"n_people": 10, "n_answers": 1000},
        ):
            found = repeated(covered, n // 10, **options)
            print(
                f"intervals, {options}: {np.nanmean(found):.3f} "
                f"({np.isnan(found).sum()} of {len(found)} without own weights)",
                flush=True,
            )
        for name, options in (
            ("people alike", SAME),
            ("groups alike", {"groups": HALVES, "n_people": 40} | SAME),
            ("groups alike, people differ", {"groups": HALVES, "n_people": 40}),
            ("a dimension weighed 1.5 times", {"groups": HALVES, "logs": logs} | HEAVY),
        ):
            print(
                f"{name}: differ in {(repeated(p_value, **options) <= 0.05).mean():.3f}", flush=True
            )
        found, others = repeated(guessers).T
        print(
            f"guessers: {found.mean() / 3:.3f} of each, all three in {(found == 3).mean():.3f}; "
            f"others accused in {others.mean():.3f}"
        )


if __name__ == "__main__":
    parts = {"things": things, "sets": sets, "simulations": simulations}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help=", ".join(parts))
    warnings.simplefilter("ignore")
    for part in parser.parse_args().parts or parts:
        parts[part]()
