"""A verdict as a sentence: how many parts hold, which do not, and what could not be judged."""

from closerthan_study.claims.cases import FAIR, PAPER
from closerthan_study.claims.outcomes import MET, NOT_MET, UNDECIDED, VOID

_SHOWN = 6  # of more parts the others are counted


def say_verdict(row, parts, counted):
    """Say what a claim comes to, by its row of scoreboard.csv and its parts.

    The verdict rests on those of the parts that are `counted`.
    """
    alone = len({part["part"].partition(": ")[0] for part in parts}) == 1
    own = [part for part in counted if part["baselines"] != FAIR]
    sentences = [_say(row["verdict"].capitalize(), own, alone)]
    if row["verdict_fair"]:
        fair = [part for part in counted if part["baselines"] != PAPER]
        sentences.append(_say(f"Against fair baselines {row['verdict_fair']}", fair, alone))
    others = [part for part in parts if part not in counted and part["baselines"] != FAIR]
    if others:
        told = [part for part in others if part["outcome"] != VOID]
        text = f"{_count(told, MET)} of {len(told)} parts are met" if told else "nothing is told"
        sentences.append(f"On data that stand in, {text}.")
    return " ".join(sentences)


def _say(verdict, parts, alone):
    """Say it of one group of baselines; `alone`: the sub-claim need not be named."""
    told = [part for part in parts if part["outcome"] != VOID]
    void = [part for part in parts if part["outcome"] == VOID]
    if not told:
        return f"{verdict}: {_whys(void)}."
    said = [f"{verdict}: {_count(told, MET)} of {len(told)} parts met" if parts[1:] else verdict]
    for outcome in (NOT_MET, UNDECIDED):
        of_outcome = [part for part in told if part["outcome"] == outcome]
        if of_outcome and len(of_outcome) < len(told):  # what is true of all needs no names
            said.append(f"{outcome.capitalize()}: {_names(of_outcome, alone)}")
    if void:
        said.append(f"Not testable: {_names(void, alone)} ({_whys(void)})")
    return ". ".join(said) + "."


def _count(parts, outcome):
    return sum(part["outcome"] == outcome for part in parts)


def _whys(parts):
    """Why parts are void, each reason once and without what was measured."""
    return "; ".join(dict.fromkeys(part["reason"] for part in parts))


def _names(parts, alone):
    """What parts are called, the first of many."""
    names = []
    for part in parts:
        rest = part["part"].partition(": ")[2]
        names.append(rest if alone and rest else part["part"])
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return "; ".join(names[:_SHOWN]) + more
