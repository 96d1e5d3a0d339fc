"""CPU seconds to a test error of 0.15: every solver of relsim's STE, and cblearn's STE beside them.

10,000 triplets of 100 Gaussian points in 10 dimensions. Every method starts from its own random
points, warm. It is first run untimed to find out when its test error falls to 0.15, and then timed
up to there, so that no clock counts an evaluation. The two packages take turns, fit by fit. The
last two columns are a whole fit, which stops by itself, and the test error at its end.

    python benchmarks/time_to_error.py --peer-python PATH_TO_PYTHON_WITH_CBLEARN
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from relsim import OrdinalEmbedding
from relsim.comparisons import sample_from_points
from relsim.scores import triplet_error
from timing import cpu_seconds

TARGET = 0.15
N_TRIPLETS = 10_000
SOLVERS = ("auto", "batch", "sgd", "svrg")
N_DATA, N_REPEATS = 5, 5


class Ours:
    """A solver of relsim at its defaults."""

    def __init__(self, solver):
        self.name = f"relsim, {solver}"
        self.solver = solver

    def prepare(self, path):
        """Find the gradient evaluations after which the test error is low enough."""
        with np.load(path) as data:
            self.train, self.test, self.seed = data["train"], data["test"], int(data["seed"])
        self._fit(lambda X, row: triplet_error(X, self.test) <= TARGET)
        error = triplet_error(self.model.embedding_, self.test)
        assert error <= TARGET, f"{self.name} stopped at the test error {error:.3f}"
        self.needed = self.model.history_["evaluations"].iloc[-1]
        return self.needed / N_TRIPLETS

    def seconds(self):
        """CPU seconds of one fit."""
        return cpu_seconds(lambda: self._fit(lambda X, row: row["evaluations"] >= self.needed))

    def whole_fit(self):
        """CPU seconds and test error of a fit that nobody stops."""
        seconds = cpu_seconds(lambda: self._fit(None))
        return seconds, triplet_error(self.model.embedding_, self.test)

    def _fit(self, callback):
        self.model = OrdinalEmbedding(
            10, solver=self.solver, callback=callback, random_state=self.seed
        ).fit(self.train)


class Peer:
    """cblearn's STE in a process of its own."""

    name = "cblearn, STE"

    def __init__(self, python):
        script = Path(__file__).with_name("peer_ste.py")
        self.process = subprocess.Popen(
            [python, script], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def prepare(self, path):
        """Find the smallest number of iterations after which the test error is low enough."""
        self.path = path
        self.needed = 1
        while self._ask(self.needed)[1] > TARGET:
            self.needed += 1
        return self.needed

    def seconds(self):
        """CPU seconds of one fit."""
        return self._ask(self.needed)[0]

    def whole_fit(self):
        """CPU seconds and test error of a fit with the peer's own limit of iterations."""
        return self._ask(1000)

    def _ask(self, max_iter):
        print(max_iter, self.path, file=self.process.stdin, flush=True)
        seconds, error = self.process.stdout.readline().split()
        return float(seconds), float(error)


def write_data(seed, path):
    """Write train and test triplets of new points."""
    # Spawned, so that no package's random start repeats the numbers that made the points.
    points_seed, triplets_seed = np.random.SeedSequence(seed).spawn(2)
    points = np.random.default_rng(points_seed).normal(size=(100, 10))
    triplets = sample_from_points(points, 2 * N_TRIPLETS, random_state=triplets_seed)
    np.savez(path, train=triplets[:N_TRIPLETS], test=triplets[N_TRIPLETS:], seed=seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer-python", help="a Python that imports cblearn")
    python = parser.parse_args().peer_python
    methods = [Ours(solver) for solver in SOLVERS] + ([Peer(python)] if python else [])
    best, spent, whole, error = np.empty((4, len(methods), N_DATA))
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(N_DATA):
            path = Path(folder) / f"{seed}.npz"
            write_data(seed, path)
            spent[:, seed] = [method.prepare(path) for method in methods]
            turns = [[method.seconds() for method in methods] for _ in range(N_REPEATS)]
            best[:, seed] = np.min(turns, axis=0)
            whole[:, seed], error[:, seed] = np.transpose([m.whole_fit() for m in methods])
    print(f"CPU to test error {TARGET}, medians over {N_DATA} data sets, best of {N_REPEATS}")
    print(f"{'method':<16}{'steps':>8}{'ms':>8}{'peer / ours':>13}{'whole, ms':>11}{'error':>8}")
    for m, method in enumerate(methods):
        ratio = np.median(best[-1] / best[m]) if python else np.nan
        print(
            f"{method.name:<16}{np.median(spent[m]):>8.0f}{1e3 * np.median(best[m]):>8.1f}"
            f"{ratio:>13.1f}{1e3 * np.median(whole[m]):>11.0f}{np.median(error[m]):>8.3f}"
        )


if __name__ == "__main__":
    main()
