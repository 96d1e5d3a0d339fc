"""Say a verdict in sentences: how many parts are met, and which have another outcome."""

from itertools import chain

import numpy as np

from closerthan_study.claims import outcomes
from closerthan_study.claims.cases import FAIR, PAPER

_SHOWN = 6  # parts named in a sentence; the others are counted

_SUPPORT = {
    "words": "the words",
    "code": "the code",
    "printed": "other printed numbers",
    "judged": "the judged number alone",
    "ours": "a choice of ours",
}


def say_label(readings):
    """Return what each reading of a hinge makes of a claim, or "" if all make the same of it.

    Examples
    --------
    >>> say_label([("not", "words"), ("reproduced", "code")])
    'not by the words, reproduced by the code'
    >>> say_label([("partly", "printed"), ("not", "code"), ("partly", "judged")])
    'partly by other printed numbers and the judged number alone, not by the code'
    >>> say_label([("not", "code"), ("partly", "ours"), ("not", "ours")])
    'not by the code, partly or not by a choice of ours'
    >>> say_label([("partly", "words"), ("partly", "code"), ("not yet judged", "ours")])
    ''
    """
    found: dict[str, list] = {}  # the verdicts of each source
    for verdict, source in readings:
        if verdict != outcomes.NOT_YET_JUDGED:
            found.setdefault(source, []).append(verdict)
    if len(set(chain(*found.values()))) < 2:
        return ""
    sources: dict[str, list] = {}  # those with the same verdicts
    for source, verdicts in found.items():
        said = " or ".join(dict.fromkeys(verdicts))
        sources.setdefault(said, []).append(_SUPPORT[source])
    return ", ".join(f"{said} by {' and '.join(named)}" for said, named in sources.items())


def say_verdict(row, parts, counted):
    """Return the verdict of a claim, which rests on the `counted` parts, in sentences."""
    alone = len({part["part"].partition(": ")[0] for part in parts}) == 1
    own = [part for part in counted if part["baselines"] != FAIR]
    sentences = [_say(row["verdict"].capitalize(), own, alone)]
    if row["verdict_fair"]:
        fair = [part for part in counted if part["baselines"] != PAPER]
        sentences.append(_say(f"Against fair baselines {row['verdict_fair']}", fair, alone))
    others = [part for part in parts if part not in counted and part["baselines"] != FAIR]
    if others:
        told = [part for part in others if part["outcome"] != outcomes.VOID]
        met = f"{_count(told, outcomes.MET)} of {len(told)} parts are met"
        text = met if told else "all parts are void"
        sentences.append(f"On stand-in data, {text}.")
    return " ".join(sentences)


def say_changes(verdict, parts):
    """Say which part is nearest to its threshold, in which run, and what it would change there."""
    own = [part for part in parts if part["baselines"] != FAIR and part["outcome"] != outcomes.VOID]
    missed = [part for part in own if part["outcome"] != outcomes.MET]
    if not own:
        return "Nothing that this run measures."
    nearest, others = _nearest(own if verdict == outcomes.REPRODUCED else missed), len(missed) - 1
    turned, label = "met it", outcomes.REPRODUCED if len(own) == 1 else outcomes.PARTLY
    if verdict == outcomes.REPRODUCED:
        turned, label = "did not meet it", outcomes.NOT if len(own) == 1 else outcomes.PARTLY
    elif verdict == outcomes.PARTLY:
        also = {0: "", 1: " and the other part"}.get(others, f" and the {others} other parts")
        turned, label = f"met it{also}", outcomes.REPRODUCED
    unit = "pairs" if nearest["unit"] == "pairs" else "trials"
    which = "The part closest to its threshold, in lengths of its interval,"
    if 0 < len(missed) < len(own):
        which = f"Of the parts that are not met, {which.lower()}" if others else "The part not met"
    return (
        f"{which} is: {nearest['part']}. It is measured by {nearest['run']}, here with "
        f"{nearest['trials']} {unit}. If a run with more {unit} {turned}, the verdict would be "
        f"{label}."
    )


def _nearest(parts):
    """Return the part whose effect is nearest to its threshold, in lengths of its interval."""

    def distance(part):
        with np.errstate(invalid="ignore"):  # of two infinities
            ends = np.array([part["low"], part["high"]]) - part["effect"]
        if not np.isfinite(ends).any():
            return np.inf
        length = 2 * np.abs(ends[np.isfinite(ends)]).mean() or abs(part["threshold"]) or 1.0
        return abs(part["effect"] - part["threshold"]) / length

    return min(parts, key=distance)


def _say(verdict, parts, alone):
    """Return the sentence for one group of baselines. `alone`: do not name the sub-claim."""
    told = [part for part in parts if part["outcome"] != outcomes.VOID]
    void = [part for part in parts if part["outcome"] == outcomes.VOID]
    if not told:
        return f"{verdict}: {_whys(void)}."
    n_met, n_open = (_count(told, outcome) for outcome in (outcomes.MET, outcomes.OPEN))
    counts = f"{n_met} of {len(told)} parts met" + f", {n_open} open" * (n_open > 0)
    said = [f"{verdict}: {counts}"]
    for outcome in (outcomes.NOT_MET, outcomes.LEVEL, outcomes.OPEN):
        of_outcome = [part for part in told if part["outcome"] == outcome]
        if of_outcome and len(of_outcome) < len(told):  # if all are, no names are needed
            said.append(f"{outcome.capitalize()}: {_names(of_outcome, alone)}")
    if void:
        said.append(f"Void: {_names(void, alone)} ({_whys(void)})")
    return ". ".join(said) + "."


def _count(parts, outcome):
    return sum(part["outcome"] == outcome for part in parts)


def _whys(parts):
    """Return the reasons why parts are void, each once."""
    return "; ".join(dict.fromkeys(part["reason"] for part in parts))


def _names(parts, alone):
    """Return the names of parts, at most the first few."""
    names = []
    for part in parts:
        rest = part["part"].partition(": ")[2]
        names.append(rest if alone and rest else part["part"])
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return "; ".join(names[:_SHOWN]) + more
