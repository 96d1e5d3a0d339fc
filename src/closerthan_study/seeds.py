"""The seeds of all random numbers in the study, made from the names of runs."""

import hashlib
import json

import numpy as np


def seed_sequence(seed, *words):
    """Return the random source of one run, made from its names.

    >>> a, b = (seed_sequence(1, "music", trial) for trial in (0, 1))
    >>> a.entropy == b.entropy
    False
    """
    text = json.dumps([seed, *words])
    return np.random.SeedSequence(int.from_bytes(hashlib.sha256(text.encode()).digest()))
