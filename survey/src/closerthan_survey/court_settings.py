"""Check config/court.yaml: the contenders of the court, and their limits."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from closerthan_study.spec.scales import lay_scale
from closerthan_study.spec.validation import Count, Model, Name, check_name, read_yaml, validate

CANDIDATES = 3  # as many losses as the package's default tries
HERE = Path(__file__).parents[2]  # survey/


class Code(Model):
    """The code of others that no package has: its address at a commit, and its files."""

    url: Annotated[str, Field(pattern=r"^https://.+/[0-9a-f]{40}$")]
    files: dict[str, Annotated[str, Field(pattern=r"^\d+ [0-9a-f]{64}$")]]  # bytes and SHA-256

    def entries(self):
        """Return for each file its entry, as in the registry of data sets."""
        found = {}
        for file, record in self.files.items():
            size, digest = record.split()
            found[file] = {"url": f"{self.url}/{file}", "bytes": int(size), "sha256": digest}
        return found


class Contender(Model):
    """A method of a program. One of its candidate settings is chosen on the training answers."""

    label: str
    peer: Name  # the program's folder in benchmarks/peers
    method: str = ""
    takes: Literal["triplets", "quadruplets"] = "triplets"  # the most that it can read
    code: str | None = None
    ours: bool = False
    candidates: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=CANDIDATES)]


class Court(Model):
    """The contenders of the court, and the experiment whose trials they get."""

    study: str
    experiment: str
    trials: Count
    seconds: Count  # of a fit
    megabytes: Count
    only: list[str] = []  # names of contenders or programs; by default all
    code: dict[str, Code] = {}
    contenders: dict[Name, Contender]

    @model_validator(mode="after")
    def _check_names(self):
        for name, contender in self.contenders.items():
            if contender.code:
                check_name(contender.code, self.code, f"contenders.{name}.code: unknown code")
        peers = [contender.peer for contender in self.contenders.values()]
        for word in self.only:
            check_name(word, dict.fromkeys([*self.contenders, *peers]), "only: unknown contender")
        return self

    def chosen(self):
        """Return the contenders to run: all, or those whose names or programs `only` has."""
        some = set(self.only or self.contenders)
        return {name: c for name, c in self.contenders.items() if {name, c.peer} & some}


def read_court(scale, root=HERE, only=()):
    """Return the court at a scale, with some of its contenders or, by default, the scale's."""
    path = root / "config" / "court.yaml"
    content = lay_scale(read_yaml(path), scale, path, "court")
    return validate(Court, content | ({"only": list(only)} if only else {}), path)
