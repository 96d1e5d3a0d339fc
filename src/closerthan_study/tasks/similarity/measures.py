"""What scores of learned similarities measure."""

MEASURES = {
    "MAP": "mean average precision over the whole ranking",
    "hinge": "mean hinge of the steps so far, each before it is made",
    "squared_hinge": "mean squared hinge, likewise",
    "mistake_rate": "share of the steps so far whose triplet did not hold before",
    "duality_gap": "primal objective less the dual one",
    "gap_bound": "what Theorem 1 says that the expected duality gap is at most",
    "over_gap_bound": "largest ratio of the duality gap so far to that",
    "seconds": "seconds of learning so far, in a file of its own",
    "reg": "weight of the penalty of SDCA, as tuned",
    "C": "aggressiveness of OASIS, as tuned",
    "gamma": "price of leaving the bounds of ITML, as tuned",
    "eta": "weight of a loss in LEGO, as tuned",
    "ridge": "ridge of RCA, as tuned",
}
