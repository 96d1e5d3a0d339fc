"""Where every random number of the study comes from: the words that name a run."""

import hashlib
import json

import numpy as np


def seed_sequence(seed, *words):
    """Return the random source of one run, made from the words that name it.

    Examples
    --------
    >>> a, b = (seed_sequence(1, "music", trial) for trial in (0, 1))
    >>> a.entropy == b.entropy
    False
    """
    text = json.dumps([seed, *words])
    return np.random.SeedSequence(int.from_bytes(hashlib.sha256(text.encode()).digest()))
