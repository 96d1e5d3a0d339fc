"""Check the settings of experiments on held-out answers."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from closerthan_study.facts import facts
from closerthan_study.spec import experiment as base
from closerthan_study.spec.validation import Count, Model, Name, Share, refuse


class Comparisons(Model):
    """Split of the answers of a data set, and the number of answers in a trial."""

    n_train: Share  # of the questions, screens or participants
    by: Literal["question", "screen", "participant"] = "question"  # never split over two parts
    most: Count | None = None  # largest number of comparisons; each trial draws screens


class Method(base.LossMethod):
    """A model that learns from answers and predicts other answers, or a control.

    Without `losses` it has its own default. Parameters are tuned on a part of the training answers.
    """

    given: ClassVar = frozenset({"n_objects", "random_state", "callback", "verbose"})
    also: ClassVar = {"share": 1.0}  # share of the training answers; a method can sweep it
    by_name: ClassVar = {
        "loss": "closerthan.losses",
        "solver": "closerthan.optimize",
        "penalty": "closerthan.penalties",
    }
    controls: ClassVar = ("random", "ceiling")
    packages: ClassVar = (
        "closerthan.ordinal",
        "closerthan_lab.people",
        "closerthan_survey.contenders",
    )
    solvers: ClassVar = ("closerthan.optimize",)

    variants: dict[str, base.TunedVariant] = {}

    def losses_of(self, losses):
        return self.losses or [base.NONE]


class Experiment(base.Experiment):
    """An experiment that measures how well models predict held-out answers."""

    drawn: ClassVar = frozenset({"comparisons"})
    tunes_every_trial: ClassVar = True

    task: Literal["answers"]
    epochs: Count = 1  # not used: each model has its own stopping rule
    comparisons: Comparisons
    n_components: Count  # default of all models; at most the number of objects less one
    again: bool = False  # whether to fit each model twice, with different random numbers
    calibration: bool = False  # whether to keep probabilities by bin
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
