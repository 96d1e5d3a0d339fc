"""The compiled loop of `closerthan.comparisons.answers.hash_numbers`."""

import numpy as np

from closerthan._core.compiled import compiled


@compiled
def replace_by_hashes(numbers):
    """Replace each number by its hash (SplitMix64)."""
    for place in range(numbers.size):
        x = numbers[place] + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        numbers[place] = x ^ (x >> np.uint64(31))
