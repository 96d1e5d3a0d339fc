"""What to ask next

Each strategy of `closerthan_lab.adaptive` chooses questions and is compared with random questions.
The table has the mean error over trials after a number of answers per object, with its standard
error.

Simulations have 30 objects in the plane. Answers are swapped at random or follow the STE model. The
error is measured on all questions without noise. Real data hold out a fifth of the questions for
the error. Strategies choose among the other questions and get an answer that a person gave.

"share of answers" is the number of answers a strategy needs to reach the final error of random
questions, divided by the number of all random questions.
"""

import time

import numpy as np
from page import figure

from closerthan.comparisons import split
from closerthan.losses import STE
from closerthan.scores import triplet_error
from closerthan_lab.adaptive import STRATEGIES, AdaptiveQuestions, number_questions, questions_of
from closerthan_lab.datasets import load

AN_OBJECT = [3, 5, 7, 10, 14, 20, 28, 40]
SIMULATED = ["5 % swapped", "10 % swapped", "STE"]
REAL = ["animals37", "cars60", "cfd36", "food100"]
POOL, TEST = 20_000, 5_000  # largest numbers of questions
SCALE = 2.0  # factor on squared distances, so that STE errs about as often as 10 % swapped


def cases(size, peers):
    tiny = size == "tiny"
    for source in SIMULATED[1:2] if tiny else [*SIMULATED, *REAL]:
        for strategy in STRATEGIES:
            trials = 1 if tiny else 10 if source in SIMULATED else 4
            n = 8 if tiny else 30 if source in SIMULATED else 0
            yield {"source": source, "strategy": strategy, "objects": n, "trials": trials}


def measure(case):
    rows = []
    for trial in range(case["trials"]):
        simulated = case["source"] in SIMULATED
        make = _simulated if simulated else _recorded
        pool, test, n = make(case["source"], case["objects"], np.random.default_rng([trial, 1]))
        rows += [
            {"trial": trial, "n": n, **row}
            for row in _ask(case["strategy"], pool, test, n, batch=n // 2, seed=trial)
        ]
    return rows


def _ask(strategy, pool, test, n, batch, seed):
    """Yield the error and the seconds so far after each number of answers per object."""
    numbers = number_questions(pool, n)
    order = np.argsort(numbers)
    asked = AdaptiveQuestions(n, strategy=strategy, random_state=seed)
    seconds = 0.0
    for stop in (n * an_object for an_object in AN_OBJECT):
        if stop > 0.7 * len(pool):  # too few questions left to choose from
            break
        while len(asked.answers) < stop:
            began = time.process_time()
            questions = asked.propose(min(batch, stop - len(asked.answers)), among=pool)
            seconds += time.process_time() - began
            found = np.searchsorted(numbers[order], number_questions(questions, n))
            asked.tell(pool[order[found]])
        error = triplet_error(np.nan_to_num(asked.model_.embedding_), test)
        yield {"an object": stop // n, "error": error, "seconds": seconds}


def _simulated(source, n, rng):
    """Return all questions with noisy answers, and with answers without noise."""
    points = rng.normal(size=(n, 2))
    questions = questions_of(np.arange(n * (n - 1) * (n - 2) // 2), n)
    i, j, k = points[questions].transpose(1, 0, 2)
    near, far = (((i - x) ** 2).sum(axis=1) for x in (j, k))
    truth = np.where((near < far)[:, None], questions, questions[:, [0, 2, 1]])
    surely = STE().probability(0.0, SCALE * np.abs(far - near))
    if source != "STE":
        surely = 1 - float(source.split()[0]) / 100
    wrong = rng.random(len(truth)) >= surely
    return np.where(wrong[:, None], truth[:, [0, 2, 1]], truth), truth, n


def _recorded(source, _, rng):
    """Return questions with one recorded answer each, and other answers for testing."""
    answers = load(source).answers
    n = int(answers.comparisons.max()) + 1
    train, test = split(answers, 0.8, random_state=rng)
    given = train.comparisons[rng.permutation(len(train))]
    given = given[np.unique(number_questions(given, n), return_index=True)[1]]
    given = rng.choice(given, min(POOL, len(given)), replace=False)
    test = rng.choice(test.comparisons, min(TEST, len(test)), replace=False)
    return given, test, n


def show(rows):
    table = []
    for source, of_source in rows.groupby("source", sort=False):
        means = of_source.groupby(["strategy", "an object"], sort=False)["error"].agg(
            ["mean", "sem"]
        )
        for strategy in of_source["strategy"].unique():
            own = means.loc[strategy]
            line = {"answers": source, "strategy": strategy}
            line |= {f"{k} an object": f"{m:.3f} ± {s:.3f}" for k, m, s in own.itertuples()}
            share = _share(means.loc["random"]["mean"], own["mean"])
            last = of_source[of_source["strategy"] == strategy].groupby("trial").tail(1)
            each = 1e3 * (last["seconds"] / (2 * last["an object"])).mean()
            table.append(line | {"share of answers": share, "ms a batch": each})
    yield "Errors, and the share of the answers that random questions need for theirs", table
    curves = rows.groupby(["source", "strategy", "an object"], sort=False)["error"].mean()
    for source, curve in curves.reset_index().groupby("source", sort=False):
        yield figure(
            curve, "an object", "error", "strategy", source, ("answers an object", "error")
        )


def _share(random, own):
    """Return the share of answers needed to reach the last error of random questions.

    Between measured numbers, logarithms are interpolated.
    """
    target = random.iloc[-1]
    reached = np.flatnonzero(own.to_numpy() <= target)
    if not len(reached):
        return np.inf
    first = reached[0]
    if first == 0:
        return own.index[0] / own.index[-1]
    between = slice(first - 1, first + 1)
    errors, numbers = np.log(own.to_numpy()[between]), np.log(own.index.to_numpy()[between])
    return float(np.exp(np.interp(-np.log(target), -errors, numbers)) / own.index[-1])


def headline(rows):
    simulated = rows[rows["source"].isin(SIMULATED) & (rows["strategy"] != "random")]
    means = rows.groupby(["source", "strategy", "an object"])["error"].mean()
    shares = [
        _share(means[source]["random"], means[source]["information-gain"])
        for source in simulated["source"].unique()
    ]
    what = "answers that `information-gain` needs, as a share of those of random questions"
    yield what, f"{min(shares):.2f} to {max(shares):.2f}, simulated"
