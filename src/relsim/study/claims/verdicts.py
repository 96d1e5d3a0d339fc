"""Whether a claim reproduces: its cases, judged from the scores.

A case is met when its effect is large enough in at least a `share` of the trials (half of them,
unless the check says otherwise), paired by trial, as far as the interval of that quantile can tell.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from relsim.study.claims.cases import Case
from relsim.study.claims.effects import KEYS, MissingError, effects_of
from relsim.study.claims.evidence import say_evidence
from relsim.study.order_statistics import interval_ranks
from relsim.study.spec.experiment import NONE

_ONLY = "only against the paper's own baselines"
REPRODUCED, REPRODUCED_ONLY = "reproduced", f"reproduced {_ONLY}"
NOT_REPRODUCED = "not reproduced"
# The same on stand-in data.
HOLDS, HOLDS_ONLY = "holds", f"holds {_ONLY}"
DOES_NOT_HOLD = "does not hold"
UNDECIDED = "undecided"
NOT_YET_RUN = "not yet run"
# The best first.
VERDICTS = (
    *(REPRODUCED, HOLDS, REPRODUCED_ONLY, HOLDS_ONLY),
    *(NOT_REPRODUCED, DOES_NOT_HOLD, UNDECIDED, NOT_YET_RUN),
)


@dataclass(frozen=True)
class Outcome:
    """What the trials say of a case: an effect, its interval, and whether the case is met."""

    case: Case
    effect: float  # larger is better
    low: float
    high: float
    sign: int  # what the effect is shown with
    trials: int
    met: bool | None  # None: the trials do not decide it
    dataset: str = ""  # where there are several, or no losses to tell outcomes apart

    @property
    def part(self):
        """The loss and data set that the outcome is about."""
        loss = "" if self.case.loss == NONE else self.case.loss
        return ", ".join(filter(None, (loss, self.dataset)))


def judge(claim, scores):
    """Judge one claim.

    Parameters
    ----------
    claim : Claim
    scores : DataFrame
        Tidy rows as the scores station makes them.

    Returns
    -------
    dict
        What the claim says and the data it was judged on, and

        * `verdict`: one of `VERDICTS`;
        * `by_loss`: the verdict that each loss, or each data set, alone would get;
        * `evidence`: for each check and loss or data set the least favorable effect with its
          interval;
        * `trials`: the smallest number of trials that a case of the claim rests on.

    Notes
    -----
    A case of the kind `compare` has one effect a trial: the ratio, or the difference, of what the
    two contenders reached in it. It is met when the effect is at least the bound in a share `s` of
    the trials, that is when the (1 - s)-quantile of the effects is; which the 95 % interval of that
    quantile decides, from the ranks of `relsim.study.order_statistics.interval_ranks`. A value that
    is missing is worse than any number, and as bad as another missing one; a target error never
    reached takes infinitely long.
    """
    entry = claim.entry
    row = {"study": claim.study, "claim": claim.name, "statement": entry.statement}
    row |= {"where": entry.where, "artefact": entry.artefact, "experiment": entry.experiment}
    row |= {"dataset": "", "data": "", "verdict": NOT_YET_RUN}
    row |= {"by_loss": "", "evidence": "", "trials": 0}
    if not claim.cases:
        return row
    here = scores[(scores.study == claim.study) & scores.experiment.isin(claim.experiments)]
    found = [name for name in entry.data if (here.dataset == name).any()]
    if not found:
        names = " or ".join(entry.data)
        return row | {"evidence": f"no scores of {entry.experiment} on {names}"}
    judged, row["data"] = _judged_on(entry, found)
    row["dataset"] = ", ".join(judged)
    try:
        outcomes = _outcomes(claim, judged, here)
    except MissingError as error:
        return row | {"evidence": str(error)}
    if not outcomes:
        return row | {"evidence": f"no check is about {row['dataset']}"}
    return row | {
        "verdict": _verdict(outcomes, row["data"]),
        "by_loss": _by_loss(outcomes, row["data"]),
        "evidence": say_evidence(claim, outcomes),
        "trials": min(outcome.trials for outcome in outcomes),
    }


def _judged_on(entry, found):
    """Return the names of the data sets that count, and how they stand to those of the paper."""
    if not entry.every_dataset:
        return found[:1], entry.data[found[0]]
    wanted = [name for name, data in entry.data.items() if data != "stand-in"]
    places = [name for name in found if name in wanted]
    if not places:
        return found, "stand-in"
    same = places == wanted and all(entry.data[name] == "same" for name in places)
    return places, "same" if same else "partial"


def _outcomes(claim, datasets, scores):
    """Return the outcomes of all cases; the first of them that has no result raises."""
    measures = {check.measure for check in claim.checks}
    measures |= {side.measure for case in claim.cases for side in (case.who, case.against) if side}
    rows = scores[scores.measure.isin(measures)]
    rows = rows.fillna({"k": 0, "batch_size": 0, "sweep": 0}).astype({"triplets": float})
    rows = rows.sort_values("epoch", kind="stable")
    named = len(datasets) > 1 or claim.cases[0].loss == NONE
    outcomes = []
    for dataset, experiment in product(datasets, claim.experiments):
        here = rows[(rows.dataset == dataset) & (rows.experiment == experiment)].groupby(KEYS)
        table = dict(list(here[["trial", "epoch", "triplets", "value"]]))
        for case in claim.cases:
            if case.experiment == experiment and dataset in case.datasets:
                try:
                    outcomes += _judge_case(claim, case, table, dataset if named else "")
                except MissingError as error:
                    raise MissingError(f"{dataset}: {error}" if named else str(error)) from None
    return outcomes


def _judge_case(claim, case, table, dataset):
    check = claim.checks[case.check]
    for effects in effects_of(check, case, table):
        trials = len(effects.values)
        ordered = np.sort(effects.values)
        effect, low, high = ordered[list(interval_ranks(trials, check.share))]
        lowest, highest = effects.met_by(low), effects.met_by(high)
        met = lowest if lowest == highest and trials >= claim.entry.min_trials else None
        yield Outcome(case, effect, low, high, effects.sign, trials, met, dataset)


def _verdict(outcomes, data):
    paper, fair = (
        _all(outcome.met for outcome in outcomes if outcome.case.group == group)
        for group in ("paper", "fair")
    )
    yes, yes_only, no = REPRODUCED, REPRODUCED_ONLY, NOT_REPRODUCED
    if data == "stand-in":
        yes, yes_only, no = HOLDS, HOLDS_ONLY, DOES_NOT_HOLD
    if paper is False:
        return no
    if paper is None or fair is None:
        return UNDECIDED
    return yes if fair else yes_only


def _by_loss(outcomes, data):
    parts = {}
    for outcome in outcomes:
        parts.setdefault(outcome.part, []).append(outcome)
    return "; ".join(f"{name}: {_verdict(part, data)}" for name, part in parts.items())


def _all(answers):
    """All of yes (True), no (False) and unknown (None): one no is a no."""
    answers = set(answers)
    return False if False in answers else None if None in answers else True
