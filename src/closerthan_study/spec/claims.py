"""The claims of a paper: config/studies/{study}/claims.yaml.

A claim has parts. An entry of the file gives one part, or one for each of several losses, data
sets, noise levels or contenders. An entry is one of four kinds, which only a slope has to name:

    compare     `who` is better than `against`, by a factor or a difference
    within      a measure of `who` is at least or at most a number
    slope       the same for the slope of a measure on log-log axes, over epochs or, for a stream,
                over the triplets so far
    untestable  no run could test it; it has no measure, and `void` says why

The block `defaults` of a file has what its claims share.

These models check the structure of a file; `closerthan_study.claims.cases` checks its names.
"""

from itertools import product
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, PositiveFloat, RootModel, model_validator

from closerthan_study.spec.printed import PARTIAL, SAME, STAND_IN, read_name
from closerthan_study.spec.validation import Count, Model, Number, check_name, refuse

Text = Annotated[str, Field(min_length=1)]


# Who chose a threshold, and when.
Chosen = Annotated[str, Field(pattern=r"^(printed|ours, \d{4}-\d{2}-\d{2})$")]
SMALLEST_BY = "ours, 2026-11-24"  # the smallest differences that matter


# Whose the settings of a claim are: the paper's, the released code's, inferred from other printed
# numbers, or ours.
Settings = Literal["paper", "code", "inferred", "ours"]


OURS = "ours"  # data, where the paper names none


Direction = Literal["less", "greater"]  # which is better


class SideEntry(Model):
    """A method. Missing settings are the first in the study file. A name alone is enough.

    In a file a setting may be a list, which stands for one method with each of its values.
    A batch size may differ by loss.
    """

    method: str
    variant: str | None = None
    batch_size: Count | dict[str, Count] | None = None
    noise: float | None = None
    sweep: Number | None = None  # the value of the parameter that is swept
    loss: str | None = None  # instead of that of the case


def _list_each(content):
    """Return the methods that an entry of a file, or a list of entries, stands for."""
    if isinstance(content, list):
        return [one for entry in content for one in _list_each(entry)]
    if not isinstance(content, dict):
        return [content]
    lists = {key: value for key, value in content.items() if isinstance(value, list)}
    chosen = product(*lists.values())
    return [{**content, **dict(zip(lists, values, strict=True))} for values in chosen]


def _read_list(content):
    return content if isinstance(content, dict) else {"paper": content}


_Named = Annotated[SideEntry, BeforeValidator(read_name)]
_Each = BeforeValidator(_list_each)
_Listed = Annotated[list[_Named], Field(min_length=1), _Each]


class BothSides(Model):
    """The paper's own contenders and the fair ones, which are judged apart.

    A list alone has the paper's.
    """

    paper: _Listed
    fair: _Listed | None = None


Sides = Annotated[BothSides, BeforeValidator(_read_list)]


class Bounds(Model):
    """A lower bound, an upper bound, or both."""

    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _check_bounds(self):
        if self.at_least is None and self.at_most is None:
            refuse("at_least or at_most is missing")
        return self

    @property
    def bounds(self):
        """The given bounds by side."""
        bounds = {"at least": self.at_least, "at most": self.at_most}
        return {side: bound for side, bound in bounds.items() if bound is not None}


class Premise(Bounds):
    """A condition of a theorem or a measurement. A part is void unless every trial meets it."""

    measure: str
    who: _Named | None = None  # default: that of the part
    why: Text  # the condition in words


class Part(Model):
    """The keys of every kind of entry. A missing list means all; of losses, all of its methods."""

    part: Text  # the sub-claim, in words
    experiment: str | None = None  # instead of that of the claim
    datasets: Annotated[list[str], Field(min_length=1)] | None = None
    noise: Annotated[list[float], Field(min_length=1)] | None = None
    losses: Annotated[list[str], Field(min_length=1)] | None = None
    void: Text | None = None  # why the measurement cannot be judged

    @property
    def sides(self):
        """Its contenders and their opponents, if it has them."""
        return [getattr(self, name) for name in ("who", "against") if hasattr(self, name)]

    @property
    def is_fair(self):
        """Whether it names contenders for a fair comparison."""
        return any(side.fair for side in self.sides)


class Untestable(Part):
    """A part that no run could test."""

    kind: Literal["untestable"]
    void: Text


class Measured(Part):
    """A part that rests on a measure."""

    measure: str
    share: Annotated[float, Field(gt=0, le=1)] = 0.5  # of the paired trials that must meet it
    unit: Literal["trials", "pairs", "count"] = "trials"  # what varies; a count does not vary
    threshold_by: Chosen | None = None
    premises: list[Premise] = []


class Point(Measured):
    """An entry that reads a curve at one place, by default at its end."""

    epoch: Annotated[float, Field(ge=0)] | None = None
    triplets: Annotated[list[Count], Field(min_length=1)] | None = None  # each of them


class By(Model):
    """How much better a contender must be: a factor or a difference."""

    factor: PositiveFloat | None = None
    difference: float | None = None

    @model_validator(mode="after")
    def _check(self):
        if (self.factor is None) == (self.difference is None):
            refuse("give either a factor or a difference")
        return self


class Compare(Point):
    """`who` is better than `against`: each contender than each opponent.

    The paper says by how much (`by`), or only that it is better. Then `smallest` is the smallest
    difference that matters. An effect between the two directions of it is level.
    """

    kind: Literal["compare"]
    who: Sides
    against: Sides
    direction: Direction
    by: By | None = None
    smallest: By | None = None
    after: Annotated[float, Field(ge=0, lt=1)] | None = None  # compare slopes, as in a `Slope`

    @model_validator(mode="after")
    def _check_threshold(self):
        if (self.by is None) != (self.threshold_by is None):
            refuse("threshold_by goes with by: give both or neither")
        if (self.by is None) == (self.smallest is None):
            refuse("give either by or smallest")
        if self.smallest and (self.smallest.factor or 1 + self.smallest.difference) <= 1:
            refuse("smallest: a factor is above 1, a difference above 0")
        return self


class _Bounded(Measured, Bounds):
    who: Sides

    @model_validator(mode="after")
    def _check_threshold(self):
        if self.threshold_by is None:
            refuse("threshold_by is missing")
        return self


class Within(_Bounded, Point):
    """A measure of `who` lies within bounds."""

    kind: Literal["within"]


class Slope(_Bounded):
    """The slope of a measure of `who` on log-log axes lies within bounds."""

    kind: Literal["slope"]
    after: Annotated[float, Field(ge=0, lt=1)] = 0.0  # the share of the curve that is left out
    above: Annotated[float, Field(ge=0)] = 0.0  # the curve ends when it first falls to this value


KINDS = {"compare": Compare, "within": Within, "slope": Slope, "untestable": Untestable}


def _read_part(content):
    """Read an entry by its kind. Pydantic's own way would put the kind into the key of errors."""
    if not isinstance(content, dict):
        return content
    kind = content.get("kind") or _kind_of(content)
    check_name(kind, KINDS, "kind: unknown kind")
    return KINDS[kind].model_validate({**content, "kind": kind})


def _kind_of(content):
    if "against" in content:
        return "compare"
    return "within" if "measure" in content else "untestable"


AnyPart = Annotated[Compare | Within | Slope | Untestable, BeforeValidator(_read_part)]


class Reading(Model):
    """One way to set what a paper leaves open. What is not named stays as in the parts."""

    reading: Text
    # Who supports it: the paper's words, the released code, other printed numbers, nothing but the
    # number that is judged, or nobody, because it is our choice.
    source: Literal["words", "code", "printed", "judged", "ours"]
    variants: dict[str, str] = Field({})  # by method: the variant that it takes
    measures: dict[str, str] = Field({})  # by measure of the parts: the one that is read instead
    experiments: dict[str, str] = Field({})
    epochs: dict[float, float | None] = Field({})  # by epoch of the parts; null: the end
    noise: dict[float, float] = Field({})  # by noise level of the parts
    bounds: dict[float, float] = Field({})  # by bound of the parts
    share: Annotated[float, Field(gt=0, le=1)] | None = None  # of the trials
    by: dict[str, By] = Field({})  # by measure: how much better a contender must be


class Hinge(Model):
    """A setting that the paper leaves open and that decides. The parts have its first reading."""

    setting: Text
    readings: Annotated[list[Reading], Field(min_length=2)]

    @model_validator(mode="after")
    def _check_first(self):
        first, *_ = self.readings
        if first.model_fields_set - {"reading", "source"}:
            refuse("readings.0: the parts have it, so it changes nothing")
        if first.source == "judged":
            refuse("readings.0: a reading that only the judged number supports is never the first")
        return self


class Shared(Model):
    """What the claims about an experiment may share."""

    settings: Settings | None = None
    data: dict[str, Literal[SAME, PARTIAL, STAND_IN, OURS]] = Field({})  # the best first
    artefact: Text = ""  # the figure or table under results/reports
    every_dataset: bool = False  # judged on each, not only on the first of the run
    stand_in: Text | None = None  # why stand-in data cannot test it, so that they leave it open
    hinge: Hinge | None = None


class ClaimEntry(Shared):
    """A claim in our words. `parts: null` means that it is not yet judged."""

    statement: Text  # what the paper says, in one or two sentences
    note: str = ""  # what a reader of its verdict has to know
    where: Text  # in the paper
    experiment: str = ""
    parts: Annotated[list[AnyPart], Field(min_length=1)] | None

    @model_validator(mode="after")
    def _check(self):
        needed = ("artefact", "experiment", "settings", "data")
        missing = [key for key in needed if not getattr(self, key)]
        if self.parts and missing:
            refuse(f"{missing[0]} is missing")
        if self.stand_in and STAND_IN not in self.data.values():
            refuse("stand_in: no data stand in")
        return self

    def under(self, reading):
        """Return the claim with another reading of its hinge."""
        changed = {"hinge": None, "parts": [_read_as(part, reading) for part in self.parts or []]}
        experiment = reading.experiments.get(self.experiment, self.experiment)
        return self.model_copy(update=changed | {"experiment": experiment})


def _read_as(part, reading):
    """Return a part with what a reading sets instead."""
    changed = {"experiment": reading.experiments.get(part.experiment, part.experiment)}
    if part.noise:
        changed["noise"] = [reading.noise.get(level, level) for level in part.noise]
    for bound in ("at_least", "at_most"):
        if hasattr(part, bound):
            changed[bound] = reading.bounds.get(getattr(part, bound), getattr(part, bound))
    if isinstance(part, Point):
        changed["epoch"] = reading.epochs.get(part.epoch, part.epoch)
    if isinstance(part, Measured):
        changed["measure"] = reading.measures.get(part.measure, part.measure)
        changed["share"] = reading.share or part.share
        if isinstance(part, Compare) and part.measure in reading.by:
            changed["by"] = reading.by[part.measure]
        for name in ("who", "against"):
            if side := getattr(part, name, None):
                paper = [_vary(contender, reading) for contender in side.paper]
                changed[name] = side.model_copy(update={"paper": paper})
    return part.model_copy(update=changed)


def _vary(contender, reading):
    variant = reading.variants.get(contender.method, contender.variant)
    return contender.model_copy(update={"variant": variant})


class Claims(RootModel[dict[str, ClaimEntry]]):
    """The claims of a paper by name."""


class Better(Model):
    """What the comparisons by a measure share."""

    direction: Direction
    smallest: By | None = None


class Defaults(Model):
    """What the claims of a file and their parts have, unless they say something else."""

    experiment: str = ""
    experiments: dict[str, Shared] = {}  # of the claims about each
    measures: dict[str, Better] = {}  # of the comparisons by each
    threshold_by: Chosen | None = None  # of thresholds

    def under(self, claim):
        """Return the content of a claim, laid over the defaults."""
        if not isinstance(claim, dict):
            return claim
        experiment = claim.get("experiment", self.experiment)
        shared = self.experiments.get(str(experiment), Shared()).model_dump(exclude_unset=True)
        parts = claim.get("parts")
        if isinstance(parts, list):
            claim = {**claim, "parts": [self._under_part(part) for part in parts]}
        return {"experiment": experiment, **shared, **claim}

    def _under_part(self, part):
        if not isinstance(part, dict):
            return part
        shared, better = {}, self.measures.get(str(part.get("measure")))
        if better and "against" in part:
            of_measure = {"direction"} if part.get("by") else None
            shared = better.model_dump(include=of_measure, exclude_unset=True)
        if any(part.get(key) is not None for key in ("by", "at_least", "at_most")):
            shared["threshold_by"] = self.threshold_by
        return {**shared, **part}
