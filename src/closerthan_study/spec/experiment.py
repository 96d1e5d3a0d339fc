"""The keys that all experiments share; each task adds its own.

In study.yaml the `scales` of an experiment give its sizes. The settings of the scale that is run
are laid over the rest, key by key, before anything is checked.
"""

import inspect
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator

from closerthan.discovery import find_class, short_names
from closerthan_study.facts import facts
from closerthan_study.spec.validation import Count, Model, Name, Number, Words, check_name, refuse

DEFAULT_RUNTIME = 10  # minutes that a job may take, unless its experiment says otherwise
NONE = "none"  # the loss of a method that uses no comparisons, or does not learn


class Variant(Model):
    """The settings of a method."""

    parameters: dict = {}

    @property
    def grid(self):
        """The parameters to tune, one after another, each with its values."""
        return {}

    def settings(self, loss=NONE):
        """Return the fixed parameters for one loss."""
        return dict(self.parameters)

    def check(self, check, where, losses):
        """Check names and kinds of all parameters with `check`, which also takes their place."""
        check(self.settings(), f"{where}.parameters")
        for name, values in self.grid.items():
            for value in values:
                check({name: value}, f"{where}.tune")


class TunedVariant(Variant):
    """Settings, some of them tuned."""

    tune: dict[str, Annotated[list[Any], Field(min_length=2)]] = {}

    @property
    def grid(self):
        return self.tune


class LossVariant(TunedVariant):
    """Settings. A parameter may have a value for each loss, or for some."""

    def settings(self, loss=NONE):
        found = {}
        for name, value in self.parameters.items():
            values = value if isinstance(value, dict) else {loss: value}
            if loss in values:
                found[name] = values[loss]
        return found

    def check(self, check, where, losses):
        super().check(check, where, losses)
        for name, values in self.parameters.items():
            for loss, value in values.items() if isinstance(values, dict) else ():
                check_name(loss, losses, f"{where}.parameters.{name}: unknown loss")
                check({name: value}, f"{where}.parameters")


Sweep = Annotated[dict[str, Annotated[list[Number], Field(min_length=1)]], Field(max_length=1)]


class Method(Model):
    """One way to learn: a model or a solver with variants, or a control, which learns nothing.

    `trials`, `epochs` and `checkpoints` are the experiment's, unless the scale gives others.
    """

    given: ClassVar[frozenset] = frozenset()  # parameters that the task sets itself
    also: ClassVar[dict] = {}  # further parameters that the task takes
    by_name: ClassVar[dict] = {}  # parameters that are estimators: the package that has them
    controls: ClassVar[tuple] = ()
    packages: ClassVar[tuple] = ()  # packages with the classes of models
    solvers: ClassVar[tuple] = ()  # packages with the classes of solvers, if the task has solvers

    name: str = Field("", exclude=True)
    label: str
    model: str | None = None
    control: str | None = None
    variants: dict[str, Variant] = {}
    sweep: Sweep = {}
    trials: Count = 1
    epochs: Count = 1
    checkpoints: Count | list[Count] = 1
    reason: str = ""

    @property
    def learner(self):
        """The class that takes the parameters; None for a control."""
        return find_class(self.model, *self.packages) if self.model else None

    @property
    def sweeps(self):
        """The swept settings of every variant: pairs of name and value."""
        return [(name, value) for name, values in self.sweep.items() for value in values]

    @property
    def tuned(self):
        """The names of the parameters that some variant tunes."""
        return sorted({name for variant in self.variants.values() for name in variant.grid})

    def variant(self, name):
        """Return the settings of a variant; a control has none."""
        return Variant() if self.control else self.variants[name]

    def losses_of(self, losses):
        """Return the losses of a study that the method is run with."""
        return [NONE]

    def epochs_of(self, loss):
        """Return the number of epochs with one loss."""
        return self.epochs

    def batch_sizes_of(self, variant):
        """Return the mini-batch sizes of a variant; NaN means that it has none."""
        return [np.nan]

    @field_validator("control")
    @classmethod
    def _check_control(cls, control):
        return control and check_name(control, cls.controls, "unknown control")

    @property
    def kinds(self):
        """The kinds of method. Exactly one must be set."""
        return {"model": self.model, "control": self.control}

    def check_class(self):
        """Refuse the name of a class that does not exist."""
        if self.model:
            check_class("model", self.model, *self.packages)

    @model_validator(mode="after")
    def _check_settings(self, info: ValidationInfo):
        if info.context["trusted"]:
            return self
        *learners, control = self.kinds
        chosen = [kind for kind, value in self.kinds.items() if value]
        if len(chosen) != 1 or (chosen == [control]) == bool(self.variants):
            words = ", ".join(f"{kind} and variants" for kind in learners)
            refuse(f"a method has exactly one of {words}, or {control}")
        self.check_class()
        for name, values in self.sweep.items():
            for value in values:
                # Of the parameters that a task sets, a sweep may set only this one.
                self._check({name: value}, "sweep", self.given - {"max_iter"})
        for name, variant in self.variants.items():
            check_name(name, info.context["variants"], "variants: unknown variant")
            variant.check(self._check, f"variants.{name}", info.context["losses"])
        return self

    def _check(self, parameters, where, given=None):
        given = self.given if given is None else given
        check_parameters(self.learner, parameters, where, given, self.also, self.by_name)


class LossMethod(Method):
    """A method that may have only some of the losses of its study."""

    losses: Annotated[list[str], Field(min_length=1)] | None = None

    def losses_of(self, losses):
        return self.losses or losses

    @model_validator(mode="after")
    def _check_losses(self, info: ValidationInfo):
        for n, loss in enumerate(self.losses or []):
            check_name(loss, info.context["losses"], f"losses.{n}: unknown loss")
        return self


class Experiment(Model):
    """One figure or table: data, the samples drawn from them, and methods to compare."""

    drawn: ClassVar[frozenset] = frozenset()  # fields that decide the data of a trial
    scored: ClassVar[frozenset] = frozenset()  # fields that scores depend on ...
    scored_only: ClassVar[frozenset] = frozenset()  # ... and fits do not
    tunes_every_trial: ClassVar[bool] = False  # on a part of its own, or once for all trials

    study: str = Field("", exclude=True)
    name: str = Field("", exclude=True)
    task: str
    shows: str
    datasets: Annotated[list[str], Field(min_length=1)]
    fallback: Words = []
    tuning_trials: Annotated[int, Field(ge=0)] = 0
    trials: Count
    epochs: Count
    checkpoints: Count | list[Count] = 1
    collection: Name | None = None  # its data sets are one job of a station, with this name
    batches: Count = 1  # the number of jobs that its fits are split into
    mem_mb: Count = 2500  # the limit of a job, by Snakemake's name
    runtime: Count = DEFAULT_RUNTIME  # the limit of a job in minutes
    timed: bool = False  # its seconds count, so a job has the machine to itself
    methods: Annotated[dict[Name, Method], Field(min_length=1)]  # after the sizes that they share

    @property
    def words(self):
        """The study and the name, which identify the experiment."""
        return self.study, self.name

    @property
    def all_datasets(self):
        """Its data sets, and those that replace them if none can be had."""
        return [*self.datasets, *self.fallback]

    @property
    def also_reads(self):
        """The data sets that every job reads besides its own, such as those with features."""
        return []

    @property
    def noises(self):
        """The levels of noise that each trial has."""
        return [0.0]

    @property
    def tuned_on(self):
        """The trials that parameters are tuned on. By default they serve nothing else."""
        return range(-self.tuning_trials, 0)

    def place(self, dataset):
        """Return the folder of a data set in the workflow: its own, or its collection's."""
        return self.collection or dataset

    def batch(self, number):
        """Return the methods of a batch of the fits, each with its trials.

        Batches go method by method. If seconds count they go trial by trial, so that anything that
        slows the machine for a while affects all methods.
        """
        fits = [(name, t) for name, method in self.methods.items() for t in range(method.trials)]
        units = [t if self.timed else (name, t) for name, t in fits]
        order = list(dict.fromkeys(sorted(units) if self.timed else units))
        low, high = (len(order) * n // self.batches for n in (number, number + 1))
        mine, batch = set(order[low:high]), {}
        for (name, t), unit in zip(fits, units, strict=True):
            if unit in mine:
                batch.setdefault(name, []).append(t)
        return batch

    def settings_of(self, station, batch=None):
        """Return all settings that the results of a station depend on, to be compared."""
        if station == "trials":
            return [list(self.tuned_on), self.trials, self.model_dump(include=set(self.drawn))]
        if station == "scores":
            return self.model_dump(include=set(self.scored | self.scored_only))
        words = {"shows", "datasets", "fallback", "methods", "trials", "epochs", "checkpoints"}
        words |= {"collection", "batches", "mem_mb", "runtime", "timed", "tuning_trials"}
        words |= self.drawn | self.scored_only
        of_methods = {
            name: [self.methods[name].model_dump(exclude={"label", "reason"}), trials]
            for name, trials in self.batch(batch).items()
        }
        return [list(self.tuned_on), self.model_dump(exclude=words), of_methods]

    @model_validator(mode="before")
    @classmethod
    def _size_methods(cls, content):
        """Give each method its name, and the experiment's sizes if it has none of its own."""
        if not isinstance(content, dict) or not isinstance(content.get("methods"), dict):
            return content
        sizes = {key: content[key] for key in ("trials", "epochs", "checkpoints") if key in content}
        methods = {
            name: {"name": name, **sizes, **method} if isinstance(method, dict) else method
            for name, method in content["methods"].items()
        }
        return {**content, "methods": methods}

    @field_validator("datasets", "fallback")
    @classmethod
    def _check_datasets(cls, names):
        check_datasets(names)
        return names

    @model_validator(mode="after")
    def _check_methods(self):
        for name, method in self.methods.items():
            if method.trials > self.trials:
                refuse(
                    f"methods.{name}.trials: {method.trials} is more than the {self.trials} "
                    "trials of the experiment"
                )
            self._check_checkpoints(method.checkpoints, f"methods.{name}.checkpoints")
            for variant, settings in method.variants.items():
                if settings.grid:
                    self._check_tuning(settings, f"methods.{name}.variants.{variant}")
        if not all(map(self.batch, range(self.batches))):
            refuse(f"batches: {self.batches} are more than the experiment has fits")
        return self

    def _check_checkpoints(self, checkpoints, where):
        if isinstance(checkpoints, list):
            refuse(f"{where}: a list is only for the task online; give a number")

    def _check_tuning(self, variant, where):
        if not (self.tuning_trials or self.tunes_every_trial):
            refuse(f"{where}.tune: it needs experiments.{self.name}.tuning_trials")


def check_datasets(names):
    """Refuse the name of a data set that does not exist."""
    for name in names:
        check_name(name, sorted(facts()), "unknown data set")


def check_class(key, name, *packages):
    """Refuse the name of a class that does not exist."""
    try:
        find_class(name, *packages)
    except ValueError as error:
        refuse(f"{key}: {error}")


def check_parameters(cls, parameters, where, given=frozenset(), also=None, by_name=None):
    """Check names and kinds of parameters against the defaults of their class.

    Parameters that the task sets (`given`) are not allowed. Parameters that it takes in addition
    (`also`) have defaults.
    """
    signature = inspect.signature(cls).parameters if cls else {}
    defaults = {name: p.default for name, p in signature.items() if name not in given}
    defaults, by_name = {**(also or {}), **defaults}, by_name or {}
    words = {name: _words_of(p.annotation) for name, p in signature.items()}
    for name, value in parameters.items():
        check_name(name, defaults, f"{where}: unknown parameter" if where else "unknown parameter")
        default, place = defaults[name], f"{where}.{name}" if where else name
        is_number = type(value) in (int, float)
        if default == "warn":  # scikit-learn will change it
            continue
        if words.get(name):
            if not is_number and value not in words[name]:
                refuse(f"{place}: {value!r} is neither a number nor {' or '.join(words[name])}")
        elif name in by_name:
            names = short_names(by_name[name])
            if value is not None and value != default and value not in names:
                refuse(f"{place}: {value!r} is not allowed; allowed: {', '.join(names)}")
        elif isinstance(default, str) and default != "auto":
            if not isinstance(value, str):
                refuse(f"{place}: {value!r} is not a word")
        elif isinstance(default, bool):
            if not isinstance(value, bool):
                refuse(f"{place}: {value!r} is not true or false")
        elif not is_number and value != default:
            refuse(f"{place}: {value!r} is not a number (YAML wants 5.0e-4, not 5e-4)")


def _words_of(annotation):
    """Return the words that may replace a number, as in ``float | Literal["auto"]``."""
    kinds = get_args(annotation)
    if float not in kinds:
        return []
    return [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
