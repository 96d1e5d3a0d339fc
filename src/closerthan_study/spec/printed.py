"""What a paper's own words in reported.csv are called here: the block `printed` of its study.yaml.

A data set, loss, method or measure that a mapping leaves out has the same name here.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from closerthan_study.spec.model import Count, Model

DATA = "data"  # in the place of an experiment, for what is printed of the data sets themselves
SAME, PARTIAL, STAND_IN = "same", "partial", "stand-in"


class PrintedMethod(Model):
    """What a method is here, and its mini-batch size; a name alone will do."""

    method: str
    batch_size: Count | None = None


def _read_name(content):
    return {"method": content} if isinstance(content, str) else content


def _read_same(content):
    return {content: SAME} if isinstance(content, str) else content


_Named = BeforeValidator(_read_name, json_schema_input_type=str | PrintedMethod)
Kinds = dict[str, Literal[SAME, PARTIAL, STAND_IN]]
_Alone = BeforeValidator(_read_same, json_schema_input_type=str | Kinds)


class Printed(Model):
    """The names that a paper prints, and what they are here.

    A data set of the paper is one or several here, the best first: the same one, a part of it, or
    one that stands in for it. The first that a run has serves.
    """

    paper: str  # as in the column `paper`
    experiments: Annotated[dict[str, str | dict[str, str]], Field(min_length=1)]
    datasets: dict[str, Annotated[Kinds, Field(min_length=1), _Alone]] = Field({})
    losses: dict[str, str] = Field({})
    methods: dict[str, Annotated[PrintedMethod, _Named]] = Field({})
    measures: dict[str, str] = Field({})
    variants: dict[str, str] = Field({})  # by our measure, where a method has it: not `paper`

    def experiment(self, artefact, dataset):
        """Return what a table or figure shows; it may show an experiment for each data set."""
        found = self.experiments[artefact]
        return found if isinstance(found, str) else found[dataset]

    def method(self, name):
        """Return the name of a method here, and its mini-batch size: 0 where it has none."""
        found = self.methods.get(name) or PrintedMethod(method=name)
        return found.method, found.batch_size or 0

    def kinds(self, dataset):
        """Return the data sets that a printed one is here, the best first, with what each is."""
        return self.datasets.get(dataset, {dataset: SAME})
