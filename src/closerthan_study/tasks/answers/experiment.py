"""What an experiment on answers may say."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from closerthan_study.facts import facts
from closerthan_study.spec import experiment as base
from closerthan_study.spec.model import Count, Model, Name, Share, known, refuse


class Comparisons(Model):
    """How the answers of a data set are parted, and how many of them a trial has."""

    n_train: Share  # of what `by` says
    by: Literal["question", "screen", "participant"] = "question"  # what stays whole
    most: Count | None = None  # comparisons at most, of screens drawn in each trial


class Variant(base.TunedVariant):
    """The settings of a model; some may be tuned, on a part of the training answers."""


class Method(base.Method):
    """A model that is fitted to answers and predicts others, or a control."""

    given: ClassVar = frozenset({"n_objects", "random_state", "callback", "verbose"})
    also: ClassVar = {"share": 1.0}  # of the training answers, which a method may sweep
    by_name: ClassVar = {
        "loss": "closerthan.losses",
        "solver": "closerthan.optimize",
        "penalty": "closerthan.penalties",
    }
    controls: ClassVar = ("random", "ceiling")
    packages: ClassVar = ("closerthan.ordinal", "closerthan_study.contenders")
    solvers: ClassVar = ("closerthan.optimize",)

    losses: Annotated[list[str], Field(min_length=1)] | None = None  # by default the model's own
    variants: dict[str, Variant] = {}

    def losses_of(self, losses):
        return self.losses or [base.NONE]

    @model_validator(mode="after")
    def _check_losses(self, info: ValidationInfo):
        for n, loss in enumerate(self.losses or []):
            known(loss, info.context["losses"], f"losses.{n}: unknown loss")
        return self


class Experiment(base.Experiment):
    """An experiment that asks how well models predict answers that they have not seen."""

    drawn: ClassVar = frozenset({"comparisons"})

    task: Literal["answers"]
    epochs: Count = 1  # the budget of a fit is the model's own
    comparisons: Comparisons
    n_components: Count  # of models that say no other; fewer where there are fewer objects
    again: bool = False  # whether each model is fitted once more from other random numbers
    calibration: bool = False  # whether probabilities are kept by bin
    methods: Annotated[dict[Name, Method], Field(min_length=1)]

    @field_validator("datasets", "fallback")
    @classmethod
    def _check_answers(cls, names):
        for name in names:
            if "n_answers" not in facts()[name]:
                refuse(f"{name!r} holds no answers")
        return names

    @model_validator(mode="after")
    def _check_people(self):
        for name in self.datasets if self.comparisons.by == "participant" else ():
            if not facts()[name].get("n_people"):
                refuse(f"comparisons.by: participant, but those of {name!r} are unknown")
        return self

    def _check_tuning(self, variant, where):
        """Tune on a part of the training answers of the trial itself: nothing else is needed."""
