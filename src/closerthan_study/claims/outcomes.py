"""The outcomes of parts, and verdicts, which a better outcome never makes worse."""

MET, LEVEL, NOT_MET, OPEN, VOID = "met", "level", "not met", "open", "void"
OUTCOMES = (MET, LEVEL, NOT_MET, OPEN, VOID)
COUNTS = {outcome: outcome.replace(" ", "_") for outcome in OUTCOMES}  # columns of scoreboard.csv
RANKS = (NOT_MET, LEVEL, OPEN, MET)  # the worst first; a void part is not counted

REPRODUCED, PARTLY, NOT = "reproduced", "partly", "not"
NOT_YET_JUDGED = "not yet judged"
VERDICTS = (REPRODUCED, PARTLY, OPEN, NOT, NOT_YET_JUDGED)  # the best first


def verdict(outcomes):
    """Return the verdict of a claim from the outcomes of its parts."""
    counted = [outcome for outcome in outcomes if outcome != VOID]
    n_met = counted.count(MET)
    if n_met:
        return REPRODUCED if n_met == len(counted) else PARTLY
    return OPEN if not counted or counted.count(OPEN) > len(counted) / 2 else NOT


def worst(outcomes):
    """Return the outcome of the lowest rank, which is the outcome of a part with several cases."""
    return min(outcomes, key=RANKS.index)
