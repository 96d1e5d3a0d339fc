"""Measure SPoSE and maps with features on the odd ones out of THINGS, and on simulated ones.

- `dimensions` fits SPoSE to 4.7 million answers, for five seeds. They are simulated from the
  published 49 dimensions. It prints wall-clock seconds with the choice of the strength, peak
  memory, the share of the true dimensions that are found (r > 0.8), how many are left, and the
  accuracy less that of the truth.
- `answers` fits people's answers. It prints the held-out accuracy for several numbers of answers:
  of dimensions, and of distances in ten dimensions without and with features of CLIP.
- `new` holds out objects with all their answers.
- `again` times 20 refits.

All of it takes a quarter of an hour on two cores.
"""

import argparse
import resource
import subprocess
import sys
import time

import numpy as np

from closerthan import OrdinalEmbedding, SPoSE
from closerthan.comparisons import from_odd_one_out, to_odd_one_out
from closerthan.datasets import load
from closerthan.spose import largest_correlations, reproducibility

SEEDS = 5
N_SIMULATED = 4_700_000
AMOUNTS = (5_000, 10_000, 20_000, 40_000, 100_000)


def truth():
    """Return a model whose dimensions are the published ones."""
    model = SPoSE()
    model.embedding_ = np.maximum(load("things_spose").features, 0.0)
    return model


def simulate(model, n, rng):
    """Return questions about random objects, the odd one last, drawn from the model."""
    n_objects, questions = len(model.embedding_), np.empty((0, 3), dtype=np.int64)
    while len(questions) < n:
        more = rng.integers(n_objects, size=(n, 3))
        differ = (more[:, 0] != more[:, 1]) & (more[:, 0] != more[:, 2])
        questions = np.vstack([questions, more[differ & (more[:, 1] != more[:, 2])]])[:n]
    shares = model.predict_proba(questions).cumsum(axis=1)
    place = (rng.random((n, 1)) > shares[:, :2]).sum(axis=1)
    odd = questions[np.arange(n), place]
    rest = questions[questions != odd[:, None]].reshape(n, 2)
    return np.column_stack([rest, odd])


def dimensions(seed):
    """Print one row of the table of simulated answers."""
    model, rng = truth(), np.random.default_rng(100 + seed)
    answers, test = simulate(model, N_SIMULATED, rng), simulate(model, 200_000, rng)
    before = time.perf_counter()
    fit = SPoSE(n_jobs=-1, random_state=seed).fit(answers)
    seconds = time.perf_counter() - before
    found = (largest_correlations(model.embedding_, fit.embedding_) > 0.8).mean()
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    difference = fit.score(test) - model.score(test)
    print(
        f"seed {seed}: {seconds:.0f} s, {megabytes:.0f} MB, found {found:.0%}, "
        f"left {fit.embedding_.shape[1]}, accuracy {difference:+.4f}",
        flush=True,
    )


def people():
    """Return answers to fit, and answers to other questions to test."""
    answers = load("things_ooo").answers
    triples = to_odd_one_out(answers.take(answers.participant < 274))[0]
    question = np.unique(np.sort(triples, axis=1), axis=0, return_inverse=True)[1].ravel()
    rng = np.random.default_rng(0)
    held = rng.permutation(question.max() + 1)[question] % 100 < 15
    return rng.permutation(triples[~held]), triples[held]


def predicted(points, triples):
    """Return the share of odd ones out that distances of points predict."""
    a, b, odd = points[triples].transpose(1, 0, 2)
    pair, first, second = (((x - y) ** 2).sum(axis=1) for x, y in ((a, b), (a, odd), (b, odd)))
    return np.mean(pair < np.minimum(first, second))


def distances(triples, features=None, n_objects=1854):
    """Return a map in ten dimensions."""
    model = OrdinalEmbedding(10, n_objects=n_objects, n_jobs=-1, random_state=0)
    return model.fit(from_odd_one_out(triples, triples[:, 2]), features=features)


def answers():
    """Print held-out accuracy over the number of people's answers."""
    train, test = people()
    clip = load("things_clip").features
    for n in AMOUNTS:
        some = train[:n]
        spose = SPoSE(n_objects=1854, n_jobs=-1, random_state=0).fit(some).score(test)
        plain = predicted(np.nan_to_num(distances(some).embedding_), test)
        featured = predicted(distances(some, clip).embedding_, test)
        print(
            f"{n:,}: dimensions {spose:.3f}, distances {plain:.3f}, with features {featured:.3f}",
            flush=True,
        )


def new():
    """Print the accuracy on answers about objects that no training answer names."""
    triples, clip = np.vstack(people()), load("things_clip").features
    rng = np.random.default_rng(3)
    held = np.isin(np.arange(len(clip)), rng.permutation(len(clip))[: len(clip) // 5])
    about = held[triples].any(axis=1)
    before = time.perf_counter()
    points = distances(triples[~about], clip).embedding_
    seconds = time.perf_counter() - before
    centered = clip - clip.mean(axis=0)
    alone = centered / np.linalg.norm(centered, axis=1, keepdims=True)
    print(
        f"new objects: {predicted(points, triples[about]):.3f} in {seconds:.1f} s, "
        f"CLIP alone {predicted(alone, triples[about]):.3f}",
        flush=True,
    )


def again():
    """Print the time of 20 refits to simulated answers, and how many dimensions they find."""
    model = truth()
    simulated = simulate(model, N_SIMULATED, np.random.default_rng(100))
    fit = SPoSE(n_jobs=-1, random_state=0).fit(simulated)
    before = time.perf_counter()
    table = reproducibility(fit, simulated, n_jobs=-1, random_state=1).frame()
    seconds = time.perf_counter() - before
    print(f"20 refits: {seconds:.0f} s, {(table['reproducibility'] > 0.8).sum()} of {len(table)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", default=["dimensions", "answers", "new", "again"])
    for part in parser.parse_args().part:
        if part == "dimensions":  # a process for each seed, for its peak memory
            for seed in range(SEEDS):
                subprocess.run([sys.executable, __file__, f"seed={seed}"], check=True)
        elif part.startswith("seed="):
            dimensions(int(part.removeprefix("seed=")))
        else:
            {"answers": answers, "new": new, "again": again}[part]()
