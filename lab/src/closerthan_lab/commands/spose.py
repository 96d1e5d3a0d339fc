"""`closerthan embed --model spose`: the dimensions behind odd-one-out answers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from closerthan._core.typing import StrPath
from closerthan._core.validation import check_count
from closerthan.ordinal.problem import spread_rows
from closerthan_lab.commands.check import describe_table
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.held_out import FOLDS, question_folds
from closerthan_lab.commands.reading import as_table, describe_reading
from closerthan_lab.commands.writing import coordinate_table, write_facts, write_safe_csv
from closerthan_lab.files.answers import AnswerTable
from closerthan_lab.fit_many import fit_many
from closerthan_lab.page.thumbnails import find_images
from closerthan_lab.spose.refits import FOUND, Reproducibility, reproducibility
from closerthan_lab.spose.spose import SPoSE, triples_of

_ASKED = 100_000  # most answers used to compute what a dimension carries
_TOP = 10  # names of a dimension's objects in a table


def spose(
    answers: StrPath | AnswerTable,
    *,
    n_refits: int = 20,
    images: StrPath | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool = False,
) -> "Explained":
    """Find the dimensions behind a file of odd ones out, and test how reproducible each is.

    Parameters
    ----------
    answers : str, path-like or closerthan_lab.files.AnswerTable
        The answers, or a file of answers. All must be odd ones out.
    n_refits : int, default 20
        Number of refits from other random starts; see `closerthan_lab.spose.reproducibility`.
    images : path-like, optional
        A folder of images. Each is named like its object.
    n_jobs, random_state, progress
        As for all commands; see `closerthan_lab.commands`.

    Examples
    --------
    >>> from itertools import combinations
    >>> from closerthan.comparisons import from_odd_one_out
    >>> triples = [t for t in combinations(range(6), 3) if len({o < 3 for o in t}) == 2]
    >>> odd = [next(o for o in t if sum((o < 3) == (p < 3) for p in t) == 1) for t in triples]
    >>> spose(from_odd_one_out(triples * 9, odd * 9), n_refits=3).model.embedding_.shape[0]
    6
    """
    check_count("n_refits", n_refits)
    table = as_table(answers)
    if images is not None:
        find_images(images, table.names)  # fail before the long work
    triples, n_objects = _triples_of(table), len(table.names)
    folds = question_folds(table.answers, FOLDS, random_state)
    fewest = min(len(train) for train, _ in folds)
    if fewest < n_objects:
        raise ValueError(
            f"{len(triples)} answers about {n_objects} objects; a fit without a fifth of the "
            f"questions would have {fewest}, and needs as many as objects; collect more answers"
        )
    model = SPoSE(n_jobs=n_jobs, random_state=random_state, verbose=int(progress)).fit(triples)
    held_out = _held_out(model, triples, folds, n_jobs, progress)
    same: dict[str, Any] = {"n_jobs": n_jobs, "random_state": random_state, "progress": progress}
    again = reproducibility(model, triples, n_refits=n_refits, **same)
    return Explained(table, model, held_out, _carried(model, triples), again, images)


def _triples_of(table):
    """Return rows of three objects, the odd one last. An error names the file and the line."""
    try:
        return triples_of(table.answers)
    except ValueError as error:
        screen = re.search(r", screen (\d+): ", str(error))
        if table.path is None or screen is None:
            raise
        why = f"{table.form} have no odd one out; model='distances' takes all answers"
        if table.form == "odd-one-out":
            why = "the weights differ; ignore them with columns={'weight': None}"
        line = table.lines_of([int(screen[1])])[0]
        raise ValueError(f"{table.path}, {table.unit} {line}: {why}") from None


def _held_out(model, triples, folds, n_jobs, progress):
    """Return the accuracy for each fold of questions, predicted by fits to the other folds."""
    accuracy = np.empty(FOLDS)
    same = {"strength": model.strength_, "n_objects": len(model.embedding_), "verbose": 0}

    def fit(number):
        train, test = folds[number]
        other = clone(model).set_params(**same, n_jobs=None).fit(triples[train])
        accuracy[number] = other.score(triples[test])

    fit_many(fit, FOLDS, n_jobs, "folds", progress)
    return accuracy


def _carried(model, triples):
    """Return for each dimension the share of the gain over guessing that is lost without it."""
    some = triples[spread_rows(len(triples), _ASKED)] if len(triples) > _ASKED else triples
    points, less = model.embedding_, clone(model)

    def loss_of(dimensions):
        less.embedding_ = dimensions
        return -np.log(less.predict_proba(some)[:, 2]).mean()

    whole = loss_of(points)
    gain = max(np.log(3) - whole, np.finfo(float).tiny)
    without = [loss_of(np.delete(points, number, axis=1)) for number in range(points.shape[1])]
    return (np.array(without) - whole) / gain


@dataclass(frozen=True, eq=False)
class Explained:
    """The result of `spose`: dimensions of the objects, and how far to trust each.

    `accuracy` has the held-out accuracy of each of five folds of questions. `carried` has the share
    of the gain over guessing, in log loss, that is lost without each dimension. The other
    dimensions stay as they are, so the shares need not sum to one. `again` says how well each
    dimension is found again.
    """

    table: AnswerTable
    model: SPoSE
    accuracy: np.ndarray
    carried: np.ndarray = field(repr=False)
    again: Reproducibility = field(repr=False)
    images: StrPath | None = field(default=None, repr=False)
    recipe: dict[str, Any] = field(default_factory=dict, repr=False)

    def frame(self) -> pd.DataFrame:
        """Return a table with a row for each object: its name, and its dimensions d1, d2, ...."""
        return coordinate_table(self.table.names, self.model.embedding_, "d")

    def dimensions(self) -> pd.DataFrame:
        """Return a table with a row for each dimension, the one with the largest sum first.

        For ``carried`` see `Explained`, for ``reproducibility`` and ``share_of_refits`` see
        `Reproducibility`. ``objects`` are the names of those with the largest coordinates.
        """
        points = self.model.embedding_
        n = points.shape[1]
        return pd.DataFrame(
            {
                "dimension": np.arange(1, n + 1),
                "sum": np.nansum(points, axis=0),
                "carried": self.carried,
                **self.again.frame(),
                "objects": [", ".join(self.largest(k, _TOP)["name"]) for k in range(n)],
            }
        )

    def largest(self, number: int, most: int) -> pd.DataFrame:
        """Return id, name and coordinate of the objects that have most of a dimension."""
        column = np.nan_to_num(self.model.embedding_[:, number])
        ids = np.argsort(-column, kind="stable")[:most]
        ids = ids[column[ids] > 0]
        return pd.DataFrame({"id": ids, "name": self.table.names[ids], "value": column[ids]})

    def facts(self) -> dict[str, Any]:
        sparsity, ridge = self.model.strength_
        found = self.again.frame()["reproducibility"] > FOUND
        error = float(self.accuracy.std(ddof=1) / np.sqrt(len(self.accuracy)))
        return {
            **self.recipe,
            "model": "spose",
            "reading": describe_reading(self.table),
            "answers": self.table.answers.n_screens,
            "objects": len(self.table.names),
            "skipped_rows": len(self.table.skipped),
            "dimensions": self.model.embedding_.shape[1],
            "sparsity": float(sparsity),
            "ridge": float(ridge),
            "accuracy_held_out": float(self.accuracy.mean()),
            "accuracy_held_out_standard_error": error,
            "refits": len(self.again.correlations),
            "reproducible": int(found.sum()),
        }

    def text(self) -> str:
        facts = self.facts()
        lines = [
            *describe_table(self.table),
            f"Fitted {facts['answers']:,} answers about {facts['objects']:,} objects "
            "(model: SPoSE). "
            f"{facts['dimensions']} of {self.model.n_components} dimensions remain.",
            *self.sentences(),
            "",
            "dimension  reproducibility  objects that have most of it",
        ]
        sure = self.dimensions().query("reproducibility > @FOUND")
        for row in sure.head(_TOP).itertuples():
            names = ", ".join(self.largest(row.dimension - 1, 5)["name"])
            lines.append(f"{row.dimension:>9}  {row.reproducibility:>15.2f}  {names}")
        return "\n".join(lines if len(sure) else lines[:-2])

    def sentences(self) -> Iterator[str]:
        """Yield the lines that say what the numbers mean."""
        facts = self.facts()
        yield (
            f"The model predicts {facts['accuracy_held_out']:.1%} of held-out odd ones out (chance "
            f"is 33.3%; standard error {facts['accuracy_held_out_standard_error']:.2%})."
        )
        then = "Interpret only these."
        if not facts["reproducible"]:
            then = "Collect more answers before you interpret any."
        yield (
            f"Reproducible dimensions: {facts['reproducible']} of {facts['dimensions']} (mean "
            f"correlation above {FOUND} with the fits from {facts['refits']} other random "
            f"start{'s' * (facts['refits'] > 1)}). {then}"
        )

    def write(self, folder: StrPath, *, overwrite: bool = False) -> list[str]:
        """Write tables, facts, figures and the page ``index.html``; say what it leaves out."""
        from closerthan_lab.commands.spose_page import draw_top_objects, write_dimensions_page

        with filling(folder, overwrite=overwrite) as here:
            write_safe_csv(here / "embedding.csv", self.frame())
            write_safe_csv(here / "dimensions.csv", self.dimensions())
            write_facts(here / "embed.json", self.facts())
            notes = write_dimensions_page(Path(here, "index.html"), self)
            draw_top_objects([here / "dimensions.png", here / "dimensions.pdf"], self)
        return notes
