"""The colors of verdicts and outcomes: one list, for figures and pages alike.

They are those of `relsim.study.figures.style`, which the color-blind can tell apart; what is said
of stand-ins has the same ones, lighter, and no color stands without its word or its mark.
"""

__all__ = ["OUTCOMES", "VERDICTS"]

VERDICTS = {
    "reproduced": "#029e73",
    "holds": "#7fd1b9",
    "partly reproduced": "#de8f05",
    "holds in part": "#f2cf94",
    "undecided": "#949494",
    "not reproduced": "#d55e00",
    "does not hold": "#f0b08c",
    "not testable": "#c0c0c0",
    "not yet run": "#e0e0e0",
}
OUTCOMES = {
    "met": "#029e73",
    "not met": "#d55e00",
    "undecided": "#949494",
    "void": "#c0c0c0",
}
