"""A paper: config/studies/{study}/study.yaml."""

from typing import Annotated

from pydantic import ConfigDict, Field, ValidationInfo, model_validator

from closerthan_study.spec.experiment import check_parameters
from closerthan_study.spec.printed import Printed
from closerthan_study.spec.scales import lay_shared
from closerthan_study.spec.validation import Model, Name, refuse


class LossEntry(Model):
    """A loss in a study file: its class, and the parameters that differ from the defaults."""

    model_config = ConfigDict(extra="allow")

    cls: str = Field(alias="class")

    @property
    def parameters(self):
        """The parameters in the file, by name."""
        return self.model_extra

    @model_validator(mode="after")
    def _check(self, info: ValidationInfo):
        if info.context["trusted"]:
            return self
        # Here, because it compiles functions that a job may not need.
        from closerthan.losses import find_loss

        try:
            loss = find_loss(self.cls)
        except ValueError as error:
            refuse(f"class: {error}")
        check_parameters(loss, self.parameters, "")
        return self


class Study(Model):
    """The content of a study file. Experiments are validated only when they are used."""

    name: str = Field("", exclude=True)
    title: str
    summary: str
    reference: str
    variants: dict[str, str]  # the variants of its methods, described
    labels: dict[str, str] = {}  # how figures write names
    datasets: dict[str, str] = {}  # with labels; an experiment that names none has all
    losses: dict[str, LossEntry] = {}
    printed: Printed | None = None
    defaults: dict = {}  # of every experiment
    methods: dict[Name, dict] = {}  # what is the same in every experiment that names them
    experiments: Annotated[dict[Name, dict], Field(min_length=1)]

    def experiment(self, name):
        """Return the settings of an experiment at all scales, with those that it shares."""
        defaults = {"datasets": list(self.datasets), **self.defaults}
        return lay_shared(defaults, self.methods, self.experiments[name])

    def label(self, name):
        """Return the label of a loss, variant, parameter or data set in figures.

        >>> words = {"title": "", "summary": "", "reference": "", "variants": {}}
        >>> study = Study(**words, labels={"reg": "λ"}, experiments={"toy": {}})
        >>> study.label("reg"), study.label("tau")
        ('λ', 'tau')
        """
        of_losses = {loss: entry.cls for loss, entry in self.losses.items()}
        return {**of_losses, **self.datasets, **self.labels}.get(name, name)
