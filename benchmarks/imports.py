"""Compare the import time of closerthan with the packages that it uses.

Each statement runs in a fresh interpreter. The statements take turns, so that a slow minute of the
machine affects all of them. The result is the ratio of medians. The first round fills the bytecode
caches and is left out.
"""

import subprocess
import sys
from statistics import median
from time import perf_counter

BASE = "import sklearn.base, numba, pandas"
STATEMENTS = [BASE, "from closerthan import OrdinalEmbedding", "import closerthan.comparisons"]
ROUNDS = 15


def seconds(statement):
    """Return the wall-clock seconds of an interpreter that runs a statement."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return perf_counter() - start


def main():
    rounds = [[seconds(statement) for statement in STATEMENTS] for _ in range(1 + ROUNDS)][1:]
    medians = [median(times) for times in zip(*rounds, strict=True)]
    print(f"{'seconds':>8} {'ratio':>6}  statement, median of {ROUNDS}")
    for statement, found in zip(STATEMENTS, medians, strict=True):
        print(f"{found:8.2f} {found / medians[0]:6.2f}  {statement}")


if __name__ == "__main__":
    main()
