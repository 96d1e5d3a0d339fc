"""`closerthan embed`: a map of the objects, with what speaks for it and against it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan._core.validation import check_count
from closerthan.commands.check import Check, check
from closerthan.commands.folder import filling
from closerthan.commands.held_out import HeldOut, predict_held_out
from closerthan.commands.reading import as_table, write_facts, write_table
from closerthan.files.answers import AnswerTable
from closerthan.ordinal.model import OrdinalEmbedding
from closerthan.page.thumbnails import find_images
from closerthan.scores.coverage import each_object_once
from closerthan.scores.embedding import triplet_error
from closerthan.uncertainty import Bootstrap, bootstrap


def embed(
    answers: StrPath | AnswerTable,
    n_components: int = 2,
    *,
    n_refits: int = 200,
    by: str = "answers",
    level: float = 0.9,
    attributes: pd.DataFrame | None = None,
    images: StrPath | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool = False,
) -> "Embedded":
    """Embed the objects of a file of answers, and find out how far the map can be trusted.

    Parameters
    ----------
    answers : str, path-like or closerthan.files.AnswerTable
    n_components : int, default 2
        The dimension of the map.
    n_refits : int, default 200
        For the ellipses; 0 draws none. See `closerthan.uncertainty.bootstrap`.
    by : {"answers", "participant"}, default "answers"
        What is drawn anew for them.
    level : float, default 0.9
        How often an ellipse is to hold the true place.
    attributes : DataFrame, optional
        What is known of the objects, indexed by their names, to color the map by.
    images : path-like, optional
        A folder of pictures, each called as its object.
    n_jobs : int, optional
        Threads; their number does not change the result.
    random_state : int, default 0
    progress : bool, default False
        Whether to show a bar on stderr.

    Returns
    -------
    Embedded

    Raises
    ------
    ValueError
        As `closerthan.files.read_answers`, `OrdinalEmbedding` and `bootstrap`.

    Examples
    --------
    >>> from closerthan.comparisons.answers import Answers
    >>> from closerthan.comparisons.sample import sample_from_points
    >>> points = np.random.default_rng(0).normal(size=(12, 2))
    >>> answers = Answers(sample_from_points(points, 400, random_state=0))
    >>> embedded = embed(answers, n_refits=20)
    >>> embedded.frame().shape[0], embedded.model.score(answers) > 0.95
    (12, True)
    """
    if n_refits:
        check_count("n_refits", n_refits)
    table = as_table(answers)
    if images is not None:
        find_images(images, table.names)  # before any work
    model = OrdinalEmbedding(n_components, n_jobs=n_jobs, random_state=random_state)
    held_out = predict_held_out(model, table.answers, n_jobs=n_jobs, random_state=random_state)
    model.fit(table.answers)
    model.embedding_ = _turned(model.embedding_)
    sure = None
    if n_refits:
        sure = bootstrap(
            model,
            table.answers,
            n_refits=n_refits,
            by=by,
            level=level,
            n_jobs=n_jobs,
            random_state=random_state,
            progress=progress,
        )
    return Embedded(table, check(table), model, held_out, sure, attributes, images)


def _turned(points):
    """Return the points on their principal axes, the longest first, as a map has no directions.

    Of each axis the end is positive that the farthest point lies at.
    """
    placed = points[np.isfinite(points).all(axis=1)]
    _, _, axes = np.linalg.svd(placed - placed.mean(axis=0), full_matrices=False)
    turned = (points - placed.mean(axis=0)) @ axes.T
    farthest = np.nanargmax(np.abs(turned), axis=0)
    return turned * np.sign(turned[farthest, np.arange(turned.shape[1])])


@dataclass(frozen=True, eq=False)
class Embedded:
    """A map, the answers that it was made from, and how far it can be trusted.

    Attributes
    ----------
    table : closerthan.files.AnswerTable
    checked : closerthan.commands.check.Check
    model : closerthan.OrdinalEmbedding
        Fitted; its points are on their principal axes.
    held_out : closerthan.commands.held_out.HeldOut
    sure : closerthan.uncertainty.Bootstrap or None
    attributes : DataFrame or None
    images : path-like or None
    """

    table: AnswerTable
    checked: Check = field(repr=False)
    model: OrdinalEmbedding
    held_out: HeldOut = field(repr=False)
    sure: Bootstrap | None = field(repr=False)
    attributes: pd.DataFrame | None = field(default=None, repr=False)
    images: object = field(default=None, repr=False)

    @property
    def error(self) -> float:
        """Share of the answers, by weight, that contradict the map made from them."""
        answers = self.table.answers
        return triplet_error(
            self.model.embedding_, answers.comparisons, sample_weight=answers.sample_weight
        )

    def frame(self) -> pd.DataFrame:
        """Return a table with a row an object.

        Its ``name``, its place ``x1``, ``x2``, ..., the number of ``comparisons`` it is in, the
        share of them, by weight, that is ``predicted`` when held out, and with refits the standard
        error of each coordinate, ``se1``, ``se2``, ..., in units of the map.
        """
        points = self.model.embedding_
        columns = {"name": self.table.names}
        columns |= {f"x{axis + 1}": points[:, axis] for axis in range(points.shape[1])}
        columns |= dict(zip(("comparisons", "predicted"), self._by_object(), strict=True))
        if self.sure is not None:
            errors = np.sqrt(np.diagonal(self.sure.covariance, axis1=1, axis2=2))
            columns |= {f"se{axis + 1}": errors[:, axis] for axis in range(points.shape[1])}
        return pd.DataFrame(columns)

    def _by_object(self):
        """Count the comparisons of each object, and the share that is predicted, by weight."""
        answers, n_objects = self.table.answers, len(self.table.names)
        objects, rows = each_object_once(answers.comparisons)
        weight = answers.sample_weight[rows]
        total = np.bincount(objects, weight, n_objects)
        held = np.bincount(objects, weight * self.held_out.holds[rows], n_objects)
        share = np.divide(held, total, out=np.full(n_objects, np.nan), where=total > 0)
        return np.bincount(objects, minlength=n_objects), share

    def facts(self) -> dict[str, Any]:
        known = self.checked.facts()
        return {
            "answers": self.table.answers.n_screens,
            "comparisons": len(self.table.answers),
            "objects": len(self.table.names),
            "skipped_rows": len(self.table.skipped),
            "dimension": self.model.n_components,
            "loss": type(self.model.loss_).__name__,
            "error": self.error,
            "error_held_out": self.held_out.error,
            "error_held_out_standard_error": self.held_out.standard_error,
            "noise_ceiling": known.get("noise_ceiling"),
            "refits": 0 if self.sure is None else len(self.sure.refits),
            "level": None if self.sure is None else self.sure.level,
        }

    def text(self) -> str:
        facts = self.facts()
        dimensions = "dimension" if facts["dimension"] == 1 else "dimensions"
        return "\n".join(
            [
                f"{facts['objects']:,} objects in {facts['dimension']} {dimensions}, from "
                f"{facts['answers']:,} answers; loss {facts['loss']}.",
                *self.sentences(),
            ]
        )

    def sentences(self) -> Iterator[str]:
        """Return what the numbers mean, a sentence each."""
        facts = self.facts()
        yield (
            f"Of answers that the map was not made from it predicts "
            f"{1 - facts['error_held_out']:.1%} (± {facts['error_held_out_standard_error']:.1%}), "
            f"of those that it was made from {1 - facts['error']:.1%}; chance is 50%."
        )
        ceiling = self.checked.ceiling
        if np.isfinite(ceiling.value):
            known = np.isfinite(ceiling.low)
            interval = f" ({ceiling.low:.1%} to {ceiling.high:.1%})" if known else ""
            yield (
                "By the questions that were asked again, the best map that there could be would "
                f"predict about {ceiling.value:.1%}{interval}."
            )
        if self.sure is not None:
            yield self._of_ellipses()

    def _of_ellipses(self):
        sure, n_people = self.sure, self.table.answers.n_people
        shapes = "Intervals" if self.model.n_components == 1 else "Ellipses"
        people = sure.by == "participant"
        made = (
            f"{shapes} are made so that {sure.level:.0%} of them hold the true place of their "
            f"object, by {len(sure.refits):,} refits to {'participants' if people else 'answers'} "
            "drawn anew."
        )
        if people or not n_people or n_people == 1:
            return made
        return (
            f"{made} They are about these {n_people:,} people; drawn by participant they would be "
            "about others too."
        )

    def write(self, folder: StrPath, *, overwrite: bool = False) -> list[str]:
        """Write tables, facts, figures and ``index.html``, the page, into a folder.

        Returns
        -------
        list of str
            What was left out of the page, in sentences.
        """
        from closerthan.commands.map_page import draw_figures, write_map_page

        with filling(folder, overwrite=overwrite) as here:
            frame = self.frame()
            write_table(here / "embedding.csv", frame)
            frame.to_parquet(here / "embedding.parquet", index=False)
            write_facts(here / "embed.json", self.facts())
            notes = write_map_page(here / "index.html", self)
            draw_figures([here / "map.png", here / "map.pdf"], self)
        return notes
