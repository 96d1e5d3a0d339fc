"""The evidence of a verdict in words: what was asked, and what was least favorable."""


def say_evidence(claim, outcomes):
    """Say for each check, group of baselines, loss and data set what was least favorable.

    Parameters
    ----------
    claim : Claim
    outcomes : list of Outcome

    Returns
    -------
    str
    """
    trials = min(outcome.trials for outcome in outcomes)
    needed = claim.entry.min_trials
    few = f"{trials} trials, {needed} needed. " if trials < needed else ""
    parts = {}
    for outcome in outcomes:
        parts.setdefault((outcome.case.check, outcome.case.group), []).append(outcome)
    several = len({group for _, group in parts}) > 1
    return few + " | ".join(
        f"{f'{group} baselines: ' if several else ''}{_asked(claim.checks[number])}: "
        + "; ".join(_least_favorable(part))
        for (number, group), part in parts.items()
    )


def _asked(check):
    """Say in a few words what a check asks for."""
    measure = f"slope of {check.measure}" if check.kind == "slope" else check.measure
    if getattr(check, "epoch", None) is not None:
        measure += f" at epoch {check.epoch:g}"
    share = f" in {check.share:.0%} of trials" if "share" in check.model_fields_set else ""
    if check.kind != "compare":
        bounds = [f"{name.replace('_', ' ')} {bound:g}" for name, bound in check.bounds.items()]
        return f"{measure}, {' and '.join(bounds)}{share}"
    by = "factor above 1"
    if check.by:
        ((name, bound),) = check.by.model_dump(exclude_none=True).items()
        by = f"{name} at least {bound:g}"
    return f"{measure} {check.direction}, {by}{share}"


def _least_favorable(outcomes):
    order = {False: 0, None: 1, True: 2}
    for name in dict.fromkeys(outcome.part for outcome in outcomes):
        of_part = [outcome for outcome in outcomes if outcome.part == name]
        worst = min(of_part, key=lambda outcome: (order[outcome.met], outcome.low))
        case = worst.case
        against = f" against {case.against}" if case.against else ""
        k = f", k = {case.k}" if case.k else ""
        k += f", {case.triplets} triplets" if case.triplets else ""
        low, high = sorted((worst.sign * worst.low, worst.sign * worst.high))
        effect = f"{worst.sign * worst.effect:.3g} [{low:.3g}, {high:.3g}]"
        yield f"{name} {effect} {case.who}{against}{k}, n = {worst.trials}"
