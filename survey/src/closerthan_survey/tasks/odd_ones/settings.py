"""Check the settings of experiments on odd ones out."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from closerthan_study.facts import facts
from closerthan_study.spec import experiment as base
from closerthan_study.spec.validation import Count, Model, Name, Share, refuse


class AnswerSettings(Model):
    """Which answers are learned from, and which test.

    People's answers are split: by question, or by object, and then no training answer names a
    test object. Instead another data set may test. Or answers are drawn from the features of the
    data set, taken as dimensions: `n_train` and `n_test` of them.
    """

    test: str = "question"  # or "object", "drawn", or the name of a data set
    share: Share = 0.15  # of the questions or objects that are held out
    most_asked: Count | None = None  # questions asked more often are left out
    n_train: Count | None = None
    n_test: Count | None = None

    @model_validator(mode="after")
    def _check_numbers(self):
        if (self.test == "drawn") != (None not in (self.n_train, self.n_test)):
            refuse("n_train and n_test go with test: drawn")
        return self


class Method(base.Method):
    """A model of odd ones out, or of features, or a control.

    `features` names the data set whose features the model gets. Parameters are tuned on a part of
    the training answers.
    """

    given: ClassVar = frozenset({"n_objects", "random_state", "callback", "verbose", "n_jobs"})
    # The number of training answers (0: all), and if points are what the features predict.
    also: ClassVar = {"n_train": 0, "only_features": False}
    controls: ClassVar = ("ceiling", "truth", "cosine", "product")
    packages: ClassVar = (
        "closerthan_lab.spose",
        "closerthan.ordinal",
        "closerthan.similarity",
        "closerthan_study.baselines",
    )

    features: str | None = None
    variants: dict[str, base.TunedVariant] = {}


class Experiment(base.Experiment):
    """An experiment that measures how well models predict odd ones out."""

    drawn: ClassVar = frozenset({"answers"})
    tunes_every_trial: ClassVar = True

    task: Literal["odd_ones"]
    epochs: Count = 1  # not used: each model has its own stopping rule
    answers: AnswerSettings
    keeps: bool = False  # whether to keep dimensions and points
    methods: Annotated[dict[Name, Method], Field(min_length=1)]

    @property
    def also_reads(self):
        names = [method.features for method in self.methods.values()]
        if self.answers.test not in ("question", "object", "drawn"):
            names.append(self.answers.test)
        return sorted({name for name in names if name} - {*self.all_datasets})

    @model_validator(mode="after")
    def _check_data(self):
        base.check_datasets(self.also_reads)
        answered = self.all_datasets if self.answers.test != "drawn" else []
        for name in answered:
            if facts()[name].get("form") != "odd one out":
                refuse(f"{name!r} holds no odd ones out")
        for name, method in self.methods.items():
            if method.features and "n_features" not in facts()[method.features]:
                refuse(f"methods.{name}.features: {method.features!r} holds no features")
        return self
