"""The colors of verdicts and outcomes: one list, for figures and pages alike.

They are the colors of `closerthan_study.figures.style`, which color-blind people can distinguish.
Verdicts on stand-in data have the same colors, lighter. A word or mark goes with every color.
"""

from closerthan_study.claims import outcomes

__all__ = ["OUTCOMES", "VERDICTS"]

VERDICTS = {
    outcomes.REPRODUCED: "#029e73",
    outcomes.HOLDS: "#7fd1b9",
    outcomes.PARTLY: "#de8f05",
    outcomes.IN_PART: "#f2cf94",
    outcomes.UNDECIDED: "#949494",
    outcomes.NOT_REPRODUCED: "#d55e00",
    outcomes.DOES_NOT_HOLD: "#f0b08c",
    outcomes.NOT_TESTABLE: "#c0c0c0",
    outcomes.NOT_YET_RUN: "#e0e0e0",
}
OUTCOMES = {
    outcomes.MET: "#029e73",
    outcomes.NOT_MET: "#d55e00",
    outcomes.UNDECIDED: "#949494",
    outcomes.VOID: "#c0c0c0",
}
