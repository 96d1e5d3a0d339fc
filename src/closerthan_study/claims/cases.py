"""Read the claims of a paper, check them against the whole study, and expand them into cases.

An entry of a claim has one part per loss, noise level and contender. A part has one case per k,
number of triplets and opponent. It is met if all its cases are met.
"""

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from closerthan_study.scores import measures
from closerthan_study.spec import ConfigError
from closerthan_study.spec.claims import ClaimEntry, Claims, Defaults
from closerthan_study.spec.experiment import NONE
from closerthan_study.spec.validation import check_name, check_names, read_yaml, validate
from closerthan_study.tasks.base import CONTROL

# The baselines of a case: the paper's, the ones that a fair comparison needs, or none.
PAPER, FAIR, NOBODY = "paper", "fair", ""


@dataclass(frozen=True)
class Side:
    """A method with all keys of its rows in the scores; no loss means the loss of the case."""

    method: str
    variant: str
    batch_size: int = 0
    noise: float = 0.0
    sweep: tuple = ("", 0)  # the name of a parameter, and its value
    loss: str = ""
    epochs: int = 0  # its budget in this run

    def __str__(self):
        said = [self.variant, self.loss]
        said += [f"b = {self.batch_size}"] if self.batch_size else []
        said += [f"noise {self.noise:g}"] if self.noise else []
        said += [f"{self.sweep[0]} {self.sweep[1]:g}"] if self.sweep[0] else []
        return f"{self.method} ({', '.join(filter(None, said))})"


@dataclass(frozen=True)
class Case:
    """One loss, noise, k, number of triplets, contender and opponent of an entry."""

    entry: int  # its number in the claim
    part: str  # label that distinguishes its part from the other parts of the entry
    group: str  # kind of baselines
    loss: str
    k: int
    triplets: int  # 0: all
    experiment: str
    datasets: tuple
    who: Side | None = None
    against: Side | None = None
    premises: tuple = ()  # the contender of each premise of the entry


@dataclass(frozen=True)
class Claim:
    """A claim of a paper; a claim without cases cannot be judged yet."""

    study: str
    name: str
    entry: ClaimEntry
    cases: tuple = ()
    others: tuple = ()  # the claim under each other reading of its hinge
    labels: object = None  # the study, which has the labels of names

    @property
    def parts(self):
        """Entries of the claim."""
        return self.entry.parts or []

    @property
    def experiments(self):
        """Names of the experiments of its cases, under every reading."""
        here = [case.experiment for case in self.cases]
        others = [name for other in self.others for name in other.experiments]
        return list(dict.fromkeys(here + others))

    def label(self, name):
        """Return the label of a name in the study."""
        return self.labels.label(name) if self.labels else name


def read_claims(path, spec):
    """Read and check config/studies/{study}/claims.yaml; no cases if `spec` lacks the study."""
    path = Path(path)
    study = path.parent.name
    content = read_yaml(path)
    defaults = validate(Defaults, content.pop("defaults", {}), path, "defaults")
    content = {name: defaults.under(claim) for name, claim in content.items()}
    claims = validate(Claims, content, path).root
    return [_claim(study, name, entry, spec, path) for name, entry in claims.items()]


def _claim(study, name, entry, spec, path):
    """Return a claim with its cases, and with those of the other readings of its hinge."""
    claim = Claim(study, name, entry, labels=spec.studies.get(study))
    if not entry.parts or study not in spec.studies:
        return claim
    claim = replace(claim, cases=_spell_out(claim, spec, f"{path}: {name}"))
    if not entry.hinge:
        return claim
    others = [entry.under(reading) for reading in entry.hinge.readings[1:]]
    return replace(claim, others=tuple(_claim(study, name, e, spec, path) for e in others))


@dataclass(frozen=True)
class _Choices:
    """Names that an entry can use: an experiment in this run and in the whole study."""

    experiment: object
    whole: object
    losses: list


def _spell_out(claim, spec, where):
    """Return the cases of a claim, without duplicates and with all names checked."""
    entry = claim.entry
    chosen = [_choose(entry.experiment, spec, claim.study, where)]
    for number, part in enumerate(entry.parts):
        key = f"{where}.parts.{number}"
        chosen.append(_choose(part.experiment or entry.experiment, spec, claim.study, key))
    known = [dataset for choices in chosen for dataset in choices.whole.all_datasets]
    check_names(entry.data, known, f"{where}.data: unknown data set")
    cases = {}
    for number, choices in enumerate(chosen[1:]):
        for case in _cases_of_entry(number, claim, choices, f"{where}.parts.{number}"):
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


def _cases_of_entry(number, claim, choices, where):
    part = claim.parts[number]
    check_names(part.losses, choices.losses, f"{where}.losses: unknown loss")
    check_names(part.noise, choices.whole.noises, f"{where}.noise: unknown noise")
    check_names(part.datasets, claim.entry.data, f"{where}.datasets: unknown data set")
    experiment, datasets = choices.experiment, tuple(part.datasets or choices.whole.all_datasets)
    losses = part.losses or _losses_of(part, choices)
    # A scale may run only some of the noise levels.
    noises = [n for n in part.noise or experiment.noises if n in experiment.noises] or part.noise
    of_entry = (experiment.name, datasets)
    if part.kind == "untestable":
        for loss in part.losses or [NONE]:
            text = claim.label(loss) if part.losses else ""
            yield Case(number, text, NOBODY, loss, 0, 0, *of_entry)
        return
    check_name(part.measure, measures(), f"{where}.measure: unknown measure")
    ks = _ks(part, experiment, where)
    has_fair = any(other.is_fair for other in claim.parts)
    for loss, noise in product(losses, noises):

        def single_out(entry, loss=loss, noise=noise):
            return _contender(entry, choices, loss, noise, where)

        premises = tuple(single_out(p.who) if p.who else None for p in part.premises)
        for group, subjects, opponents in _groups(part, has_fair):
            for subject, opponent in product(subjects, opponents):
                who, against = single_out(subject), opponent and single_out(opponent)
                said = _title(subject, who, choices, claim) if len(subjects) > 1 else []
                said += [claim.label(loss)] if len(losses) > 1 else []
                alike = subject.noise is None and len(noises) > 1
                said += [f"noise {noise:g}"] if alike else []
                of_case = (number, ", ".join(said), group, loss)
                for k, triplets in product(ks, getattr(part, "triplets", None) or [0]):
                    yield Case(*of_case, k, triplets, *of_entry, who, against, premises)


def _losses_of(part, choices):
    """Return the losses that all contenders without a loss of their own are fitted with."""
    contenders = [one for side in part.sides for one in (*side.paper, *(side.fair or ()))]
    methods = [choices.whole.methods.get(one.method) for one in contenders if not one.loss]
    fitted = [m.losses_of(choices.losses) for m in methods if m and not m.control]
    common = [loss for loss in choices.losses if all(loss in losses for losses in fitted)]
    return common or choices.losses  # if there is none, the first contender is refused


def _title(entry, contender, choices, claim):
    """Return the label parts that an entry gives a contender, without the noise."""
    method = choices.whole.methods[contender.method]
    said = [getattr(method, "label", method.name)]
    said += [claim.label(name) for name in (entry.variant, entry.loss) if name]
    if entry.batch_size:
        said.append(f"b = {contender.batch_size}")
    if entry.sweep is not None:
        said.append(f"{claim.label(contender.sweep[0])} = {contender.sweep[1]:g}")
    return said


def _groups(part, has_fair):
    """Yield the kinds of baselines, each with its contenders and opponents.

    If only other parts of a claim name fair contenders, this part counts for both kinds.
    """
    subjects = part.who
    opponents = part.against if part.kind == "compare" else None
    of_paper = subjects.paper, opponents.paper if opponents else [None]
    if not part.is_fair:
        yield NOBODY if has_fair or not opponents else PAPER, *of_paper
        return
    yield PAPER, *of_paper
    of_fair = (opponents.fair or opponents.paper) if opponents else [None]
    yield FAIR, subjects.fair or subjects.paper, of_fair


def _ks(part, experiment, where):
    """Return the values of k of an experiment, or [0] if the measure has no k."""
    if part.measure not in ("precision", "recall", "R@K"):
        return [0]
    retrieval = getattr(experiment, "retrieval", None)
    if not retrieval:
        raise ConfigError(f"{where}.measure: {part.measure} is not measured in {experiment.name}")
    return retrieval.k


def _contender(entry, choices, loss, noise, where):
    """Return the contender of an entry; missing keys take the first value in the study file."""
    methods = choices.whole.methods
    check_name(entry.method, methods, f"{where}: unknown method")
    method, where = methods[entry.method], f"{where}: {entry.method}"
    variants = list(method.variants) or [CONTROL]
    variant = entry.variant or variants[0]
    check_name(variant, variants, f"{where}: unknown variant")
    sizes = entry.batch_size if isinstance(entry.batch_size, dict) else {loss: entry.batch_size}
    check_names(sizes, choices.losses, f"{where}.batch_size: unknown loss")
    batch_sizes = [0 if np.isnan(size) else size for size in method.batch_sizes_of(variant)]
    batch_size = sizes.get(loss) or batch_sizes[0]
    check_name(batch_size, batch_sizes, f"{where}: unknown batch size")
    noise = noise if entry.noise is None else entry.noise
    check_name(noise, choices.whole.noises, f"{where}: unknown noise")
    if not method.control:
        losses = method.losses_of(choices.losses)
        check_name(entry.loss or loss, losses, f"{where}: unknown loss")
    here = choices.experiment.methods.get(entry.method)
    epochs = here.epochs_of(entry.loss or loss) if here else 0
    swept = _swept(entry, method, where)
    return Side(entry.method, variant, batch_size, noise, swept, entry.loss or "", epochs)


def _swept(entry, method, where):
    """Return the swept parameter and its value (default: the first), or ("", 0) without a sweep."""
    for name, values in method.sweep.items():
        value = values[0] if entry.sweep is None else entry.sweep
        check_name(value, values, f"{where}: unknown {name}")
        return name, value
    if entry.sweep is not None:
        raise ConfigError(f"{where}: sweep {entry.sweep}: the method sweeps no parameter")
    return "", 0
