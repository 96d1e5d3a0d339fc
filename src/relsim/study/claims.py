"""Which of the papers' claims reproduce: the checks of config/claims, judged from the scores.

A case is met when its effect is large enough in at least a `share` of the trials (half of them,
unless the check says otherwise), paired by trial, as far as a bootstrap over trials can tell.
"""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from relsim.study.claim_spec import Case, read_claims
from relsim.study.seeds import seed_sequence
from relsim.study.spec import ROOT

COLUMNS = [
    *("study", "claim", "statement", "where", "artefact", "experiment", "dataset", "data"),
    *("verdict", "by_loss", "evidence", "trials"),
]
NOT_YET_RUN = "not yet run"
UNDECIDED = "undecided"
_ONLY = "only against the paper's own baselines"
_RESAMPLES = 10_000
_COVERAGE = 0.95
_ROW_KEYS = ["method", "variant", "batch_size", "loss", "noise", "sweep", "measure", "k"]


class _MissingError(Exception):
    """A claim needs a result that the scores do not have; the message says which."""


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
        loss = "" if self.case.loss == "none" else self.case.loss
        return ", ".join(filter(None, (loss, self.dataset)))


def judge_all(spec, folder=None, root=ROOT):
    """Judge every claim of every paper from the scores of a run.

    Parameters
    ----------
    spec : Spec
    folder : path-like, optional
        Where the scores are, `{study}/{experiment}/{dataset}/*.parquet`; by default those of the
        run.
    root : path-like, optional
        The folder that holds config/.

    Returns
    -------
    DataFrame
        A row a claim, in the order of the files and of the claims in them; see `judge`.

    Raises
    ------
    ConfigError
        If a file of claims is not as it must be.
    """
    folder = Path(folder or Path(spec.results, "scores"))
    files = sorted(Path(root, "config", "claims").glob("*.yaml"))
    claims = [claim for file in files for claim in read_claims(file, spec)]
    places = {(claim.study, name) for claim in claims for name in claim.experiments}
    scores = {place: _read_scores(folder.joinpath(*place)) for place in places}
    rows = []
    for claim in claims:
        tables = [scores[claim.study, name] for name in claim.experiments]
        rows.append(judge(claim, pd.concat(tables or [_read_scores(None)])))
    return pd.DataFrame(rows, columns=COLUMNS)


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

        * `verdict`: "reproduced", "reproduced only against the paper's own baselines", "not
          reproduced", "undecided" or "not yet run"; on stand-in data "holds", "holds only ...",
          "does not hold";
        * `by_loss`: the verdict that each loss, or each data set, alone would get;
        * `evidence`: for each check and loss or data set the least favorable effect with its
          interval;
        * `trials`: the smallest number of trials that a case of the claim rests on.

    Notes
    -----
    A case of the kind `compare` has one effect a trial: the ratio, or the difference, of what the
    two contenders reached in it. It is met when the effect is at least the bound in a share `s` of
    the trials, that is when the (1 - s)-quantile of the effects is; which the 95 % interval of that
    quantile decides, a percentile bootstrap over trials with 10,000 resamples, seeded by the name
    of the claim. A value that is missing is worse than any number, and as bad as another missing
    one; a target error never reached takes infinitely long.
    """
    row = {key: getattr(claim, key) for key in ("study", "statement", "where", "artefact")}
    row |= {"claim": claim.name, "experiment": claim.experiment, "verdict": NOT_YET_RUN}
    row |= {"dataset": "", "data": "", "by_loss": "", "evidence": "", "trials": 0}
    if not claim.cases:
        return row
    here = scores[(scores.study == claim.study) & scores.experiment.isin(claim.experiments)]
    found = [place for place in claim.data if (here.dataset == place[0]).any()]
    if not found:
        names = " or ".join(name for name, _ in claim.data)
        return row | {"evidence": f"no scores of {claim.experiment} on {names}"}
    judged, row["data"] = _judged_on(claim, found)
    row["dataset"] = ", ".join(judged)
    measures = {check["measure"] for check in claim.checks}
    measures |= {side.measure for case in claim.cases for side in (case.who, case.against) if side}
    here = here[here.measure.isin(measures)]
    here = here.fillna({"k": 0, "batch_size": 0, "sweep": 0}).astype({"triplets": float})
    outcomes = []
    for dataset, experiment in product(judged, claim.experiments):
        rows = here[(here.dataset == dataset) & (here.experiment == experiment)].groupby(_ROW_KEYS)
        table = dict(list(rows[["trial", "epoch", "triplets", "value"]]))
        named = len(judged) > 1 or claim.cases[0].loss == "none"
        cases = [
            case
            for case in claim.cases
            if case.experiment == experiment and dataset in case.datasets
        ]
        try:
            outcomes += _outcomes(claim, cases, table, dataset if named else "")
        except _MissingError as error:
            return row | {"evidence": f"{dataset}: {error}" if named else str(error)}
    if not outcomes:
        return row | {"evidence": f"no check is about {row['dataset']}"}
    return row | {
        "verdict": _verdict(outcomes, row["data"]),
        "by_loss": _by_loss(outcomes, row["data"]),
        "evidence": _evidence(claim, outcomes),
        "trials": min(outcome.trials for outcome in outcomes),
    }


def _read_scores(folder):
    files = sorted(folder.glob("*/*.parquet")) if folder else []
    tables = [pd.read_parquet(file) for file in files]
    columns = ["study", "experiment", "dataset", "trial", "epoch", "triplets", "value", *_ROW_KEYS]
    scores = pd.concat(tables) if tables else pd.DataFrame()
    return scores.reindex(columns=columns)  # rows of points once had no sweep and no triplets


def _judged_on(claim, found):
    """Return the names of the data sets that count, and how they stand to those of the paper."""
    if not claim.every_dataset:
        return [found[0][0]], found[0][1]
    wanted = [place for place in claim.data if place[1] != "stand-in"]
    places = [place for place in found if place in wanted]
    if not places:
        return [name for name, _ in found], "stand-in"
    same = places == wanted and all(data == "same" for _, data in places)
    return [name for name, _ in places], "same" if same else "partial"


def _outcomes(claim, cases, table, dataset):
    resamples = {}
    outcomes = []
    for case in cases:
        check = claim.checks[case.check]
        sides = [side for side in (case.who, case.against) if side]
        values = [_values(check, case, side, table) for side in sides]
        values = pd.concat(values, axis="columns", join="inner").to_numpy().T
        trials = values.shape[1]
        if not trials:
            raise _MissingError(f"{case.who} and {case.against} have no trial in common")
        share = check.get("share", 0.5)
        if (trials, share) not in resamples:
            rng = np.random.default_rng(seed_sequence(0, claim.study, claim.name))
            resamples[trials, share] = _interval_ranks(trials, share, rng)
        for effects, bound, strict, sign in _effects(check, values):
            ordered = np.sort(effects)
            effect, low, high = ordered[list(resamples[trials, share])]
            lowest, highest = (x > bound if strict else x >= bound for x in (low, high))
            met = bool(lowest) if lowest == highest and trials >= claim.min_trials else None
            outcomes.append(Outcome(case, effect, low, high, sign, trials, met, dataset))
    return outcomes


def _interval_ranks(n, share, rng):
    """Ranks of the order statistic that a share of n trials reach, and of its 95 % interval.

    Resampling the ranks serves for all effects of n trials, because a resample of the sorted
    effects has its order statistics where the resampled ranks have theirs.
    """
    rank = n - max(1, int(np.ceil(share * n - 1e-9)))
    if share == 1:
        return 0, 0, 0  # one counterexample refutes what is said of every trial
    ranks = np.partition(rng.integers(n, size=(_RESAMPLES, n)), rank, axis=1)[:, rank]
    tail = (1 - _COVERAGE) / 2
    low = np.quantile(ranks, tail, method="inverted_cdf")
    return rank, low, np.quantile(ranks, 1 - tail, method="inverted_cdf")


def _values(check, case, contender, table):
    """Return what a contender reached in each trial; a control has the same rows for all losses."""
    own = contender.loss or case.loss
    measure = contender.measure or check["measure"]
    for loss in (own, "none"):
        words = (contender.method, contender.variant, contender.batch_size, loss)
        words += contender.noise, contender.sweep[1]
        rows = table.get((*words, measure, case.k))
        if rows is not None:
            break
    else:
        with_loss = f" with {own}" if own != "none" else ""
        raise _MissingError(f"no {measure} of {contender}{with_loss}")
    if check["kind"] == "slope":
        return _slopes(rows, check.get("after", 0.0), check.get("above", 0.0))
    late = (rows.epoch > check.get("epoch", np.inf)) | (rows.triplets > (case.triplets or np.inf))
    rows = rows[~late].sort_values("epoch")
    values = rows.drop_duplicates("trial", keep="last").set_index("trial").value
    return values.fillna(np.inf) if measure.endswith("_to_error") else values


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
    return pd.Series(slopes)


def _effects(check, values):
    """Yield the effects of all trials, larger ones better, their bound, if strict, and their sign.

    The sign is that with which an effect is shown.
    """
    if check["kind"] != "compare":
        for key, sign in (("at_least", 1), ("at_most", -1)):
            if key in check:
                effects = np.where(np.isnan(values[0]), -np.inf, sign * values[0])
                yield effects, sign * check[key], False, sign
        return
    less = check["direction"] == "less"
    who, against = np.where(np.isnan(values), np.inf if less else 0.0, values)
    better, worse = (against, who) if less else (who, against)
    by = check.get("by", {"factor": 1.0})
    with np.errstate(divide="ignore", invalid="ignore"):
        if "factor" in by:
            effects = np.where(better == worse, 1.0, better / worse)
        else:
            effects = np.where(better == worse, 0.0, better - worse)
    yield effects, next(iter(by.values())), "by" not in check, 1


def _verdict(outcomes, data):
    paper, fair = (
        _all(outcome.met for outcome in outcomes if outcome.case.group == group)
        for group in ("paper", "fair")
    )
    yes, no = ("holds", "does not hold") if data == "stand-in" else ("reproduced", "not reproduced")
    if paper is False:
        return no
    if paper is None or fair is None:
        return UNDECIDED
    return yes if fair else f"{yes} {_ONLY}"


def _by_loss(outcomes, data):
    parts = {}
    for outcome in outcomes:
        parts.setdefault(outcome.part, []).append(outcome)
    return "; ".join(f"{name}: {_verdict(part, data)}" for name, part in parts.items())


def _all(answers):
    """All of yes (True), no (False) and unknown (None): one no is a no."""
    answers = set(answers)
    return False if False in answers else None if None in answers else True


def _evidence(claim, outcomes):
    """Say for each check, group of baselines, loss and data set what was least favorable."""
    trials = min(outcome.trials for outcome in outcomes)
    few = f"{trials} trials, {claim.min_trials} needed. " if trials < claim.min_trials else ""
    parts = {}
    for outcome in outcomes:
        parts.setdefault((outcome.case.check, outcome.case.group), []).append(outcome)
    several = len({group for _, group in parts}) > 1
    return few + " | ".join(
        f"{f'{group} baselines: ' if several else ''}{_asked(claim.checks[number])}: "
        + "; ".join(_least_favorable(part))
        for (number, group), part in parts.items()
    )


def _asked(check):
    """Say in a few words what a check asks for."""
    measure = f"slope of {check['measure']}" if check["kind"] == "slope" else check["measure"]
    if "epoch" in check:
        measure += f" at epoch {check['epoch']:g}"
    share = f" in {check['share']:.0%} of trials" if "share" in check else ""
    if check["kind"] != "compare":
        keys = [key for key in ("at_least", "at_most") if key in check]
        bounds = " and ".join(f"{key.replace('_', ' ')} {check[key]:g}" for key in keys)
        return f"{measure}, {bounds}{share}"
    by = " and ".join(f"{name} at least {value:g}" for name, value in check.get("by", {}).items())
    return f"{measure} {check['direction']}, {by or 'factor above 1'}{share}"


def _least_favorable(outcomes):
    order = {False: 0, None: 1, True: 2}
    for name in dict.fromkeys(outcome.part for outcome in outcomes):
        of_part = [outcome for outcome in outcomes if outcome.part == name]
        worst = min(of_part, key=lambda outcome: (order[outcome.met], outcome.low))
        case = worst.case
        against = f" against {case.against}" if case.against else ""
        k = f", k = {case.k}" if case.k else ""
        k += f", {case.triplets} triplets" if case.triplets else ""
        low, high = sorted((worst.sign * worst.low, worst.sign * worst.high))
        effect = f"{worst.sign * worst.effect:.3g} [{low:.3g}, {high:.3g}]"
        yield f"{name} {effect} {case.who}{against}{k}, n = {worst.trials}"
