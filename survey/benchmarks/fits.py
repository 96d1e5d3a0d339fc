"""Answer the requests to a package's process: fit, with or without a watch, and return the cost.

This module needs only numpy, because it runs in the environment of each package.
"""

import sys
import tempfile
import time

import numpy as np


def clocks():
    """Return the CPU and wall-clock seconds of this process."""
    return time.process_time(), time.perf_counter()


def since(start):
    """Return the CPU and wall-clock seconds since a time."""
    return tuple(now - then for now, then in zip(clocks(), start, strict=True))


class Watch:
    """Record the time of each step, and keep results in a file, which does not count as memory.

    A watch stops a fit after `limit` wall-clock seconds, or at its last step. With a last step it
    keeps no results.
    """

    def __init__(self, limit, last_step=None):
        self.limit, self.last_step = limit, last_step
        self.times, self.stopped = [], False
        self._kept = None if last_step else tempfile.TemporaryFile()  # noqa: SIM115  (it goes with us)
        self._start = clocks()

    def __call__(self, learned):
        self.times.append(since(self._start))
        if self._kept:
            self._kept.write(learned.astype(np.float64).tobytes())
            self._shape = learned.shape
        self.stopped = len(self.times) == self.last_step or self.times[-1][1] > self.limit
        return self.stopped

    def learned(self):
        """Yield the results step by step."""
        size = 8 * int(np.prod(self._shape))
        self._kept.seek(0)
        for _ in self.times:
            yield np.frombuffer(self._kept.read(size)).reshape(self._shape)


def test_error(points, data):
    """Return the share of test comparisons that the points violate."""
    i, j, k = np.asarray(points)[data["test"]].transpose(1, 0, 2)
    return 1.0 - np.mean(((i - j) ** 2).sum(axis=1) < ((i - k) ** 2).sum(axis=1))


def stress(points, data):
    """Return the raw stress of points: the sum of squared errors of all pairwise distances."""
    rest = sum(np.subtract.outer(column, column) ** 2 for column in np.transpose(points))
    return np.sum((np.sqrt(rest) - data["distances"]) ** 2) / 2


def neighbor_error(components, data):
    """Return the share of test rows whose nearest training row has another class."""
    train, test = data["X"] @ components.T, data["X_test"] @ components.T
    squared = (train**2).sum(axis=1) - 2 * test @ train.T
    return np.mean(data["y"][squared.argmin(axis=1)] != data["y_test"])


QUALITIES = {"ordinal": test_error, "mds": stress}


class Fits:
    """The requests, one method each."""

    def __init__(self, tasks):
        self._tasks = tasks
        self._data, self._path = {}, None
        self._watched = {}

    def contenders(self):
        """Return the contenders of each task."""
        return {task: list(contenders) for task, contenders in self._tasks.items()}

    def fit(self, task, contender, path, seed, watched=False, last_step=None, limit=600.0):
        """Fit once; return the seconds, the peak memory and the quality."""
        data = self._load(path)
        watch = Watch(limit, last_step) if watched or last_step else None
        forget_peak()
        start = clocks()
        learned = self._tasks[task][contender](data, seed, watch)
        cpu, wall = since(start)
        if watched:
            self._watched[contender] = watch
        return {
            "cpu": cpu,
            "wall": wall,
            "peak_mb": peak_mb(),
            "quality": float(QUALITIES.get(task, neighbor_error)(learned, data)),
            "ended": not (watch and watch.stopped),
        }

    def reach(self, contender, target):
        """Return the first step of the watched fit that reaches a quality, or None."""
        watch = self._watched.pop(contender)
        for step, learned in enumerate(watch.learned()):
            if test_error(learned, self._data) <= target:
                cpu, wall = watch.times[step]
                return {"step": step + 1, "cpu": cpu, "wall": wall}
        return None

    def versions(self):
        """Return the versions of the packages in use."""
        names = ("numpy", "scipy", "numba", "sklearn", "torch", "cblearn", "metric_learn")
        loaded = {name: getattr(sys.modules.get(name), "__version__", None) for name in names}
        return {"python": sys.version.split()[0], **{k: v for k, v in loaded.items() if v}}

    def _load(self, path):
        if path != self._path:
            with np.load(path) as arrays:
                self._data, self._path = dict(arrays), path
        return self._data


def forget_peak():
    """Reset the peak memory, if the system can."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


def peak_mb():
    """Return the peak resident memory in megabytes, or None if the system does not report it."""
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
    except OSError:
        return None
