"""The outcomes of parts, the verdicts of claims, and how outcomes make a verdict."""

from closerthan_study.spec.printed import STAND_IN

MET, NOT_MET, UNDECIDED, VOID = "met", "not met", "undecided", "void"
OUTCOMES = (MET, NOT_MET, UNDECIDED, VOID)

REPRODUCED, PARTLY, NOT_REPRODUCED = "reproduced", "partly reproduced", "not reproduced"
# The same on stand-in data.
HOLDS, IN_PART, DOES_NOT_HOLD = "holds", "holds in part", "does not hold"
NOT_TESTABLE, NOT_YET_RUN = "not testable", "not yet run"
# The best first.
VERDICTS = (
    *(REPRODUCED, HOLDS, PARTLY, IN_PART, UNDECIDED),
    *(NOT_REPRODUCED, DOES_NOT_HOLD, NOT_TESTABLE, NOT_YET_RUN),
)


def verdict(outcomes, data):
    """Return the verdict of a claim from the outcomes of its parts."""
    told = [outcome for outcome in outcomes if outcome != VOID]
    all_of, some, none = REPRODUCED, PARTLY, NOT_REPRODUCED
    if data == STAND_IN:
        all_of, some, none = HOLDS, IN_PART, DOES_NOT_HOLD
    if not told:
        return NOT_TESTABLE
    if NOT_MET in told:
        return some if MET in told else none
    return UNDECIDED if UNDECIDED in told else all_of
