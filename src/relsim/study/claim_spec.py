"""What the papers claim in words, as checks that a program can judge: config/claims/*.yaml, read.

A claim has checks, and a check is one of three kinds:

    compare  `who` is better than `against`, by a factor or a difference
    within   a measure of `who` is at least or at most a number
    slope    the same for the slope of a measure on log-log axes, over epochs or, of a stream, over
             the triplets that it brought

A check is met when it is met for each of its losses, noise levels, values of k and numbers of
triplets, for each of `who`, and against each of `against`; a claim, when each of its checks is, on
the first of its data sets that was run or, with `every_dataset`, on all of them. A check may be
about another experiment than its claim, and about some of the data sets only. `read_claims` spells
all of them out, as cases, and `relsim.study.claims` judges these.
"""

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from relsim.study.scores import MEASURES
from relsim.study.spec import ConfigError, Experiment, read_config


@dataclass(frozen=True)
class Contender:
    """A method with everything that singles out its rows in the scores.

    Its loss is that of the case, unless it has one of its own.

    Examples
    --------
    >>> print(Contender("svrg-sbb", "paper", 20, 0.1))
    svrg-sbb (paper, b = 20, noise 0.1)
    >>> print(Contender("pa-erkle", "paper", sweep=("revisits", 9), loss="gnmds"))
    pa-erkle (paper, gnmds, revisits 9)
    """

    method: str
    variant: str
    batch_size: int = 0
    noise: float = 0.0
    sweep: tuple = ("", 0)  # the name of a parameter, and its value
    loss: str = ""
    measure: str = ""  # another than that of the check

    def __str__(self):
        loss = f", {self.loss}" if self.loss else ""
        loss += f", {self.measure}" if self.measure else ""
        size = f", b = {self.batch_size}" if self.batch_size else ""
        noise = f", noise {self.noise:g}" if self.noise else ""
        sweep = f", {self.sweep[0]} {self.sweep[1]:g}" if self.sweep[0] else ""
        return f"{self.method} ({self.variant}{loss}{size}{noise}{sweep})"


@dataclass(frozen=True)
class Case:
    """A check for one loss, k and number of triplets, one contender and at most one opponent."""

    check: int
    group: str  # whose baseline: "paper" or "fair"
    loss: str
    k: int
    triplets: int  # 0: all
    who: Contender
    against: Contender | None = None
    experiment: str = ""
    datasets: tuple = ()  # those that it is about


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
    every_dataset: bool = False
    min_trials: int = 5
    checks: tuple = ()
    cases: tuple = ()

    @property
    def experiments(self):
        """The experiments that its cases are about."""
        return list(dict.fromkeys(case.experiment for case in self.cases))


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


@dataclass(frozen=True)
class _Choices:
    """What a contender may name."""

    experiment: Experiment
    losses: list
    content: dict  # the experiment in the study file; a scale may run less of it

    @property
    def datasets(self):
        return [*self.content["datasets"], *self.experiment.fallbacks]

    @property
    def noises(self):
        return self.content["comparisons"].get("noise", [0.0])

    def sweep(self, method):
        return self.content["methods"][method].get("sweep", {})


def _cases(claim, spec, where):
    """Spell a claim's checks out: every loss, noise, k, contender and opponent, each checked."""
    choices = {"": _choices(claim.experiment, claim, spec, where)}
    for number, check in enumerate(claim.checks):
        if "experiment" in check:
            name, key = check["experiment"], f"{where}.check.{number}"
            choices[name] = _choices(name, claim, spec, key)
    known = [dataset for choice in choices.values() for dataset in choice.datasets]
    for dataset, _ in claim.data:
        _known(dataset, known, f"{where}.data: unknown data set")
    cases = {}
    for number, check in enumerate(claim.checks):
        chosen = choices[check.get("experiment", "")]
        for case in _cases_of_check(number, check, claim, chosen, f"{where}.check.{number}"):
            cases[case] = None
    return tuple(cases)


def _choices(name, claim, spec, where):
    names = [name for study, name in spec.experiments if study == claim.study]
    _known(name, names, f"{where}.experiment: unknown experiment")
    losses = list(spec.losses(claim.study)) or ["none"]
    content = spec.studies[claim.study]["experiments"][name]
    return _Choices(spec.experiment(claim.study, name), losses, content)


def _cases_of_check(number, check, claim, choices, where):
    experiment = choices.experiment
    _check_words(check, choices.losses, where)
    for dataset in check.get("datasets", []):
        _known(dataset, dict(claim.data), f"{where}.datasets: unknown data set")
    datasets = tuple(check.get("datasets", choices.datasets))
    place = {"experiment": experiment.name, "datasets": datasets}
    every = product(
        check.get("losses", choices.losses),
        check.get("noise", experiment.noises),
        _ks(check, experiment, where),
        check.get("triplets", [0]),
    )
    for loss, noise, k, triplets in every:
        for group, *sides in _pairs(check):
            contenders = [_contender(side, choices, loss, noise, where) for side in sides]
            yield Case(number, group, loss, k, triplets, *contenders, **place)


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


def _contender(content, choices, loss, noise, where):
    """Single a contender's rows out; what it does not say is the first in the study file."""
    content = {"method": content} if isinstance(content, str) else content
    for name in content.get("by_loss", {}):
        _known(name, choices.losses, f"{where}.by_loss: unknown loss")
    content = {**content, **content.get("by_loss", {}).get(loss, {})}
    name = content["method"]
    _known(name, choices.experiment.methods, f"{where}: unknown method")
    method = choices.experiment.methods[name]
    variant = content.get("variant", next(iter(method.variants)))
    _known(variant, method.variants, f"{where}: {name}: unknown variant")
    batch_sizes = method.variant(variant).batch_sizes
    batch_size = content.get("batch_size", batch_sizes[0])
    _known(batch_size, batch_sizes, f"{where}: {name}: unknown batch size")
    _known(content.get("noise", noise), choices.noises, f"{where}: {name}: unknown noise")
    if "measure" in content:
        _known(content["measure"], MEASURES, f"{where}: {name}: unknown measure")
    if not method.control:
        losses = method.losses or choices.losses
        _known(content.get("loss", loss), losses, f"{where}: {name}: unknown loss")
    return Contender(
        name,
        variant,
        batch_size,
        content.get("noise", noise),
        _swept(content, choices.sweep(name), f"{where}: {name}"),
        content.get("loss", ""),
        content.get("measure", ""),
    )


def _swept(content, sweep, where):
    """Return the swept parameter and its value, by default the first; ("", 0) without a sweep."""
    for name, values in sweep.items():
        value = content.get("sweep", values[0])
        _known(value, values, f"{where}: unknown {name}")
        return name, value
    if "sweep" in content:
        raise ConfigError(f"{where}: sweep {content['sweep']}: no parameter of it is swept")
    return "", 0


def _known(name, names, message):
    if name not in names:
        allowed = ", ".join(str(known) for known in names if known is not None)
        raise ConfigError(f"{message} {name}; allowed: {allowed}")
