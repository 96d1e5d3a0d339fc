"""Describe the measures of learned similarities."""

MEASURES = {
    "MAP": "mean average precision over the whole ranking",
    "hinge": "mean hinge loss of the steps so far, each taken before its update",
    "squared_hinge": "mean squared hinge loss of the steps so far, each taken before its update",
    "mistake_rate": "share of the steps so far whose triplet did not hold before",
    "duality_gap": "primal objective less the dual objective",
    "gap_bound": "bound of Theorem 1 on the expected duality gap",
    "over_gap_bound": "largest ratio so far of the duality gap to the bound of Theorem 1",
    "seconds": "seconds of learning so far, in a file of its own",
    "reg": "weight of the penalty of SDCA, as tuned",
    "C": "aggressiveness of OASIS, as tuned",
    "gamma": "price of leaving the bounds of ITML, as tuned",
    "eta": "weight of a loss in LEGO, as tuned",
    "ridge": "ridge of RCA, as tuned",
}
