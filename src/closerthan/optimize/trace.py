"""The trace of a solver: its learning curve, its time, and the rule for stopping."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from closerthan._core.progress import progress_bar
from closerthan._core.vectors import norm

_WINDOW = 10  # rows of the history without progress before a solver stops
_NORM_LIMIT = 1e12
HISTORY = ["evaluations", "seconds", "loss", "step_size", "norm"]


class Trace:
    """Record a solver's progress and tell it when to stop.

    A solver calls the trace with its points after about every epoch, and stops if the trace returns
    True. The time of the call is not counted.

    Parameters
    ----------
    objective : Objective, or anything with its `n_comparisons` and `points`
        Its `value` computes the loss if the solver does not report it. If it has `each`, a
        comparison stands for so many given ones, which the history counts.
    max_iter : int
        Largest number of epochs. An epoch is as many gradient evaluations as there are comparisons.
    tol : float
        Stop when the loss has fallen by less than this share in ten rows of the history. Zero turns
        this rule off. The solver also stops if the loss is zero.
    callback, verbose
        See :doc:`the glossary </glossary>`.

    Attributes
    ----------
    rows : list of dict
        The history: evaluations, seconds, loss, step_size, norm.
    stopped : bool
        Whether the fit must end: the callback asked for it, the budget is spent, the loss is zero,
        or the points diverged. A settled loss ends only the current solver.
    diverged : bool
        Whether the norm of the points exceeds 1e12, or the norm or the loss is not finite.
    """

    def __init__(
        self,
        objective: Any,
        max_iter: int,
        tol: float,
        callback: Callable | None = None,
        verbose: int = 0,
    ):
        self.objective = objective
        self.budget = max_iter * objective.n_comparisons
        self.tol = tol
        self.callback = callback
        self.rows: list[dict] = []
        self.diverged = False
        self._bar = progress_bar(verbose, total=max_iter, unit="epoch")
        self.stopped = False
        self._each = getattr(objective, "each", 1.0)
        self._seconds = 0.0
        self._begun = self._spent = 0  # rows and evaluations before the present solver
        self._evaluations = 0
        self._started = time.perf_counter()

    def __call__(self, X, evaluations, step_size, loss=None):
        self._seconds += time.perf_counter() - self._started
        self._evaluations = evaluations + self._spent
        self._record(X, self._evaluations, step_size, loss)
        stop = self.stopped or self._settled()
        self._started = time.perf_counter()
        return stop

    def carry_on(self) -> None:
        """Let another solver continue; its evaluations are added to the earlier ones."""
        if self.rows:
            self._begun, self._spent = len(self.rows), self._evaluations

    def _record(self, X, evaluations, step_size, loss):
        with np.errstate(over="ignore", invalid="ignore"):
            length = norm(X)
        self.diverged = not length <= _NORM_LIMIT
        if loss is None:
            loss = np.nan if self.diverged else self.objective.value(X)
        self.diverged |= not np.isfinite(loss)
        row = {
            "evaluations": round(evaluations * self._each),
            "seconds": self._seconds,
            "loss": float(loss),
            "step_size": float(step_size),
            "norm": length,
        }
        self.rows.append(row)
        if not self._bar.disable:
            epochs = evaluations / self.objective.n_comparisons  # the last may exceed the budget
            self._bar.update(min(epochs, self._bar.total) - self._bar.n)
            self._bar.set_postfix(loss=f"{loss:.4g}", refresh=False)
        asked = self.callback and self.callback(self.objective.points(X), row)
        over = evaluations >= self.budget or loss == 0.0
        self.stopped = bool(asked) or self.diverged or over

    def _settled(self):
        losses = [row["loss"] for row in self.rows[self._begun :]]
        if self.tol == 0.0 or len(losses) <= _WINDOW:
            return False
        before = min(losses[:-_WINDOW])
        return min(losses[-_WINDOW:]) > before * (1.0 - self.tol)

    def close(self) -> None:
        """End the progress bar."""
        self._bar.close()
