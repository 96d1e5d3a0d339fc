"""Check the settings of experiments of multidimensional scaling."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from closerthan_study.facts import facts
from closerthan_study.spec import experiment as base
from closerthan_study.spec.validation import Count, Model, Name, Noises, refuse


class DrawnShape(Model):
    """The objects of a trial; every trial draws a new shape."""

    n_objects: Annotated[int, Field(ge=4)]  # at most
    pairs: str | None = None  # ratings of the data set: only rated objects take part
    noise: Noises = [0.0]  # standard deviations


class Method(base.Method):
    """A model that learns from dissimilarities or features, or a control."""

    given: ClassVar = frozenset({"metric", "random_state", "verbose"})
    # MDS uses neighbors in the graph of geodesic distances. A sweep may take the first objects.
    also: ClassVar = {"n_neighbors": 1, "n_objects": 1}
    controls: ClassVar = ("random", "truth", "features")
    packages: ClassVar = (
        *("closerthan.mds", "sklearn.manifold", "sklearn.decomposition"),
        "closerthan_study.baselines.fixed_directions",
    )

    @property
    def sizes(self):
        """Whether it sweeps a size: of the objects, or of the map."""
        return bool(self.sweep.keys() & {"n_objects", "n_components"})


class Experiment(base.Experiment):
    """An experiment that learns a map of objects from their dissimilarities or features."""

    drawn: ClassVar = frozenset({"objects"})
    scored: ClassVar = frozenset({"n_neighbors"})

    task: Literal["mds"]
    objects: DrawnShape
    n_components: Count
    dissimilarity: Literal["geodesic", "euclidean"]  # the input of the methods of MDS
    n_neighbors: Count  # for all methods, unless a variant has another number
    methods: Annotated[dict[Name, Method], Field(min_length=1)]

    @model_validator(mode="after")
    def _check_pairs(self):
        for name in self.all_datasets if self.objects.pairs else ():
            names, pairs = facts()[name].get("ratings", []), self.objects.pairs
            if pairs not in names:
                refuse(
                    f"objects.pairs: {pairs!r} is not allowed; allowed: "
                    f"{', '.join(names) or 'none'}, the ratings of {name}"
                )
        return self

    @property
    def noises(self):
        """Standard deviations of the noise added to the features."""
        return self.objects.noise
