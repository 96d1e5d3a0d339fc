"""What a paper's own words in reported.csv are called here: the block `printed` of its study.yaml.

A data set, loss, method or measure that a mapping leaves out has the same name here.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field

from relsim.study.spec.model import Count, Model

DATA = "data"  # in the place of an experiment, for what is printed of the data sets themselves


class PrintedMethod(Model):
    """What a method is here, and its mini-batch size; a name alone will do."""

    method: str
    batch_size: Count | None = None


def _read_name(content):
    return {"method": content} if isinstance(content, str) else content


_Named = BeforeValidator(_read_name, json_schema_input_type=str | PrintedMethod)


class Printed(Model):
    """The names that a paper prints, and what they are here."""

    paper: str  # as in the column `paper`
    experiments: Annotated[dict[str, str | dict[str, str]], Field(min_length=1)]
    datasets: dict[str, str] = Field({})
    losses: dict[str, str] = Field({})
    methods: dict[str, Annotated[PrintedMethod, _Named]] = Field({})
    measures: dict[str, str] = Field({})

    def experiment(self, artefact, dataset):
        """Return what a table or figure shows; it may show an experiment for each data set."""
        found = self.experiments[artefact]
        return found if isinstance(found, str) else found[dataset]

    def method(self, name):
        """Return the name of a method here, and its mini-batch size: 0 where it has none."""
        found = self.methods.get(name) or PrintedMethod(method=name)
        return found.method, found.batch_size or 0
