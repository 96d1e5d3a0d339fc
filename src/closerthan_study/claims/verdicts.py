"""Judge the parts of a claim, and the claim.

Trials are paired. A part has the worst outcome of its cases. It is open if only some of its cases
can be judged, and these are met. For a part that is met, every case is met by its own interval. The
intervals for a part that is not met are wider, so that all of them together hold.
"""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from closerthan_study.claims import outcomes
from closerthan_study.claims.cases import FAIR, NOBODY, PAPER, Case
from closerthan_study.claims.effects import (
    KEYS,
    Effects,
    Interval,
    MissingError,
    NotReadError,
    effects_of,
    values,
)
from closerthan_study.order_statistics import COVERAGE
from closerthan_study.spec.claims import OURS
from closerthan_study.spec.experiment import NONE
from closerthan_study.spec.printed import PARTIAL, SAME, STAND_IN

# With less nothing is decided, unless what is counted does not vary: five trials cover a median
# with 94 %, four with 88 %.
LEAST_COVERAGE, MIN_TRIALS = 0.9, 5


@dataclass(frozen=True)
class Judged:
    """A case on a data set, with its effects, their intervals and what these make of it."""

    case: Case
    dataset: str
    effects: Effects | None = None
    own: Interval | None = None  # the interval of this case alone
    joint: Interval | None = None  # wider, so that all `n_cases` of the part hold together
    n_cases: int = 1
    void: str = ""  # why it tells nothing
    found: str = ""  # what was measured of a premise that fails

    @property
    def outcome(self):
        """One of `OUTCOMES`."""
        return outcomes.VOID if self.void else self.outcome_at(None)

    def outcome_at(self, bound):
        """Return the outcome with another bound; None: its own."""
        if self.effects.unit == "trials" and self.effects.trials < MIN_TRIALS:
            return outcomes.OPEN
        found = self.effects.outcome(self.own, self.joint, bound)
        coverage = self.own.coverage if found == outcomes.MET else self.joint_coverage
        return found if coverage >= LEAST_COVERAGE else outcomes.OPEN

    @property
    def joint_coverage(self):
        """The probability, at least, that the joint intervals of all cases hold."""
        return max(0.0, round(1 - self.n_cases * (1 - self.joint.coverage), 6))

    @property
    def interval(self):
        """The interval that decides, with the coverage of the decision."""
        if self.outcome_at(None) == outcomes.MET:
            return self.own
        return replace(self.joint, coverage=self.joint_coverage)

    @property
    def margin(self):
        """How far above the bound the interval lies; the part shows its lowest case."""
        return self.interval.low - self.effects.bound if self.effects else 0.0


def judge(claim, scores):
    """Judge one claim: its row of scoreboard.csv, and of parts.csv a row a part and baselines.

    A part shows the least favorable of its cases. A case of the kind `compare` is met if the
    effect, a ratio or a difference, is at least the bound in a share `s` of the trials: the
    interval of the (1 - s)-quantile decides. In a part of m cases a joint interval leaves out a
    share of 0.05 / m, or as little as its trials allow. For words the unit is a pair, and pairs are
    resampled. Missing values rank below every number and tie with each other.
    """
    entry = claim.entry
    row = {"study": claim.study, "claim": claim.name, "statement": entry.statement}
    row |= {"note": entry.note, "where": entry.where}
    row |= {"verdict": outcomes.NOT_YET_JUDGED, "verdict_fair": ""}
    row |= dict.fromkeys(outcomes.COUNTS.values(), 0)
    row |= {"settings": entry.settings or "", "artefact": entry.artefact}
    row |= dict.fromkeys(("data", "readings", "why", "published"), "")
    if not claim.cases:
        return row, []
    here = scores[(scores.study == claim.study) & scores.experiment.isin(claim.experiments)]
    found = [name for name in entry.data if (here.dataset == name).any()]
    if not found:
        names = " or ".join(entry.data)
        return row | {"why": f"not yet run: no scores of {entry.experiment} on {names}"}, []
    datasets, row["data"] = _judged_on(entry, found)
    try:
        parts = _parts(claim, _judge_cases(claim, datasets, here), len(datasets) > 1)
    except MissingError as error:
        return row | {"why": f"not yet run: {error}"}, []
    if not parts:
        return row | {"why": f"not yet run: no part is about {', '.join(datasets)}"}, []
    # Stand-ins count only where there is nothing else.
    counted = [part for part in parts if row["data"] == STAND_IN or part["data"] != STAND_IN]
    of_paper = [part["outcome"] for part in counted if part["baselines"] in (PAPER, NOBODY)]
    row["verdict"] = outcomes.verdict(of_paper)
    row |= {column: of_paper.count(outcome) for outcome, column in outcomes.COUNTS.items()}
    if any(part["baselines"] == FAIR for part in counted):
        of_fair = [part["outcome"] for part in counted if part["baselines"] in (FAIR, NOBODY)]
        row["verdict_fair"] = outcomes.verdict(of_fair)
    if all(part["outcome"] == outcomes.VOID for part in counted):
        row["why"] = "; ".join(dict.fromkeys(part["reason"] for part in counted))
    return (_left_open(row, entry.stand_in) if entry.stand_in else row), parts


def _left_open(row, reason):
    """Return the row of a claim that stand-in data cannot test: open, with what they show."""
    if row["data"] != STAND_IN:
        return row
    row |= {"shown": row["verdict"], "shown_fair": row["verdict_fair"]}
    row |= {"why": f"{reason}. The data that stand in give: {row['verdict']}"}
    fair = outcomes.OPEN if row["verdict_fair"] else ""
    return row | {"verdict": outcomes.OPEN, "verdict_fair": fair}


def _judged_on(entry, found):
    """Return the names of the data sets that are judged, and how they stand to the paper's."""
    if not entry.every_dataset:
        return found[:1], entry.data[found[0]]
    wanted = [name for name, data in entry.data.items() if data != STAND_IN]
    own = [name for name in found if name in wanted]
    if not own:
        return found, STAND_IN
    kinds = {entry.data[name] for name in own}
    whole = kinds == {OURS} or (kinds == {SAME} and found == wanted)
    return found, kinds.pop() if whole else PARTIAL


def _judge_cases(claim, datasets, scores):
    """Return all cases, judged; the first of them that has no result raises."""
    tables = _tables(claim, datasets, scores)
    places = [
        (case, dataset)
        for dataset, case in product(datasets, claim.cases)
        if dataset in case.datasets
    ]
    sizes = Counter(_key(dataset, case) for case, dataset in places)
    for case, dataset in places:
        part, n_cases = claim.parts[case.entry], sizes[_key(dataset, case)]
        if part.kind == "untestable":
            yield Judged(case, dataset, void=part.void)
            continue
        try:
            table = tables[dataset, case.experiment]
            void, measured = (part.void, "") if part.void else _failed_premise(part, case, table)
            for effects in effects_of(part, case, table):
                joint = effects.interval(1 - (1 - COVERAGE) / n_cases)
                intervals = (effects.interval(), joint, n_cases)
                yield Judged(case, dataset, effects, *intervals, void or effects.void, measured)
        except NotReadError as error:
            yield Judged(case, dataset, void=str(error))
        except MissingError as error:
            where = f"{dataset}: " if len(datasets) > 1 or case.loss == NONE else ""
            raise MissingError(f"{where}{error}") from None


def _key(dataset, case):
    """The part to which a case belongs on a data set."""
    return dataset, case.entry, case.part, case.group


def _tables(claim, datasets, scores):
    """Return the scores by data set and experiment, and in these by `KEYS`."""
    rows = scores.fillna({"k": 0, "batch_size": 0, "sweep": 0}).astype({"triplets": float})
    rows = rows.sort_values("epoch", kind="stable")
    tables = {}
    for dataset, experiment in product(datasets, claim.experiments):
        here = rows[(rows.dataset == dataset) & (rows.experiment == experiment)].groupby(KEYS)
        tables[dataset, experiment] = dict(list(here[["trial", "epoch", "triplets", "value"]]))
    return tables


def _failed_premise(part, case, table):
    """Say which premise of a part some trial does not show, and what that has; else nothing."""
    for premise, who in zip(part.premises, case.premises, strict=True):
        found = values(part, case, who or case.who, table, premise.measure)
        for side, bound in premise.bounds.items():
            sign = 1 if side == "at least" else -1
            signed = [sign * value for value in found.values()]
            if not np.all(np.array(signed) >= sign * bound):
                worst = sign * np.min(np.nan_to_num(signed, nan=-np.inf))
                return premise.why, f"{premise.measure} {worst:.3g}, not {side} {bound:g}"
    return "", ""


def _parts(claim, judged, named):
    """Return the rows of parts.csv: the cases put together, the least favorable one shown."""
    groups = {}
    for one in judged:
        groups.setdefault(_key(one.dataset, one.case), []).append(one)
    return [_row(claim, cases, named) for cases in groups.values()]


def _row(claim, cases, named):
    told = [one for one in cases if not one.void] or cases
    order = (*outcomes.RANKS, outcomes.VOID)
    shown = min(told, key=lambda one: (order.index(one.outcome), one.margin))
    case, part = shown.case, claim.parts[shown.case.entry]
    said = ", ".join(filter(None, [case.part, claim.label(shown.dataset) if named else ""]))
    row = {"study": claim.study, "claim": claim.name}
    row |= {"part": ": ".join(filter(None, [part.part, said])), "baselines": case.group}
    row |= {"subject": str(case.who or ""), "against": str(case.against or "")}
    row |= {"loss": "" if case.loss == NONE else case.loss}
    row |= {"dataset": shown.dataset, "data": claim.entry.data[shown.dataset]}
    why = f"{shown.void} ({shown.found})" if shown.found else shown.void
    # What is better than some, and of the others cannot be told, is not yet better than all.
    met_in_part = shown.outcome == outcomes.MET and len(told) < len(cases)
    row |= {"outcome": outcomes.OPEN if met_in_part else shown.outcome}
    row |= {"why": why, "reason": shown.void}
    if shown.effects is None or (shown.void and not _is_known(shown.interval)):
        return row
    return row | _numbers(part, shown, cases) | {"why": why or _why(shown, cases)}


def _is_known(interval):
    return np.isfinite(interval.effect) and not interval.censored


def _numbers(part, shown, cases):
    """Return what was measured, and what was asked."""
    effects, interval, case = shown.effects, shown.interval, shown.case
    ends = effects.sign * np.array([interval.effect, interval.low, interval.high])
    is_slope = getattr(part, "after", None) is not None
    measure = f"slope of {part.measure}" if is_slope else part.measure
    measure += f"@{case.k}" if case.k else ""
    measure += f" at epoch {part.epoch:g}" if getattr(part, "epoch", None) else ""
    measure += f" after {case.triplets} triplets" if case.triplets else ""
    turned = {">=": "<=", "<=": ">=", "": ""}
    censored = interval.censored if effects.sign > 0 else turned[interval.censored]
    return {
        **{"measure": measure, "effect": ends[0], "censored": censored},
        **{"low": min(ends[1:]), "high": max(ends[1:]), "coverage": interval.coverage},
        **{"trials": effects.trials, "unit": effects.unit, "cases": len(cases)},
        **{"scale": effects.scale, "threshold": effects.sign * effects.bound},
        **{"side": effects.side, "threshold_by": effects.threshold_by},
        "turns": _turns(shown, [one for one in cases if not one.void]),
    }


def _turns(shown, cases):
    """Say what would change the outcome of the part: half or twice the threshold, more trials.

    More trials may meet an open part if its effects do.
    """
    if shown.void:
        return ""
    found, effects = [], shown.effects
    for name in effects.neighbors if effects.bound else ():
        others = [one.outcome_at(one.effects.neighbors[name]) for one in cases]
        if outcomes.worst(others) != shown.outcome:
            found.append(f"at {name}")
    varies = effects.unit == "trials" and effects.share < 1
    reach = all(one.own.effect >= one.effects.bound for one in cases)
    if shown.outcome == outcomes.OPEN and varies and reach:
        found.append("with more trials")
    return " and ".join(found)


def _why(shown, cases):
    """Say why a part is open or level, or which comparisons cannot be judged."""
    said, coverage = [], shown.interval.coverage
    better = shown.effects.two_sided and shown.interval.low > shown.effects.equal
    bound = shown.effects.bound
    least = f"by less than the {shown.effects.scale} of {bound:g} that counts here"
    if shown.outcome == outcomes.LEVEL and better:
        said.append(f"better, but {least}")
    elif shown.outcome == outcomes.LEVEL and shown.interval.low < shown.effects.behind(bound):
        said.append("level or worse")
    if shown.outcome == outcomes.OPEN:
        n = f"{shown.effects.trials} trial{'s' if shown.effects.trials > 1 else ''}"
        few = shown.effects.unit == "trials" and shown.effects.trials < MIN_TRIALS
        if coverage < LEAST_COVERAGE or few:
            of = f" of {shown.n_cases} comparisons" if shown.n_cases > 1 else ""
            said.append(f"{n}: the interval{of} covers {coverage:.0%}, too little to decide")
        elif better:
            said.append(f"better, but perhaps {least}")
        else:
            said.append("the interval holds several outcomes")
    void = [one.void for one in cases if one.void]
    if void:
        whys = "; ".join(dict.fromkeys(void))
        said.append(f"{len(void)} of {len(cases)} comparisons cannot be judged: {whys}")
    return "; ".join(said)
