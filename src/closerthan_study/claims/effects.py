"""Compute the effects of a case over trials, and their interval.

An effect can be censored: a run that stops before its target would have taken longer. Every effect
therefore has a lower and an upper end, and so does every interval.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from closerthan_study.claims.outcomes import LEVEL, MET, NOT_MET, OPEN
from closerthan_study.order_statistics import COVERAGE, interval_ranks, true_coverage
from closerthan_study.spec.claims import SMALLEST_BY
from closerthan_study.spec.experiment import NONE

KEYS = ["method", "variant", "batch_size", "loss", "noise", "sweep", "measure", "k"]
_ENDS = 10  # an interval leaves out this many resamples, so its ends are not the extremes
RESAMPLED = "_resampled"  # suffix of measures whose trials are resamples
_BUDGETS = {"epochs_to_error": "epochs", "seconds_to_error": "search_seconds"}
# Epochs until both methods of a comparison are within 1 % of the larger of their last errors.
COMMON, _CURVE, _CLOSE = "epochs_to_common_error", "mse", 1.01
_NEAR = 1.01  # a method within this factor of one at the ceiling is not clearly behind
# Measures that are at most 1.
_SHARES = {"MAP", "MAP@R", "P@R", "R@K", "precision", "recall", "f1"}


class MissingError(Exception):
    """The scores lack a result that a claim needs; the message says which."""


class NotReadError(Exception):
    """A run has no values at the epoch that a part needs."""


@dataclass(frozen=True)
class Interval:
    """An effect with its interval; larger values are better."""

    effect: float
    low: float
    high: float
    coverage: float
    censored: str = ""  # ">=" or "<=" if the effect is censored


@dataclass(frozen=True)
class Effects:
    """The effects of a case and their lower bound; larger values are better."""

    low: np.ndarray  # one per trial or resample
    high: np.ndarray
    bound: float
    scale: str  # factor, difference or value
    sign: int = 1  # a value is multiplied by it when shown
    unit: str = "trials"
    share: float = 0.5
    trials: int = 0
    threshold_by: str = ""
    center: float | None = None  # the effect, if `low` and `high` are of resamples
    void: str = ""  # reason why the case cannot be judged
    side: str = "at least"
    two_sided: bool = False  # the bound is the smallest difference that matters

    def interval(self, wanted=COVERAGE):
        """Return the effect and its interval, with the wanted coverage if that is possible."""
        low, high = np.sort(self.low), np.sort(self.high)
        if self.share == 1:  # a single failure refutes a claim about all trials
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
        # A share of one half means the median; another share means its order statistic.
        ends = [np.median(end) if self.share == 0.5 else end[rank] for end in (low, high)]
        censored = "" if ends[0] == ends[1] else ">=" if np.isinf(ends[1]) else "<="
        effect = ends[censored == "<="]
        return Interval(effect, low[first], high[last], coverage, censored)

    def outcome(self, interval, joint, bound=None):
        """Return the outcome of the case.

        `interval` is of this case alone. `joint` is wider if the part has several cases.
        """
        bound = self.bound if bound is None else bound
        if interval.low >= bound:
            return MET
        if joint.high >= bound:
            return OPEN
        return NOT_MET if joint.high < self.behind(bound) else LEVEL

    def behind(self, bound):
        """Return the effect below which a part is not met: for what matters, its mirror image."""
        if not self.two_sided:
            return bound
        return 1 / bound if self.scale == "factor" else -bound

    @property
    def equal(self):
        """The effect of two that are equal."""
        return 1.0 if self.scale == "factor" else 0.0

    @property
    def neighbors(self):
        """Half and twice the bound; of a factor, half and twice its distance from 1, above zero."""
        if self.scale == "factor":
            twice = max(1 + (self.bound - 1) * 2, self.bound / 2)
            return {"half": 1 + (self.bound - 1) / 2, "twice": twice}
        return {"half": self.bound / 2, "twice": self.bound * 2}


def effects_of(part, case, table):
    """Yield the effects of a case: one per bound of its entry, or one for a comparison."""
    sides = [side for side in (case.who, case.against) if side]
    reached = (
        _to_common_error(case, sides, table)
        if part.measure == COMMON
        else [_read(part, case, side, table) for side in sides]
    )
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
    common["void"] = _tells_nothing(part, case, ends)
    for effects in _effects(part, case, ends):
        yield replace(effects, **common)


def _tells_nothing(part, case, ends):
    """Return the reason why a case cannot be judged, or an empty text."""
    nobody = not any(np.isfinite(high).any() for _, high in ends)
    if nobody and part.measure in _BUDGETS:
        return "no contender reaches the target"
    if part.kind != "compare":
        return ""
    if nobody:
        return "no contender has a result"
    if part.measure not in _SHARES or part.direction == "less":
        return ""
    if case.who.method == case.against.method:  # that it is good in both settings is an answer
        return ""
    (who, _), (against, _) = ends
    asked = part.by or part.smallest
    needed = against * asked.factor if asked.factor else against + asked.difference
    is_full = np.median(np.nan_to_num(needed)) > 1
    # A method that is clearly behind can be judged even near the ceiling.
    if is_full and np.median(np.nan_to_num(who)) >= np.median(against) / _NEAR:
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
    """Return the values of a contender by trial; a control has the same rows for all losses."""
    measure = measure or part.measure
    rows = _rows(case, contender, table, measure)
    if getattr(part, "after", None) is not None and measure == part.measure:
        return _slopes(rows, part.after, getattr(part, "above", 0.0))
    last = np.inf
    if getattr(part, "epoch", None) is not None and measure == part.measure:
        last = part.epoch
        if not rows.epoch.eq(last).any():
            raise NotReadError(f"this run has no values after {last:g} epochs")
    late = (rows.epoch > last) | (rows.triplets > (case.triplets or np.inf))
    return dict(zip(rows.trial[~late], rows.value[~late], strict=True))  # the last one counts


def _rows(case, contender, table, measure):
    """Return the rows of a contender by a measure, in the order of epochs."""
    own = contender.loss or case.loss
    for loss in (own, NONE):
        keys = (contender.method, contender.variant, contender.batch_size, loss)
        keys += contender.noise, contender.sweep[1]
        rows = table.get((*keys, measure, case.k))
        if rows is not None:
            return rows
    with_loss = f" with {own}" if own != NONE else ""
    raise MissingError(f"no {measure} of {contender}{with_loss}")


def _to_common_error(case, sides, table):
    """Return for each side and trial the first epoch that is near the larger last error of both."""
    curves = [_rows(case, side, table, _CURVE) for side in sides]
    lasts = pd.concat([curve.groupby("trial").value.last() for curve in curves], axis=1)
    targets = _CLOSE * lasts.max(axis=1, skipna=False)
    within = [curve[curve.value <= curve.trial.map(targets)] for curve in curves]
    firsts = [curve.groupby("trial").epoch.min() for curve in within]
    return [{trial: (epoch, epoch) for trial, epoch in first.items()} for first in firsts]


def _read(part, case, contender, table):
    """Return the lower and upper ends of a contender's values, by trial or resample."""
    measure = part.measure
    if part.unit == "pairs":
        measure += RESAMPLED
    found = values(part, case, contender, table, measure)
    if measure not in _BUDGETS:
        return {trial: (value, value) for trial, value in found.items()}
    budgets = values(part, case, contender, table, _BUDGETS[measure])
    if measure == "epochs_to_error":  # a method that has stopped would keep its error
        budgets = {trial: max(budget, contender.epochs) for trial, budget in budgets.items()}
    return {
        trial: (budgets[trial], np.inf) if np.isnan(value) else (value, value)
        for trial, value in found.items()
        if trial in budgets
    }


def read_by(claim, case):
    """Yield each method and measure that a case reads."""
    part = claim.parts[case.entry]
    for side in filter(None, (case.who, case.against)):
        yield side.method, part.measure
        yield side.method, part.measure + RESAMPLED
        yield side.method, _BUDGETS.get(part.measure, part.measure)
        yield side.method, _CURVE if part.measure == COMMON else part.measure
    for premise, who in zip(part.premises if case.premises else (), case.premises, strict=True):
        yield (who or case.who).method, premise.measure


def _slopes(rows, after, above):
    """Return the slope of each trial's curve on log-log axes, without its first part.

    A curve ends where it first falls to `above`, because smaller values are rounding.
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
    """Return how much better a contender was in each trial; a missing value is the worst."""
    less = part.direction == "less"
    asked = part.by or part.smallest
    divide = asked.factor is not None
    worst = np.inf if less else (0.0 if divide else -np.inf)
    who, against = (np.where(np.isnan(ends), worst, ends) for ends in (who, against))
    better, worse = (against, who) if less else (who, against)
    if divide and min(np.min(who), np.min(against)) < 0:
        raise ValueError(f"{part.part}: {part.measure} can be negative, so it has no factor")
    # The lower end uses the contender's worst possible value, the upper end its best one.
    with np.errstate(divide="ignore", invalid="ignore"):
        found = better / worse[::-1] if divide else better - worse[::-1]
    low, high = np.where(better == worse[::-1], 1.0 if divide else 0.0, found)
    return Effects(
        *(low, high, asked.factor if divide else asked.difference),
        scale="factor" if divide else "difference",
        threshold_by=part.threshold_by or SMALLEST_BY,
        two_sided=part.by is None,
    )
