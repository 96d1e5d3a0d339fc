"""What an experiment of similarity learning may say."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from closerthan_study.spec import experiment as base
from closerthan_study.spec.model import Count, Model, Name, Number, Share


class Points(Model):
    """Objects that every trial draws anew: see `closerthan_study.tasks.similarity.mixture`."""

    n_objects: Annotated[int, Field(ge=3)]
    n_labeled: Annotated[int, Field(ge=3)]
    n_classes: Annotated[int, Field(ge=2)]
    n_components: Annotated[int, Field(ge=41)]


class Comparisons(Model):
    """How objects are parted; a triplet has one of the anchor's class before one of another."""

    source: Literal["labels"]
    items: Share  # of each class
    validation: Share  # of these, as queries while parameters are tuned
    queries: Annotated[Number, Field(gt=0, le=1)] | None = None  # of what is left; all, unless said
    n_train: Count


class Method(base.Method):
    """A bilinear similarity or a metric, or a control."""

    given: ClassVar = frozenset({"n_epochs", "bounds", "init", "shape", "random_state", "verbose"})
    controls: ClassVar = ("random", "features")
    packages: ClassVar = ("closerthan.bilinear", "closerthan.mahalanobis")

    variants: dict[str, base.TunedVariant] = {}


class Experiment(base.Experiment):
    """An experiment that learns how alike two vectors of features are."""

    drawn: ClassVar = frozenset({"points", "comparisons"})
    scored: ClassVar = frozenset({"normalize"})

    task: Literal["similarity"]
    normalize: dict[str, Literal["range", "length"]] = {}  # of a data set: to [-1, 1], or length 1
    points: Points | None = None
    comparisons: Comparisons
    progress: bool = False  # the losses of every step are kept, and no ranking is scored
    gap: bool = False  # the same for the duality gap of every epoch
    methods: Annotated[dict[Name, Method], Field(min_length=1)]

    @property
    def ranks(self):
        """Whether similarities are scored by the rankings that they give, not by their fits."""
        return not (self.progress or self.gap)

    @field_validator("normalize")
    @classmethod
    def _check_normalize(cls, content):
        base.check_datasets(content)
        return content

    def _check_tuning(self, variant, where):
        """Each trial is tuned by itself, on items that validate."""
