"""What a solver reports after each epoch: the learning curve, the clock, and when to stop.

An epoch is as many gradient evaluations as there are comparisons, for every solver, so that
solvers given the same number of epochs spend the same.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
from tqdm.auto import tqdm

from closerthan._core.vectors import norm
from closerthan.optimize.objective import Objective

_WINDOW = 10  # epochs without progress before a solver stops
_NORM_LIMIT = 1e12
HISTORY = ["evaluations", "seconds", "loss", "step_size", "norm"]


class Trace:
    """Records a solver's progress and tells it when to stop.

    A solver calls the trace with its points after about every epoch; a true answer means stop.
    The clock stands still during the call, so evaluation is not part of the seconds.

    Parameters
    ----------
    objective : Objective or KernelObjective
        Gives the loss where the solver does not.
    max_iter : int
        Budget in epochs.
    tol : float
        Stop when the loss has fallen by a smaller share than this in ten rows of the history, or
        is zero. At `tol` zero only the latter.
    callback : callable, optional
        Called as ``callback(points, row)`` after each epoch, with the current points and the
        row of the history as a dict. A true answer stops the solver.
    verbose : int
        Nonzero shows a progress bar.

    Attributes
    ----------
    rows : list of dict
        evaluations, seconds, loss, step_size, norm.
    stopped : bool
        Whether the last call said stop for good: it was asked to, nothing is left of the budget or
        of the loss, or the points overflowed. That the loss has settled may end one solver of two.
    diverged : bool
        Whether the points overflowed: their norm is beyond 1e12, or it or the loss is no number.
    """

    def __init__(
        self,
        objective: Objective,
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
        hidden = not verbose or sys.stderr is None
        self._bar = tqdm(total=max_iter, unit="epoch", disable=hidden)
        self.stopped = False
        self._seconds = 0.0
        self._begun = self._spent = 0  # rows and evaluations before the present solver
        self._started = time.perf_counter()

    def __call__(self, X, evaluations, step_size, loss=None):
        self._seconds += time.perf_counter() - self._started
        self._record(X, evaluations + self._spent, step_size, loss)
        stop = self.stopped or self._settled()
        self._started = time.perf_counter()
        return stop

    def carry_on(self) -> None:
        """Let another solver go on from here; its evaluations are added to those before."""
        if self.rows:
            self._begun, self._spent = len(self.rows), self.rows[-1]["evaluations"]

    def _record(self, X, evaluations, step_size, loss):
        with np.errstate(over="ignore", invalid="ignore"):
            length = norm(X)
        self.diverged = not length <= _NORM_LIMIT
        if loss is None:
            loss = np.nan if self.diverged else self.objective.value(X)
        self.diverged |= not np.isfinite(loss)
        row = {
            "evaluations": int(evaluations),
            "seconds": self._seconds,
            "loss": float(loss),
            "step_size": float(step_size),
            "norm": length,
        }
        self.rows.append(row)
        if not self._bar.disable:
            self._bar.update(evaluations / self.objective.n_comparisons - self._bar.n)
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
