"""Check the settings of experiments of ordinal embedding."""

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, ValidationInfo, model_validator

from closerthan.discovery import find_class
from closerthan_study.spec import experiment as base
from closerthan_study.spec.experiment import check_class
from closerthan_study.spec.validation import Count, Model, Name, Noises, Number, refuse


class Comparisons(Model):
    """Source and number of the comparisons of a trial."""

    source: Literal["points", "distances", "people", "labels"]
    n_train: Annotated[Number, Field(gt=0)]  # below 1: a share
    n_test: Count | None = None  # default: all other comparisons
    n_classes: Annotated[int, Field(ge=2)] | None = None  # all classes if the data have fewer
    n_items: Annotated[int, Field(ge=2)] | None = None  # per class: embedded and searched
    n_queries: Count | None = None  # per class: mapped into the embedding
    noise: Noises = [0.0]

    n_validation: ClassVar[int] = 0

    @model_validator(mode="after")
    def _check(self):
        if self.source in ("points", "labels"):  # sampled, so the experiment must say how many
            if self.n_test is None:
                refuse("n_test is missing")
            if not isinstance(self.n_train, int):
                refuse(f"n_train: {self.n_train} is not a whole number")
        if self.source == "labels":
            for name in ("n_classes", "n_items", "n_queries"):
                if getattr(self, name) is None:
                    refuse(f"{name} is missing")
        return self


class Ranking(Model):
    """Settings of the image search: ranks of the precision (k), penalty of the map (ridge)."""

    k: Annotated[list[Count], Field(min_length=1)]
    ridge: Annotated[float, Field(gt=0)]


class Variant(base.LossVariant):
    """Settings of a solver or a kernel."""

    batch_sizes: Annotated[list[Count], Field(min_length=1)] | None = None

    def check(self, check, where, losses):
        super().check(check, where, losses)
        for size in self.batch_sizes or []:
            check({"batch_size": size}, f"{where}.batch_sizes")


# The same for all losses, or one number for each.
Epochs = Count | dict[str, Count]


class Method(base.LossMethod):
    """A solver of `closerthan.optimize`, a kernel, or a control."""

    given: ClassVar = frozenset(
        {"loss", "n_objects", "init", "max_iter", "callback", "verbose", "tol"}
    )
    controls: ClassVar = ("random", "truth", "mds", "features")
    packages: ClassVar = ("closerthan.kernels.batch",)
    solvers: ClassVar = ("closerthan.optimize",)

    solver: str | None = None
    batch_sizes: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)] = [0]
    variants: dict[str, Variant] = {}
    epochs: Epochs = 1

    @property
    def learner(self):
        return find_class(self.solver, *self.solvers) if self.solver else super().learner

    def epochs_of(self, loss):
        """Return the epochs with a loss; what has no loss has the most."""
        if isinstance(self.epochs, int):
            return self.epochs
        return self.epochs.get(loss, max(self.epochs.values()))

    def batch_sizes_of(self, variant):
        own = None if self.control else self.variants[variant].batch_sizes
        return own or self.batch_sizes

    @property
    def kinds(self):
        return {"solver": self.solver, **super().kinds}

    def check_class(self):
        super().check_class()
        if self.solver:
            check_class("solver", self.solver, *self.solvers)

    @model_validator(mode="after")
    def _check_sizes(self, info: ValidationInfo):
        if info.context["trusted"]:
            return self
        losses = info.context["losses"]
        if isinstance(self.epochs, dict) and set(self.epochs) != set(losses):
            refuse(f"epochs: give one number, or one for each of {', '.join(losses)}")
        for size in self.batch_sizes if "batch_sizes" in self.model_fields_set else ():
            self._check({"batch_size": size}, "batch_sizes")
        return self


class Experiment(base.Experiment):
    """An experiment that learns an embedding, epoch by epoch."""

    drawn: ClassVar = frozenset({"comparisons"})
    scored_only: ClassVar = frozenset({"target_error", "retrieval"})

    task: Literal["ordinal"]
    comparisons: Comparisons
    n_components: Count
    epochs: Epochs
    target_error: Annotated[float, Field(gt=0, le=0.5)] | None = None
    gradients: bool = False  # whether learning curves hold the norm of the gradient
    retrieval: Ranking | None = None
    methods: Annotated[dict[Name, Method], Field(min_length=1)]

    @property
    def noises(self):
        """Shares of swapped answers in the training part."""
        return self.comparisons.noise

    def budgets(self, method, loss):
        """Return the epochs at which the embeddings of a method are kept."""
        checkpoints = self.methods[method].checkpoints
        epochs = self.methods[method].epochs_of(loss)
        if checkpoints == 1:
            return [epochs]
        spaced = np.geomspace(max(epochs / 30, 1), epochs, checkpoints)
        return sorted({round(epoch) for epoch in spaced})
