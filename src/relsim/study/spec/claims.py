"""What a paper claims, as it stands in config/studies/{study}/claims.yaml.

A claim has checks, and a check is one of three kinds:

    compare  `who` is better than `against`, by a factor or a difference
    within   a measure of `who` is at least or at most a number
    slope    the same for the slope of a measure on log-log axes, over epochs or, of a stream, over
             the triplets that it brought

These models say what a file may hold; `relsim.study.claims.cases` says what its names may be.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, PositiveFloat, RootModel, model_validator

from relsim.study.spec.model import Count, Model, Number, refuse

Text = Annotated[str, Field(min_length=1)]


class OfLoss(Model):
    """What a contender has for one loss."""

    variant: str | None = None
    batch_size: Count | None = None


class ContenderEntry(Model):
    """A method; what it does not say is the first in the study file. A name alone will do."""

    method: str
    variant: str | None = None
    batch_size: Count | None = None
    noise: float | None = None
    sweep: Number | None = None  # the value of the parameter that is swept
    loss: str | None = None  # instead of that of the case
    measure: str | None = None  # instead of that of the check
    by_loss: dict[str, OfLoss] = Field({})

    @model_validator(mode="before")
    @classmethod
    def _read_name(cls, content):
        return {"method": content} if isinstance(content, str) else content


Contenders = Annotated[
    list[ContenderEntry],
    Field(min_length=1),
    BeforeValidator(lambda content: [content] if isinstance(content, str) else content),
]


class Sides(Model):
    """Contenders of the paper's own, and those that a fair reader asks for, judged apart.

    A list alone is the paper's.
    """

    paper: Contenders
    fair: Contenders | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_list(cls, content):
        return content if isinstance(content, dict) else {"paper": content}

    @property
    def groups(self):
        """The contenders of each group that there is."""
        return {"paper": self.paper} | ({"fair": self.fair} if self.fair else {})


class Check(Model):
    """What every kind of check may say; where it says nothing, it is about all there are."""

    measure: str
    experiment: str | None = None  # instead of that of the claim
    datasets: Annotated[list[str], Field(min_length=1)] | None = None
    noise: Annotated[list[float], Field(min_length=1)] | None = None
    losses: Annotated[list[str], Field(min_length=1)] | None = None
    share: Annotated[float, Field(gt=0, le=1)] = 0.5  # of the paired trials that must meet it


class Point(Check):
    """A check that reads a curve at one place: at its end, unless it says where."""

    k: Count | None = None
    epoch: Annotated[float, Field(ge=0)] | None = None
    triplets: Annotated[list[Count], Field(min_length=1)] | None = None  # each of them


class By(Model):
    """By how much a contender must be better: by a factor, or by a difference."""

    factor: PositiveFloat | None = None
    difference: float | None = None

    @model_validator(mode="after")
    def _check(self):
        if (self.factor is None) == (self.difference is None):
            refuse("it has either a factor or a difference")
        return self


class Compare(Point):
    """`who` is better than `against`: each of them than each."""

    kind: Literal["compare"]
    who: Contenders
    against: Sides
    direction: Literal["less", "greater"]  # which is better
    by: By | None = None  # without it, by any amount


class _Bounded(Check):
    who: Sides
    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _check(self):
        if self.at_least is None and self.at_most is None:
            refuse("at_least or at_most is missing")
        return self

    @property
    def bounds(self):
        """The bounds that there are, by name."""
        bounds = {"at_least": self.at_least, "at_most": self.at_most}
        return {name: bound for name, bound in bounds.items() if bound is not None}


class Within(_Bounded, Point):
    """A measure of `who` lies within bounds."""

    kind: Literal["within"]


class Slope(_Bounded):
    """So does the slope of a measure of `who` on log-log axes."""

    kind: Literal["slope"]
    after: Annotated[float, Field(ge=0, lt=1)] = 0.0  # the share of the curve that is left out
    above: Annotated[float, Field(ge=0)] = 0.0  # the curve ends where it first falls to this


KINDS = {"compare": Compare, "within": Within, "slope": Slope}


def _read_check(content):
    """Read a check as what its kind says; pydantic's own way would put the kind into the key."""
    if not isinstance(content, dict):
        return content
    kind = content.get("kind")
    if kind not in KINDS:
        refuse(f"kind: {kind!r} is not allowed; allowed: {', '.join(KINDS)}")
    return KINDS[kind].model_validate(content)


AnyCheck = Annotated[Compare | Within | Slope, BeforeValidator(_read_check)]


class ClaimEntry(Model):
    """A claim in our words; with `check: null` one that is not yet run."""

    statement: Text
    where: Text  # in the paper
    artefact: Text = ""  # the figure or table under results/reports
    experiment: str = ""
    data: dict[str, Literal["same", "stand-in", "partial"]] = Field({})  # the best first
    every_dataset: bool = False  # judged on each and not on the first that was run
    min_trials: Count = 5
    check: Annotated[list[AnyCheck], Field(min_length=1)] | None

    @model_validator(mode="after")
    def _check(self):
        missing = [key for key in ("artefact", "experiment", "data") if not getattr(self, key)]
        if self.check and missing:
            refuse(f"{missing[0]} is missing")
        return self


class Claims(RootModel[dict[str, ClaimEntry]]):
    """The claims of a paper by name."""
