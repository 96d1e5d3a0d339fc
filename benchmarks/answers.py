"""Time the conversion of people's answers, and the loading and scoring of each data set."""

import numpy as np

from closerthan import comparisons as rc
from closerthan.datasets import DataUnavailable, list_datasets, load
from closerthan_lab.quality import agreement, inconsistency, noise_ceiling
from timing import best_of

MILLION = 1_000_000


def conversions():
    """Yield names and calls of conversions, each of a million screens."""
    rng = np.random.default_rng(0)
    first = rng.integers(1000, size=MILLION)
    # Distinct objects in each row, without drawing a permutation per row.
    others = first[:, None] + np.cumsum(rng.integers(1, 100, size=(MILLION, 8)), axis=1)
    three = np.column_stack([first, others[:, :2]])
    pairs = others.reshape(MILLION, 4, 2)
    signs = rng.integers(-1, 2, size=MILLION)
    best, worst = np.zeros(MILLION, dtype=int), np.full(MILLION, 3)
    yield "odd ones out", lambda: rc.from_odd_one_out(three, first)
    yield "choices of 2 of 8", lambda: rc.from_choices(first, others, others[:, :2])
    yield "rankings of 8", lambda: rc.from_rankings(first, others)
    yield "best and worst of 4 pairs", lambda: rc.from_best_worst(pairs, best, worst)
    yield "responses, a third of them ties", lambda: rc.from_responses(three, signs)
    rankings = rc.from_rankings(first, others)
    yield "back to rankings of 8", lambda: rc.to_rankings(rankings)
    yield "split of rankings by question", lambda: rc.split(rankings, 0.8, random_state=0)


def main():
    print(f"{'CPU s':>8}  a million")
    for name, call in conversions():
        print(f"{best_of(call, repeats=3):8.2f}  {name}", flush=True)
    print(f"\n{'load':>8}{'agreement':>12}{'ceiling':>10}{'cycles':>9}  CPU s of a data set")
    known = list_datasets()
    for name in known.index[known.n_answers.notna()]:
        try:
            answers = load(name).answers
        except DataUnavailable:
            print(f"{name} is not to be had; set CLOSERTHAN_DATA_MIRROR")
            continue
        calls = [lambda name=name: load(name)]
        calls += [
            lambda score=score, answers=answers: score(answers)
            for score in (agreement, noise_ceiling, inconsistency)
        ]
        seconds = [best_of(call, repeats=3) for call in calls]
        print("{:8.2f}{:12.2f}{:10.2f}{:9.2f}".format(*seconds), f" {name}", flush=True)


if __name__ == "__main__":
    main()
