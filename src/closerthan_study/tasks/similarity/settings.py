"""Check the settings of experiments of similarity learning."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from closerthan_study.spec import experiment as base
from closerthan_study.spec.validation import Count, Model, Name, Number, Share


class MixturePoints(Model):
    """Objects drawn anew in every trial; see `closerthan_study.tasks.similarity.mixture`."""

    n_objects: Annotated[int, Field(ge=3)]
    n_labeled: Annotated[int, Field(ge=3)]
    n_classes: Annotated[int, Field(ge=2)]
    n_components: Annotated[int, Field(ge=41)]


class Comparisons(Model):
    """Parts of the objects; in a triplet, j has the class of the anchor i and k another class."""

    source: Literal["labels"]
    items: Share  # of each class
    validation: Share  # of the items; they are the queries in tuning
    queries: Annotated[Number, Field(gt=0, le=1)] | None = None  # of the other objects; None: all
    n_train: Count


class Method(base.Method):
    """A bilinear similarity or a metric, or a control."""

    given: ClassVar = frozenset({"bounds", "init", "shape", "random_state", "verbose"})
    controls: ClassVar = ("random", "features")
    packages: ClassVar = (
        "closerthan.similarity",
        "closerthan_study.baselines",
        "closerthan_study.tasks.similarity.averaged",
    )

    variants: dict[str, base.TunedVariant] = {}


class Experiment(base.Experiment):
    """An experiment that learns the similarity of feature vectors."""

    drawn: ClassVar = frozenset({"points", "comparisons"})
    scored: ClassVar = frozenset({"normalize"})
    tunes_every_trial: ClassVar = True

    task: Literal["similarity"]
    normalize: dict[str, Literal["range", "length"]] = {}  # by data set: to [-1, 1] or length 1
    points: MixturePoints | None = None
    comparisons: Comparisons
    progress: bool = False  # keep the losses of every step and score no ranking
    gap: bool = False  # keep the duality gap of every epoch and score no ranking
    methods: Annotated[dict[Name, Method], Field(min_length=1)]

    @property
    def ranks(self):
        """Whether the scores are rankings, rather than learning curves."""
        return not (self.progress or self.gap)

    @field_validator("normalize")
    @classmethod
    def _check_normalize(cls, content):
        base.check_datasets(content)
        return content
