"""What the trials say of a case: what its contenders reached, effects, and their interval."""

from dataclasses import dataclass

import numpy as np

from relsim.study.spec.experiment import NONE

KEYS = ["method", "variant", "batch_size", "loss", "noise", "sweep", "measure", "k"]


class MissingError(Exception):
    """A claim needs a result that the scores do not have; the message says which."""


@dataclass(frozen=True)
class Effects:
    """One effect a trial, the larger the better, and what it must be."""

    values: np.ndarray
    bound: float
    strict: bool  # whether the bound itself does not do
    sign: int  # what an effect is shown with

    def met_by(self, value):
        """Whether a value is large enough."""
        return bool(value > self.bound if self.strict else value >= self.bound)


def effects_of(check, case, table):
    """Yield the effects of a case: one for each bound of its check, and one of a comparison.

    Parameters
    ----------
    check : Check
    case : Case
    table : dict of tuple to DataFrame
        The scores of an experiment on a data set, by `KEYS`: trial, epoch, triplets and value,
        sorted by epoch.

    Raises
    ------
    MissingError
        If a contender has no scores, or the two have no trial in common.
    """
    sides = [side for side in (case.who, case.against) if side]
    reached = [_values(check, case, side, table) for side in sides]
    trials = sorted(set.intersection(*map(set, reached)))
    if not trials:
        raise MissingError(f"{case.who} and {case.against} have no trial in common")
    values = np.array([[of_side[trial] for trial in trials] for of_side in reached], dtype=float)
    if check.kind == "compare":
        yield _compare(check, *values)
        return
    for name, bound in check.bounds.items():
        sign = 1 if name == "at_least" else -1
        signed = np.where(np.isnan(values[0]), -np.inf, sign * values[0])
        yield Effects(signed, sign * bound, False, sign)


def _values(check, case, contender, table):
    """Return what a contender reached, by trial; a control has the same rows for all losses."""
    own = contender.loss or case.loss
    measure = contender.measure or check.measure
    for loss in (own, NONE):
        words = (contender.method, contender.variant, contender.batch_size, loss)
        words += contender.noise, contender.sweep[1]
        rows = table.get((*words, measure, case.k))
        if rows is not None:
            break
    else:
        with_loss = f" with {own}" if own != NONE else ""
        raise MissingError(f"no {measure} of {contender}{with_loss}")
    if check.kind == "slope":
        return _slopes(rows, check.after, check.above)
    last = np.inf if check.epoch is None else check.epoch
    late = (rows.epoch > last) | (rows.triplets > (case.triplets or np.inf))
    values = rows.value.fillna(np.inf) if measure.endswith("_to_error") else rows.value
    return dict(zip(rows.trial[~late], values[~late], strict=True))  # the last one counts


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


def _compare(check, who, against):
    """Return by how much a contender was better in each trial; a missing value is the worst."""
    less = check.direction == "less"
    worst = np.inf if less else 0.0
    who, against = (np.where(np.isnan(values), worst, values) for values in (who, against))
    better, worse = (against, who) if less else (who, against)
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = np.where(better == worse, 1.0, better / worse)
        differences = np.where(better == worse, 0.0, better - worse)
    if check.by is None:
        return Effects(factors, 1.0, True, 1)
    if check.by.factor is not None:
        return Effects(factors, check.by.factor, False, 1)
    return Effects(differences, check.by.difference, False, 1)
