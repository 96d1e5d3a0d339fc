"""Measure how often intervals hold the truth, in designs that people use: `make calibrate`.

Answers of known maps are simulated. Each row of `lab/docs/calibration.csv` is a design: the share
of the truth that lies in the 90 % intervals of 40 trials, with its standard error, and the median
half-width of the intervals. It takes about ten minutes on two cores.
"""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from closerthan import OrdinalEmbedding
from closerthan.comparisons import (
    Answers,
    bradley_terry_luce,
    from_odd_one_out,
    sample_from_points,
    swap_answers,
)
from closerthan.losses import STE
from closerthan.scores import procrustes_align
from closerthan_lab.refits import pair_distances
from closerthan_lab.uncertainty import bootstrap

TABLE = Path(__file__).parent / "docs" / "calibration.csv"
PEOPLE = 20


def swap(share):
    """Return a function that answers triplets of points, a share of them wrong."""
    return lambda triplets, _, rng: swap_answers(triplets, share, random_state=rng)[0]


def by_chance(likely):
    """Return a function that answers triplets by the probability of the two squared distances."""

    def answer(triplets, points, rng):
        other = rng.random(len(triplets)) >= likely(*pair_distances(points, triplets))
        return np.where(other[:, None], triplets[:, [0, 2, 1]], triplets)

    return answer


def btl(triplets, points, rng):
    return bradley_terry_luce(triplets, points, exponent=3.0, random_state=rng)[0]


def heavy(triplets, points, rng):
    """Answer by differences of distances plus noise of heavy tails (t, 2 degrees of freedom)."""
    near, far = pair_distances(points, triplets)
    other = np.sqrt(far) - np.sqrt(near) + 0.3 * rng.standard_t(2, len(triplets)) < 0
    return np.where(other[:, None], triplets[:, [0, 2, 1]], triplets)


logistic = by_chance(STE().probability)
lapsing = by_chance(lambda near, far: 0.1 + 0.8 * STE().probability(near, far))


def own(n_answers, answer, rng, *, n=20, d=2):
    """Return points, and answers to questions drawn at random for each answer."""
    points = rng.normal(size=(n, d))
    triplets = sample_from_points(points, n_answers, replace=True, random_state=rng)
    return points, Answers(answer(triplets, points, rng))


def shared(n_questions, answer, rng, *, n=20, people=PEOPLE):
    """Return points, and the answers of all people to the same questions."""
    points = rng.normal(size=(n, 2))
    questions = np.tile(sample_from_points(points, n_questions, random_state=rng), (people, 1))
    who = np.repeat(np.arange(people), n_questions)
    return points, Answers(answer(questions, points, rng), participant=who)


def own_maps(n_questions, rng, *, same, spread=0.5):
    """Return points, and answers of people with maps of their own, to own or the same questions."""
    points = rng.normal(size=(20, 2))
    asked = sample_from_points(points, n_questions, random_state=rng)
    answers = []
    for _ in range(PEOPLE):
        mine = points + spread * rng.normal(size=points.shape)
        if not same:
            asked = sample_from_points(points, n_questions, random_state=rng)
        near, far = pair_distances(mine, asked)
        answers.append(np.where((near < far)[:, None], asked, asked[:, [0, 2, 1]]))
    return points, Answers(
        np.concatenate(answers), participant=np.repeat(np.arange(PEOPLE), n_questions)
    )


def bridges(n_bridges, rng):
    """Return points of two groups, and 400 answers, few of them across the groups."""
    points = np.concatenate([rng.normal(size=(12, 2)), rng.normal((5, 0), size=(12, 2))])
    inside = [k + sample_from_points(points[k : k + 12], 200, random_state=rng) for k in (0, 12)]
    across = sample_from_points(points, 2000, random_state=rng)
    across = across[np.isin((across < 12).sum(axis=1), (1, 2))][:n_bridges]
    return points, Answers(swap(0.1)(np.concatenate([*inside, across]), points, rng))


def odd_ones(n_screens, rng):
    """Return points, and odd ones of three; a pair has probability ~ exp(-squared distance)."""
    points = rng.normal(size=(20, 2))
    objects = np.array([rng.choice(20, 3, replace=False) for _ in range(n_screens)])
    first, second = points[objects[:, [1, 0, 0]]], points[objects[:, [2, 2, 1]]]
    far = ((first - second) ** 2).sum(axis=2)
    odd = (far - rng.gumbel(size=far.shape)).argmin(axis=1)
    return points, from_odd_one_out(objects, objects[np.arange(n_screens), odd])


def designs():
    """Yield designs in words, a function of a generator, and what `bootstrap` needs besides."""
    tenth = swap(0.1)
    for n in (400, 1000, 2000, 4000, 16000):
        yield f"{n:,} answers, 10 % at random wrong", partial(own, n, tenth), {}
    yield "800 answers, none wrong", partial(own, 800, swap(0.0)), {}
    yield "800 answers, 25 % wrong", partial(own, 800, swap(0.25)), {}
    for name, answer in (("logistic", logistic), ("Bradley-Terry-Luce", btl)):
        yield f"800 answers, {name} noise", partial(own, 800, answer), {}
        yield f"8,000 answers, {name} noise", partial(own, 8000, answer), {}
    yield "4,000 answers, logistic noise and 20 % lapses", partial(own, 4000, lapsing), {}
    yield "800 answers, logistic noise, loss STE", partial(own, 800, logistic), {"loss": "ste"}
    yield "400 odd ones out", partial(odd_ones, 400), {}
    yield "60 objects, 2,400 answers, 10 % wrong", partial(own, 2400, tenth, n=60), {}
    yield "1 dimension, 400 answers, 10 % wrong", partial(own, 400, tenth, d=1), {"d": 1}
    yield "3 dimensions, 2,000 answers, 10 % wrong", partial(own, 2000, tenth, d=3), {"d": 3}
    whose = f"{PEOPLE} people, the same 200 questions"
    for name, answer in (
        ("10 % wrong", tenth),
        ("logistic noise and 20 % lapses", lapsing),
        ("Bradley-Terry-Luce noise", btl),
    ):
        yield f"{whose}, {name}", partial(shared, 200, answer), {}
    yield (
        "60 people, the same 200 questions, 10 % wrong",
        partial(shared, 200, tenth, people=60),
        {},
    )
    yield f"{whose}, 10 % wrong, by participant", partial(shared, 200, tenth), {"by": "participant"}
    for same, questions in ((False, "200 questions each"), (True, "the same 200 questions")):
        words = f"{PEOPLE} people with maps of their own, {questions}, by participant"
        yield words, partial(own_maps, 200, same=same), {"by": "participant"}
    yield "2 groups of objects, 20 answers link them, 10 % wrong", partial(bridges, 20), {}
    yield "800 answers, noise of heavy tails", partial(own, 800, heavy), {}


def trial(number, seed, n_refits):
    """Return the share of true points in their 90 % regions, and their relative half-width."""
    _, simulate, given = list(designs())[number]
    points, answers = simulate(np.random.default_rng([seed, number]))
    model = OrdinalEmbedding(given.get("d", 2), loss=given.get("loss", "auto"), random_state=0)
    by = given.get("by", "answers")
    sure = bootstrap(model, answers, by=by, n_refits=n_refits, n_jobs=1, random_state=seed)
    away = (procrustes_align(sure.embedding, points) - sure.embedding)[:, :2]
    covariance = sure.covariance[:, :2, :2]
    held = np.einsum("ni,ni->n", away, np.linalg.solve(covariance, away[..., None])[..., 0])
    widths = np.sqrt(sure.quantile * np.linalg.eigvalsh(covariance)).mean(axis=1)
    return (held <= sure.quantile).mean(), np.median(widths) / sure.embedding.std()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--refits", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="designs whose words hold this text")
    parser.add_argument("-o", "--out", type=Path, default=TABLE)
    args = parser.parse_args()
    rows = []
    with threadpool_limits(1), ProcessPoolExecutor(args.jobs) as processes:
        for number, (words, *_) in enumerate(tqdm(list(designs()))):
            if args.only not in words:
                continue
            one = partial(trial, number, n_refits=args.refits)
            shares, widths = np.array(list(processes.map(one, range(args.trials)))).T
            error = shares.std(ddof=1) / np.sqrt(args.trials)
            rows.append([words, args.trials, shares.mean(), error, np.median(widths)])
            tqdm.write(f"{shares.mean():.3f} ± {error:.3f}  {np.median(widths):.2f}  {words}")
    names = ["design", "trials", "held", "standard_error", "half_width"]
    pd.DataFrame(rows, columns=names).round(3).to_csv(args.out, index=False)


if __name__ == "__main__":
    main()
