"""A verdict as a sentence: how many parts hold, which do not, and what could not be judged."""

_SHOWN = 6  # of more parts the others are counted


def say_verdict(row, parts, counted):
    """Say what a claim comes to.

    Parameters
    ----------
    row : dict
        A row of scoreboard.csv, but for the sentence.
    parts : list of dict
        Its rows of parts.csv.
    counted : list of dict
        Those of them that the verdict rests on.

    Returns
    -------
    str
    """
    short = {part["part"].partition(": ")[0] for part in parts}
    own = [part for part in counted if part["baselines"] != "fair"]
    sentences = [_say(row["verdict"], own, len(short) == 1)]
    if row["verdict_fair"]:
        fair = [part for part in counted if part["baselines"] != "paper"]
        words = _say(row["verdict_fair"], fair, len(short) == 1)
        sentences.append(f"Against fair baselines {words[0].lower()}{words[1:]}")
    others = [part for part in parts if part not in counted and part["baselines"] != "fair"]
    if others:
        met = sum(part["outcome"] == "met" for part in others)
        sentences.append(f"On data that stand in, {met} of {len(others)} parts are met.")
    return " ".join(sentences)


def _say(verdict, parts, alone):
    """Say it of one group of baselines; `alone`: the sub-claim need not be named."""
    told = [part for part in parts if part["outcome"] != "void"]
    names = {
        outcome: [_short(part, alone) for part in parts if part["outcome"] == outcome]
        for outcome in ("met", "not met", "undecided", "void")
    }
    words = verdict.capitalize()
    if len(told) > 1 or len(told) < len(parts):
        words += f": {len(names['met'])} of {len(told)} parts met" if told else ""
    for outcome in ("not met", "undecided"):
        # What is true of all needs no names.
        if names[outcome] and len(parts) > 1 and len(names[outcome]) < len(told):
            words += f"; {outcome}: {_list(names[outcome])}"
    if names["void"]:
        whys = dict.fromkeys(part["why"] for part in parts if part["outcome"] == "void")
        of_what = f": {_list(names['void'])}" if len(parts) > 1 else ""
        words += f"; not testable{of_what} ({'; '.join(whys)})"
    return f"{words}."


def _short(part, alone):
    rest = part["part"].partition(": ")[2]
    return rest if alone and rest else part["part"]


def _list(names):
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
