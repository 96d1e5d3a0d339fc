"""The colors of verdicts and outcomes, for figures and pages alike."""

from closerthan_study.claims import outcomes

VERDICTS = {
    outcomes.REPRODUCED: "#029e73",
    outcomes.PARTLY: "#de8f05",
    outcomes.OPEN: "#949494",
    outcomes.NOT: "#d55e00",
    outcomes.NOT_YET_JUDGED: "#e0e0e0",
}
OUTCOMES = {
    outcomes.MET: "#029e73",
    outcomes.LEVEL: "#56b4e9",
    outcomes.NOT_MET: "#d55e00",
    outcomes.OPEN: "#949494",
    outcomes.VOID: "#c0c0c0",
}
