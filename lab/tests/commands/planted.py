"""Files of answers about known points, for the tests of commands."""

import numpy as np
import pandas as pd

from closerthan.comparisons.noise import swap_answers
from closerthan.comparisons.sample import sample_from_points

NAMES = [f"city {letter}" for letter in "abcdefghijklmnopqrst"]
POINTS = np.random.default_rng(0).normal(size=(len(NAMES), 2))


def write_answers(path, seed=0, people=()):
    """Write a file of triplets about the known points, by people in turn, and return its path."""
    triplets = sample_from_points(POINTS, 1000, random_state=seed)
    triplets, _ = swap_answers(triplets, 0.05, random_state=seed)
    rows = pd.DataFrame(np.array(NAMES)[triplets], columns=["anchor", "near", "far"])
    if people:
        rows["user"] = np.resize(list(people), len(rows))
    rows.to_csv(path, index=False)
    return path


def write_people(path):
    """Write answers of four participants to the same questions."""
    triplets = np.tile(sample_from_points(POINTS, 150, random_state=0), (4, 1))
    triplets, _ = swap_answers(triplets, 0.1, random_state=0)
    rows = pd.DataFrame(np.array(NAMES)[triplets], columns=["anchor", "near", "far"])
    rows.assign(participant=np.repeat(list("abcd"), 150)).to_csv(path, index=False)
    return path
