"""What the papers claim in words, as checks that a program can judge: config/claims/*.yaml, read.

A claim has checks, and a check is one of three kinds:

    compare  `who` is better than `against`, by a factor or a difference
    within   a measure of `who` is at least or at most a number
    slope    the same for the slope of a measure over epochs on log-log axes

A check is met when it is met for each of its losses, noise levels and values of k, for each of
`who`, and against each of `against`; a claim, when each of its checks is. `read_claims` spells all
of them out, as cases, and `relsim.study.claims` judges these.
"""

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from relsim.study.scores import MEASURES
from relsim.study.spec import ConfigError, read_config


@dataclass(frozen=True)
class Contender:
    """A method with everything that singles out its rows in the scores but the loss.

    Examples
    --------
    >>> print(Contender("svrg-sbb", "paper", 20, 0.1))
    svrg-sbb (paper, b = 20, noise 0.1)
    """

    method: str
    variant: str
    batch_size: int
    noise: float

    def __str__(self):
        size = f", b = {self.batch_size}" if self.batch_size else ""
        noise = f", noise {self.noise:g}" if self.noise else ""
        return f"{self.method} ({self.variant}{size}{noise})"


@dataclass(frozen=True)
class Case:
    """A check for one loss, one value of k, one contender and at most one opponent."""

    check: int
    group: str  # whose baseline: "paper" or "fair"
    loss: str
    k: int
    who: Contender
    against: Contender | None = None


@dataclass(frozen=True)
class Claim:
    """A claim of a paper; without cases, one that cannot be judged yet."""

    study: str
    name: str
    statement: str
    where: str
    artefact: str = ""
    experiment: str = ""
    data: tuple = ()  # pairs of a data set and "same", "stand-in" or "partial"
    min_trials: int = 5
    checks: tuple = ()
    cases: tuple = ()


def read_claims(path, spec):
    """Read and check the claims of one paper.

    Parameters
    ----------
    path : path-like
        config/claims/{study}.yaml.
    spec : Spec
        What the claims may name: experiments, data sets, methods, losses. Claims of a study that
        it does not have are read but get no cases.

    Returns
    -------
    list of Claim

    Raises
    ------
    ConfigError
        If a key is unknown or missing, or a name is; the message names the file, the key and what
        is allowed.
    """
    path = Path(path)
    claims = []
    for name, content in read_config(path, "claims").items():
        checks = tuple(content.pop("check") or ())
        data = tuple(content.pop("data", {}).items())
        claim = Claim(path.stem, name, **content, data=data, checks=checks)
        if checks and path.stem in spec.studies:
            claim = replace(claim, cases=_cases(claim, spec, f"{path}: {name}"))
        claims.append(claim)
    return claims


def _cases(claim, spec, where):
    """Spell a claim's checks out: every loss, noise, k, contender and opponent, each checked."""
    names = [name for study, name in spec.experiments if study == claim.study]
    _known(claim.experiment, names, f"{where}.experiment: unknown experiment")
    experiment = spec.experiment(claim.study, claim.experiment)
    content = spec.studies[claim.study]["experiments"][claim.experiment]
    for dataset, _ in claim.data:
        known = [*content["datasets"], experiment.fallback]
        _known(dataset, known, f"{where}.data: unknown data set")
    losses = list(spec.losses(claim.study))
    # A scale may run fewer noise levels, and data sets, than the study file has.
    noises = content["comparisons"].get("noise", [0.0])
    cases = {}
    for number, check in enumerate(claim.checks):
        key = f"{where}.check.{number}"
        _check_words(check, losses, key)
        every = product(check.get("losses", losses), experiment.noises, _ks(check, experiment, key))
        for loss, noise, k in every:
            for group, *sides in _pairs(check):
                sides = [_for_loss(side, losses, loss, key) for side in sides]
                contenders = [_contender(side, experiment, noises, noise, key) for side in sides]
                cases[Case(number, group, loss, k, *contenders)] = None
    return tuple(cases)


def _check_words(check, losses, where):
    _known(check["measure"], MEASURES, f"{where}.measure: unknown measure")
    for loss in check.get("losses", []):
        _known(loss, losses, f"{where}.losses: unknown loss")
    if check["kind"] != "compare" and not {"at_least", "at_most"} & set(check):
        raise ConfigError(f"{where}: at_least or at_most is missing")


def _pairs(check):
    """Yield whose baseline a case is about, a contender, and its opponent if there is one."""
    if check["kind"] == "compare":
        for group, opponents in _groups(check["against"]).items():
            yield from product([group], _groups(check["who"])["paper"], opponents)
    else:
        for group, contenders in _groups(check["who"]).items():
            yield from product([group], contenders)


def _groups(side):
    """Read one side of a check: a name, a list, or a list for each group of baselines."""
    if isinstance(side, dict):
        return side
    return {"paper": [side] if isinstance(side, str) else side}


def _ks(check, experiment, where):
    """Return the values of k that a check is about; 0 stands for a measure that has none."""
    if check["measure"] not in ("precision", "recall"):
        return [0]
    allowed = (experiment.retrieval or {"k": []})["k"]
    if "k" in check:
        _known(check["k"], allowed, f"{where}.k: unknown k")
    elif not allowed:
        raise ConfigError(
            f"{where}.measure: {check['measure']} is not measured in {experiment.name}"
        )
    return [check["k"]] if "k" in check else allowed


def _for_loss(content, losses, loss, where):
    """Return what a contender says of itself for one loss."""
    content = {"method": content} if isinstance(content, str) else content
    for name in content.get("by_loss", {}):
        _known(name, losses, f"{where}.by_loss: unknown loss")
    return {**content, **content.get("by_loss", {}).get(loss, {})}


def _contender(content, experiment, noises, noise, where):
    """Single a contender's rows out; what it does not say is the first in the study file."""
    name = content["method"]
    _known(name, experiment.methods, f"{where}: unknown method")
    method = experiment.methods[name]
    variant = content.get("variant", next(iter(method.variants)))
    _known(variant, method.variants, f"{where}: {name}: unknown variant")
    batch_sizes = method.variant(variant).batch_sizes
    batch_size = content.get("batch_size", batch_sizes[0])
    _known(batch_size, batch_sizes, f"{where}: {name}: unknown batch size")
    _known(content.get("noise", noise), noises, f"{where}: {name}: unknown noise")
    return Contender(name, variant, batch_size, content.get("noise", noise))


def _known(name, names, message):
    if name not in names:
        allowed = ", ".join(str(known) for known in names if known is not None)
        raise ConfigError(f"{message} {name}; allowed: {allowed}")
