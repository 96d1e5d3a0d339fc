"""The claims of a paper, read and spelled out as cases.

A check is met when it is met for each of its losses, noise levels, values of k and numbers of
triplets, for each of `who`, and against each of `against`; a claim, when each of its checks is, on
the first of its data sets that was run or, with `every_dataset`, on all of them. A check may be
about another experiment than its claim, and about some of the data sets only. `read_claims` spells
all of them out, and checks every name against the whole study, of which a scale may run a part.
"""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from relsim.study.scores import MEASURES
from relsim.study.spec import ConfigError
from relsim.study.spec.claims import ClaimEntry, Claims
from relsim.study.spec.experiment import NONE
from relsim.study.spec.model import read_yaml, validate
from relsim.study.tasks.base import CONTROL


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
    experiment: str
    datasets: tuple  # those that it is about
    who: Contender
    against: Contender | None = None


@dataclass(frozen=True)
class Claim:
    """A claim of a paper; without cases, one that cannot be judged yet."""

    study: str
    name: str
    entry: ClaimEntry
    cases: tuple = ()

    @property
    def checks(self):
        """The checks that its cases belong to."""
        return self.entry.check or []

    @property
    def experiments(self):
        """The experiments that its cases are about."""
        return list(dict.fromkeys(case.experiment for case in self.cases))


def read_claims(path, spec):
    """Read and check the claims of one paper.

    Parameters
    ----------
    path : path-like
        config/studies/{study}/claims.yaml.
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
    study = path.parent.name
    claims = []
    for name, entry in validate(Claims, read_yaml(path), path).root.items():
        known = entry.check and study in spec.studies
        cases = _spell_out(entry, spec, study, f"{path}: {name}") if known else ()
        claims.append(Claim(study, name, entry, cases))
    return claims


@dataclass(frozen=True)
class _Choices:
    """What a check may name: an experiment as this run has it, and whole."""

    experiment: object
    whole: object
    losses: list

    @property
    def datasets(self):
        return [*self.whole.datasets, *self.whole.fallback]


def _spell_out(entry, spec, study, where):
    """Return the cases of a claim, each once and every name in them checked."""
    chosen = [_choose(entry.experiment, spec, study, where)]
    for number, check in enumerate(entry.check):
        key = f"{where}.check.{number}"
        chosen.append(_choose(check.experiment or entry.experiment, spec, study, key))
    known = [dataset for choices in chosen for dataset in choices.datasets]
    for dataset in entry.data:
        check_name(dataset, known, f"{where}.data: unknown data set")
    cases = {}
    for number, (check, choices) in enumerate(zip(entry.check, chosen[1:], strict=True)):
        for case in _cases_of_check(number, check, entry, choices, f"{where}.check.{number}"):
            cases[case] = None
    return tuple(cases)


def _choose(name, spec, study, where):
    names = [name for of_study, name in spec.experiments if of_study == study]
    check_name(name, names, f"{where}.experiment: unknown experiment")
    whole = spec.whole.experiment(study, name)
    methods = [method for method in whole.methods.values() if not method.control]
    of_study = list(spec.losses(study))
    learned = {loss for method in methods for loss in method.losses_of(of_study)}
    losses = [loss for loss in of_study if loss in learned] or [NONE]
    return _Choices(spec.experiment(study, name), whole, losses)


def _cases_of_check(number, check, entry, choices, where):
    check_name(check.measure, MEASURES, f"{where}.measure: unknown measure")
    for loss in check.losses or []:
        check_name(loss, choices.losses, f"{where}.losses: unknown loss")
    for dataset in check.datasets or []:
        check_name(dataset, entry.data, f"{where}.datasets: unknown data set")
    experiment, datasets = choices.experiment, tuple(check.datasets or choices.datasets)
    every = product(
        check.losses or choices.losses,
        check.noise or experiment.noises,
        _ks(check, experiment, where),
        getattr(check, "triplets", None) or [0],
    )
    for loss, noise, k, triplets in every:
        for group, *sides in _pairs(check):
            contenders = [_contender(side, choices, loss, noise, where) for side in sides]
            yield Case(number, group, loss, k, triplets, experiment.name, datasets, *contenders)


def _pairs(check):
    """Yield whose baseline a case is about, a contender, and its opponent if there is one."""
    if check.kind == "compare":
        for group, opponents in check.against.groups.items():
            yield from product([group], check.who, opponents)
    else:
        for group, contenders in check.who.groups.items():
            yield from product([group], contenders)


def _ks(check, experiment, where):
    """Return the values of k that a check is about; 0 stands for a measure that has none."""
    if check.measure not in ("precision", "recall"):
        return [0]
    retrieval = getattr(experiment, "retrieval", None)
    if not retrieval:
        raise ConfigError(f"{where}.measure: {check.measure} is not measured in {experiment.name}")
    k = getattr(check, "k", None)  # a slope has none
    if k is None:
        return retrieval.k
    check_name(k, retrieval.k, f"{where}.k: unknown k")
    return [k]


def _contender(entry, choices, loss, noise, where):
    """Single a contender's rows out; what it does not say is the first in the study file."""
    methods = choices.whole.methods
    for name in entry.by_loss:
        check_name(name, choices.losses, f"{where}.by_loss: unknown loss")
    of_loss = entry.by_loss.get(loss, entry)
    check_name(entry.method, methods, f"{where}: unknown method")
    method, where = methods[entry.method], f"{where}: {entry.method}"
    variants = list(method.variants) or [CONTROL]
    variant = of_loss.variant or entry.variant or variants[0]
    check_name(variant, variants, f"{where}: unknown variant")
    batch_sizes = [0 if np.isnan(size) else size for size in method.batch_sizes_of(variant)]
    batch_size = of_loss.batch_size or entry.batch_size or batch_sizes[0]
    check_name(batch_size, batch_sizes, f"{where}: unknown batch size")
    noise = noise if entry.noise is None else entry.noise
    check_name(noise, choices.whole.noises, f"{where}: unknown noise")
    if entry.measure:
        check_name(entry.measure, MEASURES, f"{where}: unknown measure")
    if not method.control:
        losses = method.losses_of(choices.losses)
        check_name(entry.loss or loss, losses, f"{where}: unknown loss")
    swept = _swept(entry, method, where)
    return Contender(
        *(entry.method, variant, batch_size, noise, swept), entry.loss or "", entry.measure or ""
    )


def _swept(entry, method, where):
    """Return the swept parameter and its value, by default the first; ("", 0) without a sweep."""
    for name, values in method.sweep.items():
        value = values[0] if entry.sweep is None else entry.sweep
        check_name(value, values, f"{where}: unknown {name}")
        return name, value
    if entry.sweep is not None:
        raise ConfigError(f"{where}: sweep {entry.sweep}: no parameter of it is swept")
    return "", 0


def check_name(name, names, message):
    """Raise a ConfigError that says what is allowed if a name is none of them."""
    if name not in names:
        allowed = ", ".join(str(known) for known in names if known is not None)
        raise ConfigError(f"{message} {name}; allowed: {allowed}")
