"""Our names for the paper's names in reported.csv: the block `printed` of its study.yaml."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from closerthan_study.spec.validation import Count, Model

DATA = "data"  # instead of an experiment, for numbers about the data sets
SAME, PARTIAL, STAND_IN = "same", "partial", "stand-in"


class PrintedMethod(Model):
    """Our name for a method, and its mini-batch size. A name alone is enough."""

    method: str
    batch_size: Count | None = None


def read_name(content):
    """Read a method in a file, for which its name alone is enough."""
    return {"method": content} if isinstance(content, str) else content


def _read_same(content):
    return {content: SAME} if isinstance(content, str) else content


_Named = BeforeValidator(read_name)
Kinds = dict[str, Literal[SAME, PARTIAL, STAND_IN]]
_Alone = BeforeValidator(_read_same)


class Printed(Model):
    """The names that a paper prints, and our names for them.

    A data set of the paper has one or several here, the best first: the same one, a part of it, or
    a stand-in. A run uses the first that it has.
    """

    paper: str  # as in the column `paper`
    experiments: Annotated[dict[str, str | dict[str, str]], Field(min_length=1)]
    datasets: dict[str, Annotated[Kinds, Field(min_length=1), _Alone]] = Field({})
    losses: dict[str, str] = Field({})  # by name, or by the table and the name
    methods: dict[str, Annotated[PrintedMethod, _Named]] = Field({})
    measures: dict[str, str] = Field({})
    variants: dict[str, str] = Field({})  # by our measure: a variant other than `paper`
    epochs: dict[str, dict[str, Count]] = Field({})  # by experiment and loss: not at the end

    def experiment(self, artefact, dataset, loss):
        """Return the experiment of a table or figure, which may depend on the data set or the loss.

        It is None if the table of experiments has neither.
        """
        found = self.experiments[artefact]
        return found if isinstance(found, str) else found.get(dataset, found.get(loss))

    def loss(self, artefact, name):
        """Return our name for a loss, which may mean another one in a table or figure."""
        return self.losses.get(f"{artefact} {name}") or self.losses.get(name, name)

    def method(self, name):
        """Return our name for a method, and its mini-batch size: 0 if it has none."""
        found = self.methods.get(name) or PrintedMethod(method=name)
        return found.method, found.batch_size or 0

    def kinds(self, dataset):
        """Return our data sets for a printed one, the best first, each with its kind."""
        return self.datasets.get(dataset, {dataset: SAME})
