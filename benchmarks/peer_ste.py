"""The peer's side of time_to_error.py: cblearn's STE, in the environment that it wants.

Reads requests, one a line on standard input: the number of iterations, and the file with the
triplets. Answers with the CPU seconds of one fit and the test error of its points.
"""

import sys

import numpy as np
from cblearn.embedding import STE

from timing import cpu_seconds


def answer(max_iter, path):
    """Fit STE, its other settings as they come, and return seconds and test error."""
    with np.load(path) as data:
        train, test, seed = data["train"], data["test"], int(data["seed"])
    model = STE(10, max_iter=max_iter, random_state=seed)
    seconds = cpu_seconds(lambda: model.fit(train, n_objects=100))
    i, j, k = model.embedding_[test].transpose(1, 0, 2)
    satisfied = ((i - j) ** 2).sum(axis=1) < ((i - k) ** 2).sum(axis=1)
    return seconds, 1.0 - satisfied.mean()


for line in sys.stdin:
    max_iter, path = line.split(maxsplit=1)
    print(*answer(int(max_iter), path.strip()), flush=True)
