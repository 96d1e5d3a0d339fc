"""Measure in simulations how often the true dimension is found, and how well lapses are estimated.

- `dimension` counts how often the axes of a low-rank map and the search, with one repeat, have the
  true dimension, and compares their seconds.
- `rules` counts how often each rule of the search finds the true dimension.
- `lapses` prints mean estimates of the lapse rate, and log losses.

The tables are those of `lab/docs/uncertainty.md` and `docs/probability.md`. All take two minutes.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from tqdm import tqdm

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_points, swap_answers
from closerthan.scores import log_loss
from closerthan_lab.dimension import DimensionSearch

sys.path.insert(0, str(Path(__file__).parents[2] / "lab"))
from calibrate import logistic, own

N_OBJECTS = 60
SPREADS = {  # of the points, along each true dimension
    "one": [1],
    "two": [1, 1],
    "three": [1, 1, 1],
    "five": [1, 1, 1, 1, 1],
    "three, each with 0.7 times the spread of the one before": [1, 0.7, 0.49],
}


def swapped_answers(spreads, seed):
    """Return 10 n p log2(n) answers about normal points, a tenth of them swapped."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(N_OBJECTS, len(spreads))) * spreads
    n_answers = round(10 * N_OBJECTS * len(spreads) * np.log2(N_OBJECTS))
    answers = sample_from_points(points, n_answers, replace=True, random_state=rng)
    return swap_answers(answers, 0.1, random_state=rng)[0]


def axes_of_low_rank(answers):
    """Return the number of axes that the penalty keeps, as `lab/docs/uncertainty.md` counts."""
    wide = OrdinalEmbedding(10, loss="ste", penalty="low-rank", strength="auto", random_state=0)
    path = wide.fit(answers).path_
    least = path["error"].min()
    standard_error = np.sqrt(least * (1 - least) / (len(answers) / 5))
    strength = path["strength"][path["error"] <= least + standard_error].max()
    embedding = wide.set_params(strength=strength).fit(answers).embedding_
    variances = np.linalg.eigvalsh(np.cov(embedding.T))
    return (variances > 0.05 * variances.max()).sum()


def searched(answers, **options):
    """Return the dimension that the search finds, of one to seven."""
    search = DimensionSearch(dimensions=range(1, 8), random_state=0, **options)
    return search.fit(answers).best_params_["n_components"]


def dimension(n_trials):
    seconds = np.zeros(2)
    for name, spreads in SPREADS.items():
        found = np.zeros(2, dtype=int)
        for seed in tqdm(range(n_trials), desc=name, leave=False):
            answers = swapped_answers(spreads, seed)
            for n, count in enumerate((axes_of_low_rank, lambda a: searched(a, n_repeats=1))):
                start = time.perf_counter()
                found[n] += count(answers) == len(spreads)
                seconds[n] += time.perf_counter() - start
        print(f"{name}: low-rank penalty {found[0]}, search {found[1]} of {n_trials}")
    print(f"the search takes {seconds[1] / seconds[0]:.1f} times as long")


def rules(n_trials):
    for name in ("two", "three", "five"):
        for rule in ("one-standard-error", "test"):
            seeds = tqdm(range(n_trials), desc=f"{name}, {rule}", leave=False)
            found = [searched(swapped_answers(SPREADS[name], s), rule=rule) for s in seeds]
            right = sum(n == len(SPREADS[name]) for n in found)
            print(f"{name}, {rule}: {right} of {n_trials}")


def lapsing_answers(n_answers, rate, seed):
    """Return answers by STE about normal points in the plane; a share is given at random."""
    rng = np.random.default_rng(seed)
    answers = own(n_answers, logistic, rng, n=N_OBJECTS)[1].comparisons
    # Half of the answers at random are wrong.
    return swap_answers(answers, rate / 2, random_state=rng)[0]


def lapses(n_trials):
    for loss in ("auto", "ste"):
        for rate in (0.0, 0.1, 0.3):
            print(f"loss {loss}, rate {rate}:", _estimate(n_trials, 5000, rate, loss=loss))
    settings = {
        "prior": {},
        "strength=0.003": {"strength": 0.003},
        "no penalty": {"penalty": None},
    }
    for name, options in settings.items():
        for per_object in (100, 40, 20):
            said = _estimate(n_trials, per_object * N_OBJECTS, 0.2, loss="ste", **options)
            print(f"{name}, {per_object} answers an object, rate 0.2:", said)
    for penalty in (None, "ridge"):
        losses = []
        for seed in range(n_trials):
            answers = lapsing_answers(2 * 40 * N_OBJECTS, 0.2, seed)
            train, test = np.array_split(answers, 2)
            options = {"loss": "ste", "lapse": "auto", "penalty": penalty, "random_state": 0}
            model = OrdinalEmbedding(n_objects=N_OBJECTS, **options).fit(train)
            losses.append(log_loss(model.predict_proba(test), test))
        print(f"penalty {penalty}, 40 answers an object: log loss {np.mean(losses):.3f}")


def _estimate(n_trials, n_answers, rate, **options):
    rates = [
        OrdinalEmbedding(n_objects=N_OBJECTS, lapse="auto", random_state=0, **options)
        .fit(lapsing_answers(n_answers, rate, seed))
        .lapse_
        for seed in range(n_trials)
    ]
    return f"{np.mean(rates):.2f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=["dimension", "rules", "lapses"])
    parser.add_argument("--trials", type=int, help="default: 20 for `dimension`, 10 for the others")
    options = parser.parse_args()
    for table in options.tables:
        run = {"dimension": dimension, "rules": rules, "lapses": lapses}[table]
        run(options.trials or (20 if table == "dimension" else 10))
