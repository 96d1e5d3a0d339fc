"""Make another author's package as installed: a module and its registered names."""

MODULE = """
import numpy as np
from sklearn.base import BaseEstimator

from closerthan.files.sources import Source
from closerthan.losses import Loss, compile_slopes, compile_values
from closerthan.penalties import Penalty


class SquaredHinge(Loss):
    @staticmethod
    @compile_values
    def _values(a, b, _, out):
        for t in range(a.size):
            out[t] = max(0.0, 1.0 + a[t] - b[t]) ** 2

    @staticmethod
    @compile_slopes
    def _slopes(a, b, _, da, db):
        for t in range(a.size):
            da[t] = 2.0 * max(0.0, 1.0 + a[t] - b[t])
            db[t] = -da[t]


class Descent(BaseEstimator):
    def __init__(self, step_size=0.5):
        self.step_size = step_size

    def minimize(self, objective, X, trace, rng):
        gradient, evaluations, stop = np.empty_like(X), 0, False
        while not stop:
            X -= self.step_size * objective.gradient(X, gradient)
            evaluations += objective.n_comparisons
            stop = trace(X, evaluations, self.step_size)
        return X


class Springs(Source):
    name, title = "springs", "Springs"

    def recognizes(self, titles, path):
        return {"spring", "weaker"} <= titles

    def translate(self, rows):
        pulled = rows.frame["spring"].str.split(">", expand=True)
        return pulled.set_axis(["anchor", "near"], axis=1).assign(far=rows.frame["weaker"])


class Half(Penalty):
    def of_moments(self, moments):
        return np.trace(moments) / 2, np.eye(len(moments)), np.full(len(moments), 0.5)
"""
ENTRY_POINTS = """
[closerthan.files.sources]
springs = springs:Springs
[closerthan.losses]
squared-hinge = springs:SquaredHinge
ste = springs:Nothing
[closerthan.optimize]
steep-descent = springs:Descent
[closerthan.penalties]
half = springs:Half
"""


def install(folder, version="1.0"):
    """Put the package into a folder on Python's path."""
    about = folder / "springs.dist-info"
    about.mkdir(exist_ok=True)
    (folder / "springs.py").write_text(MODULE)
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: springs\nVersion: {version}\n")
