"""Measure SPoSE with all cores on 4.7 million odd ones out, as many as THINGS has.

The answers are simulated from the published 49 dimensions. The study `things` has all that depends
on people's answers, and the seconds of one thread.

- `dimensions` prints, for five seeds: wall-clock seconds with the choice of the strength, peak
  memory, the share of the true dimensions that are found (r > 0.8), how many are left, and the
  accuracy less that of the truth.
- `again` times 20 refits.

Both take ten minutes on two cores.
"""

import argparse
import resource
import subprocess
import sys
import time

import numpy as np

from closerthan.comparisons import sample_odd_ones
from closerthan.datasets import load
from closerthan_lab.spose import SPoSE, largest_correlations, reproducibility

SEEDS = 5
N_SIMULATED = 4_700_000


def truth():
    """Return a model whose dimensions are the published ones."""
    model = SPoSE()
    model.embedding_ = np.maximum(load("things_spose").features, 0.0)
    return model


def dimensions(seed):
    """Print one row of the table of simulated answers."""
    model, rng = truth(), np.random.default_rng(100 + seed)
    answers, test = (
        sample_odd_ones(model.embedding_, n, random_state=rng) for n in (N_SIMULATED, 200_000)
    )
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


def again():
    """Print the time of 20 refits to simulated answers, and how many dimensions they find."""
    model = truth()
    simulated = sample_odd_ones(model.embedding_, N_SIMULATED, random_state=100)
    fit = SPoSE(n_jobs=-1, random_state=0).fit(simulated)
    before = time.perf_counter()
    table = reproducibility(fit, simulated, n_jobs=-1, random_state=1).frame()
    seconds = time.perf_counter() - before
    print(f"20 refits: {seconds:.0f} s, {(table['reproducibility'] > 0.8).sum()} of {len(table)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", default=["dimensions", "again"])
    for part in parser.parse_args().part:
        if part == "dimensions":  # a process for each seed, for its peak memory
            for seed in range(SEEDS):
                subprocess.run([sys.executable, __file__, f"seed={seed}"], check=True)
        elif part.startswith("seed="):
            dimensions(int(part.removeprefix("seed=")))
        else:
            again()
