"""Define the settings of a seriation experiment."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from closerthan_study.spec import experiment as base
from closerthan_study.spec.validation import Count, Model


class Objects(Model):
    """The objects of a trial, taken from the data set."""

    n_objects: Count


class Method(base.Method):
    """A model with `fit_transform`, or a control."""

    given: ClassVar = frozenset({"n_components"})
    controls: ClassVar = ("random",)
    packages: ClassVar = ("closerthan.mds",)


class Experiment(base.Experiment):
    """An experiment that puts objects in the order of their first feature."""

    drawn: ClassVar = frozenset({"objects"})

    task: Literal["seriation"]
    objects: Objects
    methods: Annotated[dict[str, Method], Field(min_length=1)]
