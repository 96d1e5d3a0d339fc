"""The effects of a case: the values of its contenders, effects over trials, and their interval.

An effect is known exactly or from one side: a run that ends before its target would have taken
longer than it took. An effect therefore has a lower and an upper end, and so has every interval.
"""

from dataclasses import dataclass, replace

import numpy as np

from closerthan_study.order_statistics import COVERAGE, interval_ranks, true_coverage
from closerthan_study.spec.claims import SMALLEST, SMALLEST_BY
from closerthan_study.spec.experiment import NONE

KEYS = ["method", "variant", "batch_size", "loss", "noise", "sweep", "measure", "k"]
_ENDS = 10  # resamples that an interval leaves out, or its ends would be the extremes
RESAMPLED = "_resampled"  # ends the name of a measure of which each trial is a resample
_BUDGETS = {"epochs_to_error": "epochs", "seconds_to_error": "search_seconds"}
# Shares, of which no contender has more than all.
_SHARES = {"MAP", "MAP@R", "P@R", "precision", "recall", "f1"}


class MissingError(Exception):
    """A claim needs a result that the scores do not have; the message says which."""


class NotReadError(Exception):
    """A run does not read its curves at the epoch that a part is about."""


@dataclass(frozen=True)
class Interval:
    """An effect with its interval, signed so that more is better."""

    effect: float
    low: float
    high: float
    coverage: float
    censored: str = ""  # ">=" or "<=" where the effect is known from one side


@dataclass(frozen=True)
class Effects:
    """The effects of a case, the larger the better, and what they must be at least."""

    low: np.ndarray  # one a trial, or a resample
    high: np.ndarray
    bound: float
    scale: str  # factor, difference or value
    sign: int = 1  # what a value is shown with
    unit: str = "trials"
    share: float = 0.5
    trials: int = 0
    threshold_by: str = ""
    center: float | None = None  # of resamples, whose middle is not the effect
    void: str = ""  # why the effects tell nothing
    side: str = "at least"

    def interval(self, wanted=COVERAGE):
        """Return the effect and the interval that holds it as often as is wanted, if it can."""
        low, high = np.sort(self.low), np.sort(self.high)
        if self.share == 1:  # one that fails refutes what is said of all
            return Interval(low[0], low[0], high[0], 1.0)
        if self.unit == "count":
            return Interval(np.median(low), low[0], high[-1], 1.0)
        if self.unit == "pairs":
            wanted = min(wanted, 1 - _ENDS / len(low))
            tail = (1 - wanted) / 2
            least = np.quantile(low, tail, method="lower")
            return Interval(
                self.center, least, np.quantile(high, 1 - tail, method="higher"), wanted
            )
        rank, first, last = interval_ranks(len(low), self.share, wanted)
        coverage = true_coverage(len(low), self.share, wanted)
        # Of a half the median itself, of another share the value that it reaches.
        ends = [np.median(end) if self.share == 0.5 else end[rank] for end in (low, high)]
        censored = "" if ends[0] == ends[1] else ">=" if np.isinf(ends[1]) else "<="
        effect = ends[censored == "<="]
        return Interval(effect, low[first], high[last], coverage, censored)

    def outcome(self, interval, bound=None):
        """Whether the interval lies on one side of the bound: met, not met, or neither (None)."""
        bound = self.bound if bound is None else bound
        met = interval.low >= bound
        return met if met or interval.high < bound else None

    @property
    def neighbors(self):
        """Half and twice of what the bound asks for: of a factor, of what it has beyond one.

        A factor stays above zero, which every effect would reach.
        """
        if self.scale == "factor":
            twice = max(1 + (self.bound - 1) * 2, self.bound / 2)
            return {"half": 1 + (self.bound - 1) / 2, "twice": twice}
        return {"half": self.bound / 2, "twice": self.bound * 2}


def effects_of(part, case, table):
    """Yield the effects of a case: one for each bound of its entry, and one of a comparison.

    `table` has the scores of an experiment on a data set by `KEYS`, sorted by epoch.
    """
    sides = [side for side in (case.who, case.against) if side]
    reached = [_read(part, case, side, table) for side in sides]
    trials = sorted(set.intersection(*map(set, reached)))
    if not trials:
        names = " and ".join(map(str, sides))
        raise MissingError(f"{names}: no trial in common")
    ends = [np.array([of_side[t] for t in trials], dtype=float).T for of_side in reached]
    common = {"unit": part.unit, "share": part.share, "trials": len(trials)}
    if part.unit == "pairs":
        means = [np.mean(list(values(part, case, s, table).values())) for s in sides]
        of_means = _effects(part, case, [np.array([[m], [m]]) for m in means])
        n_trials = len(values(part, case, sides[0], table))
        common |= {"center": float(next(of_means).low[0]), "trials": n_trials}
    common["void"] = _tells_nothing(part, ends)
    for effects in _effects(part, case, ends):
        yield replace(effects, **common)


def _tells_nothing(part, ends):
    """Say why a case cannot be judged; return an empty text if it can."""
    nobody = not any(np.isfinite(high).any() for _, high in ends)
    if nobody and part.measure in _BUDGETS:
        return "no contender reaches the target"
    if part.kind != "compare":
        return ""
    if nobody:
        return "no contender has a result"
    if part.measure not in _SHARES or part.direction == "less":
        return ""
    (who, _), (against, _) = ends
    factor = SMALLEST if part.by is None else part.by.factor
    needed = against * factor if factor else against + part.by.difference
    is_full = np.median(np.nan_to_num(needed)) > 1
    # A method that is behind can be judged even if the ceiling is near.
    if is_full and np.median(np.nan_to_num(who)) >= np.median(against) / SMALLEST:
        return "the opponent is at the ceiling"
    return ""


def _effects(part, case, ends):
    if part.kind == "compare":
        yield _compare(part, *ends)
        return
    ((low, high),) = ends
    for side, bound in part.bounds.items():
        sign = 1 if side == "at least" else -1
        signed = np.sort([sign * low, sign * high], axis=0)
        signed = np.where(np.isnan(signed), -np.inf, signed)
        asked = {"threshold_by": part.threshold_by, "side": side}
        yield Effects(*signed, sign * bound, "value", sign, **asked)


def values(part, case, contender, table, measure=None):
    """Return the values of a contender by trial. A control has the same rows for all losses."""
    own = contender.loss or case.loss
    measure = measure or contender.measure or part.measure
    for loss in (own, NONE):
        keys = (contender.method, contender.variant, contender.batch_size, loss)
        keys += contender.noise, contender.sweep[1]
        rows = table.get((*keys, measure, case.k))
        if rows is not None:
            break
    else:
        with_loss = f" with {own}" if own != NONE else ""
        raise MissingError(f"no {measure} of {contender}{with_loss}")
    if part.kind == "slope" and measure == part.measure:
        return _slopes(rows, part.after, part.above)
    last = np.inf
    if getattr(part, "epoch", None) is not None and measure == part.measure:
        last = part.epoch
        if not rows.epoch.eq(last).any():
            raise NotReadError(f"this run has no values after {last:g} epochs")
    late = (rows.epoch > last) | (rows.triplets > (case.triplets or np.inf))
    return dict(zip(rows.trial[~late], rows.value[~late], strict=True))  # the last one counts


def _read(part, case, contender, table):
    """Return both ends of what a contender reached, by trial, or by resample."""
    measure = contender.measure or part.measure
    if part.unit == "pairs":
        measure += RESAMPLED
    found = values(part, case, contender, table, measure)
    if measure not in _BUDGETS:
        return {trial: (value, value) for trial, value in found.items()}
    budgets = values(part, case, contender, table, _BUDGETS[measure])
    if measure == "epochs_to_error":  # one that stops by itself would keep what it has
        budgets = {trial: max(budget, contender.epochs) for trial, budget in budgets.items()}
    return {
        trial: (budgets[trial], np.inf) if np.isnan(value) else (value, value)
        for trial, value in found.items()
        if trial in budgets
    }


def _slopes(rows, after, above):
    """Return the slope of each trial's curve on log-log axes, without the first part of it.

    A curve ends where it first falls to `above`, under which is rounding alone.
    """
    slopes = {}
    axis = "epoch" if rows.triplets.isna().any() else "triplets"
    for trial, curve in rows.groupby("trial"):
        curve = curve.sort_values(axis)
        curve = curve[~(curve.value <= above).cummax()]
        start = max(0.0, after * curve[axis].max())
        curve = np.log(curve.loc[curve[axis] > start, [axis, "value"]])
        slopes[trial] = np.polyfit(curve[axis], curve.value, 1)[0] if len(curve) > 2 else np.nan
    return slopes


def _compare(part, who, against):
    """Return how much better a contender was in each trial. A missing value is the worst."""
    less = part.direction == "less"
    divide = part.by is None or part.by.factor is not None
    worst = np.inf if less else (0.0 if divide else -np.inf)
    who, against = (np.where(np.isnan(ends), worst, ends) for ends in (who, against))
    better, worse = (against, who) if less else (who, against)
    by = part.by
    if divide and min(np.min(who), np.min(against)) < 0:
        raise ValueError(f"{part.part}: {part.measure} may be negative, and has no factor")
    # The least effect is that of the worst a contender may have reached, and the most of the best.
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (_ratio if divide else _difference)(better, worse[::-1])
    scale, asked = "factor" if divide else "difference", {"threshold_by": part.threshold_by}
    if by is None:
        return Effects(low, high, SMALLEST, scale, threshold_by=SMALLEST_BY)
    return Effects(low, high, by.factor if divide else by.difference, scale, **asked)


def _ratio(above, below):
    return np.where(above == below, 1.0, above / below)


def _difference(above, below):
    return np.where(above == below, 0.0, above - below)
