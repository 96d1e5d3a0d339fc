"""Check the settings of experiments of online learning."""

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from closerthan_study.spec import experiment as base
from closerthan_study.spec.validation import Count, Model, Name, Number, refuse


class Points(Model):
    """True points that every trial draws anew: the parameters of `make_gaussian`."""

    n_objects: Annotated[int, Field(ge=3)]
    n_components: Count
    variance: Annotated[Number, Field(gt=0)]


class Comparisons(Model):
    """Source and number of the comparisons of a trial."""

    source: Literal["points", "distances", "people"]  # distances: all triplets, answered
    n_train: Count
    n_validation: Count | None = None
    n_test: Count | None = None  # default: all other comparisons

    @model_validator(mode="after")
    def _check(self):
        if self.source == "points" and self.n_test is None:
            refuse("n_test is missing")
        return self


class Variant(base.LossVariant):
    """Settings of a kernel; parameters are tuned on a part of the triplets."""

    tune: dict[Literal["step_size", "tau"], Annotated[list[Any], Field(min_length=2)]] = {}
    tune_on: Literal["validation", "test"] | None = None
    tune_each: bool = False  # whether to tune again for each number of triplets

    @model_validator(mode="after")
    def _check_part(self):
        for one, other in (("tune", "tune_on"), ("tune_on", "tune")):
            if getattr(self, one) and not getattr(self, other):
                refuse(f"{other} is missing, beside {one}")
        return self


class Method(base.LossMethod):
    """A kernel that learns online, a kernel that is fitted again, or a control."""

    given: ClassVar = frozenset(
        {"loss", "n_objects", "init", "max_iter", "callback", "verbose", "random_state"}
    )
    controls: ClassVar = ("random", "truth")
    packages: ClassVar = ("closerthan.kernels",)

    variants: dict[str, Variant] = {}

    @property
    def goes_on(self):
        """Whether the model has `partial_fit`; otherwise it is fitted again to all triplets."""
        return hasattr(self.learner, "partial_fit")


class Experiment(base.Experiment):
    """An experiment that learns a kernel from one triplet at a time."""

    drawn: ClassVar = frozenset({"points", "comparisons"})

    task: Literal["online"]
    points: Points | None = None
    comparisons: Comparisons
    rank: bool = False  # whether to score the rank of the kernels
    ties: bool = False  # whether to score the error with a tie as half an error
    gradients: bool = (
        False  # whether to compare the printed gradients with differences, and no more
    )
    sizes: list[Count] = []  # numbers of objects whose seconds are compared, and no more
    projection: bool = False  # whether to compare each projection with a full eigendecomposition
    methods: Annotated[dict[Name, Method], Field(min_length=1)]

    @property
    def tuned_on(self):
        """Trials for tuning: the first ones, which are scored too."""
        return range(min(self.tuning_trials, self.trials))

    def marks(self, method):
        """Return the numbers of triplets after which a method is scored."""
        checkpoints = self.methods[method].checkpoints
        if isinstance(checkpoints, list):
            return checkpoints
        spaced = np.linspace(0, self.comparisons.n_train, checkpoints + 1)
        return sorted({round(mark) for mark in spaced[1:]} - {0})

    def _check_checkpoints(self, checkpoints, where):
        """Check that a list of checkpoints rises to the number of training triplets."""
        n_train = self.comparisons.n_train
        if isinstance(checkpoints, list) and (
            checkpoints != sorted(set(checkpoints)) or checkpoints[-1] != n_train
        ):
            refuse(f"{where}: {checkpoints} does not rise to n_train, {n_train}")

    def _check_tuning(self, variant, where):
        super()._check_tuning(variant, where)
        if variant.tune_on == "validation" and self.comparisons.n_validation is None:
            refuse(
                f"{where}.tune_on: validation, without experiments.{self.name}.comparisons."
                "n_validation"
            )
