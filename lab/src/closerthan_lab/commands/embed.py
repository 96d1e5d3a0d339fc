"""`closerthan embed`: a map of the objects, with its accuracy and uncertainty."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan.comparisons.answers import Answers
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan.scores.error import triplet_error
from closerthan_lab.commands.check import Check, check, describe_table, render_lines
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.held_out import HeldOut, predict_held_out
from closerthan_lab.commands.reading import as_table, describe_reading, with_features
from closerthan_lab.commands.writing import (
    coordinate_table,
    plain_number,
    write_facts,
    write_safe_csv,
)
from closerthan_lab.files.answers import AnswerTable
from closerthan_lab.page.objects import check_attributes
from closerthan_lab.page.thumbnails import find_images
from closerthan_lab.quality.coverage import describe_groups, share_by_object
from closerthan_lab.uncertainty import Bootstrap, bootstrap, check_settings

FEW_PEOPLE = 12  # too few to resample


def embed(
    answers: StrPath | AnswerTable,
    n_components: int = 2,
    *,
    n_refits: int = 200,
    by: str = "answers",
    level: float = 0.9,
    attributes: pd.DataFrame | None = None,
    features: pd.DataFrame | None = None,
    images: StrPath | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool = False,
) -> "Embedded":
    """Embed the objects of a file of answers, and estimate how reliable the map is.

    Parameters
    ----------
    answers : str, path-like or closerthan_lab.files.AnswerTable
        The answers, or a file of answers.
    n_components : int, default 2
        The dimension of the map.
    n_refits : int, default 200
        Number of bootstrap refits for the confidence ellipses; 0 draws no ellipses. See
        `closerthan_lab.uncertainty.bootstrap`.
    by : {"answers", "participant"}, default "answers"
        What the bootstrap resamples.
    level : float, default 0.9
        Confidence level of the ellipses.
    attributes : DataFrame, optional
        Attributes of the objects, indexed by their names. The page can color the map by them.
    features : DataFrame, optional
        Features of the objects, indexed by their names; see `OrdinalEmbedding.fit`. Objects that no
        answer names are added to the map.
    images : path-like, optional
        A folder of images. Each is named like its object.
    n_jobs, random_state, progress
        As for all commands; see `closerthan_lab.commands`.

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
    table = as_table(answers)
    if n_refits:
        check_settings(table.answers, n_refits, by, level)
    numbers = None
    if features is not None:
        table, numbers = with_features(table, features)
    if images is not None:  # fail before the long work
        find_images(images, table.names)
    if attributes is not None:
        check_attributes(attributes, table.names)
    model = OrdinalEmbedding(n_components, n_jobs=n_jobs, random_state=random_state)
    same: dict[str, Any] = {
        "features": numbers,
        "n_jobs": n_jobs,
        "random_state": random_state,
        "progress": progress,
    }
    held_out = predict_held_out(model, table.answers, **same)
    model.fit(table.answers, features=numbers)
    _turn(model)
    sure = None
    if n_refits:
        sure = bootstrap(model, table.answers, n_refits=n_refits, by=by, level=level, **same)
    return Embedded(table, check(table, fit_maps=False), model, held_out, sure, attributes, images)


def _turn(model):
    """Rotate the points of a model onto their principal axes, the farthest point positive."""
    points = model.embedding_
    placed = points[np.isfinite(points).all(axis=1)]
    center = placed.mean(axis=0)
    axes = np.linalg.svd(placed - center, full_matrices=False)[2].T
    turned = (points - center) @ axes
    farthest = np.nanargmax(np.abs(turned), axis=0)
    signs = np.sign(turned[farthest, np.arange(turned.shape[1])])
    model.embedding_ = turned * signs
    if model.coef_ is not None:
        model.coef_ = (model.coef_ @ axes) * signs
        model.intercept_ = ((model.intercept_ - center) @ axes) * signs


@dataclass(frozen=True, eq=False)
class Embedded:
    """The result of `embed`: a map, its answers, and its accuracy.

    `table` and `checked` are the answers and their description. The points of `model` are rotated
    onto their principal axes. `held_out` has predictions of held-out answers. `sure` has the
    bootstrap refits, or is None without refits. `recipe` says what makes the map again, if the
    command line made it.
    """

    table: AnswerTable
    checked: Check = field(repr=False)
    model: OrdinalEmbedding
    held_out: HeldOut = field(repr=False)
    sure: Bootstrap | None = field(repr=False)
    attributes: pd.DataFrame | None = field(default=None, repr=False)
    images: object = field(default=None, repr=False)
    recipe: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def error(self) -> float:
        """Training error: the weighted share of the training answers that contradict the map."""
        answers = self.table.answers
        return triplet_error(
            self.model.embedding_, answers.comparisons, sample_weight=answers.sample_weight
        )

    def frame(self) -> pd.DataFrame:
        """Return a table with a row for each object.

        The columns are ``name``; the coordinates ``x1``, ``x2``, ...; the number of
        ``comparisons`` with the object; the weighted share of them that is ``predicted`` when held
        out; and, with refits, the standard errors of the coordinates, ``se1``, ``se2``, ....
        """
        frame = coordinate_table(self.table.names, self.model.embedding_)
        answers = self.table.answers
        frame["comparisons"], frame["predicted"] = share_by_object(
            answers.comparisons, self.held_out.holds, answers.sample_weight, len(frame)
        )
        if self.sure is not None:
            errors = np.sqrt(np.diagonal(self.sure.covariance, axis1=1, axis2=2))
            errors = coordinate_table(self.table.names, errors, "se")
            frame = frame.join(errors.drop(columns="name"))
        return frame

    def facts(self) -> dict[str, Any]:
        ceiling, sure, model = self.checked.ceiling, self.sure, self.model
        accuracy, reach = 1 - self.held_out.error, 1.96 * self.held_out.standard_error
        return {
            **self.recipe,
            "seed": model.random_state,
            "reading": describe_reading(self.table),
            "participants": self.table.answers.n_people,
            "answers": self.table.answers.n_screens,
            "comparisons": len(self.table.answers),
            "objects": len(self.table.names),
            "skipped_rows": len(self.table.skipped),
            "dimension": model.n_components,
            "model": "distances",
            "loss": type(model.loss_).__name__,
            "strength": float(model.strength_),
            "feature_share": model.feature_share_,
            "error": self.error,
            "error_held_out": self.held_out.error,
            "error_held_out_standard_error": self.held_out.standard_error,
            "accuracy_interval": [max(accuracy - reach, 0), min(accuracy + reach, 1)],
            "odd_ones_out": self._odd_ones_out(),
            "noise_ceiling": plain_number(ceiling.value),
            "noise_ceiling_interval": [plain_number(end) for end in ceiling[1:3]],
            "refits": 0 if sure is None else len(sure.refits),
            "level": None if sure is None else sure.level,
            "by": None if sure is None else sure.by,
        }

    def text(self) -> str:
        facts = self.facts()
        dimensions = "dimension" if facts["dimension"] == 1 else "dimensions"
        return "\n".join(
            [
                *describe_table(self.table),
                f"Embedded {facts['objects']:,} objects in {facts['dimension']} {dimensions} from "
                f"{facts['answers']:,} answers (model: distances, loss: {facts['loss']}).",
                *self.sentences(" (--by participant)"),
            ]
        )

    def sentences(self, how: str = "") -> Iterator[str]:
        """Yield the lines that say what the numbers mean; `how` names an option, in a terminal."""
        facts = self.facts()
        yield describe_accuracy("map", facts)
        if (share := facts["odd_ones_out"]) is not None:
            yield f"It predicts {share:.1%} of held-out odd ones out (chance is 33.3%)."
        if np.isfinite(self.checked.ceiling.value):
            yield " ".join([self._of_ceiling(), *self.checked.of_ceiling()])
        if self.model.n_components > 2:
            yield "The figure shows the first two principal axes; the page shows any two."
        if apart := describe_groups(self.checked.groups):
            yield apart
        if self.sure is not None:
            yield self._of_ellipses(how)

    def _odd_ones_out(self):
        """Return the weighted share of odd ones out of which both held-out comparisons hold."""
        if self.table.form != "odd-one-out":
            return None
        answers = self.table.answers
        holds = np.bincount(answers.screen, ~self.held_out.holds) == 0
        weights = np.bincount(answers.screen, answers.sample_weight)
        return float(np.average(holds, weights=weights))

    def _of_ceiling(self):
        ceiling = self.checked.ceiling
        about = f"{ceiling.value:.1%} (95% CI {ceiling.low:.1%} to {ceiling.high:.1%})"
        if 1 - self.held_out.error < ceiling.value:
            return (
                f"No map could predict more than about {about}, the noise ceiling estimated from "
                "repeated questions."
            )
        return (
            f"The noise ceiling, estimated from repeated questions only, is {about}. The map has "
            "reached it."
        )

    def _of_ellipses(self, how):
        sure = self.sure
        shapes = "intervals" if self.model.n_components == 1 else "ellipses"
        what = "questions" if sure.by == "answers" else "participants"
        made = (
            f"The map has {sure.level:.0%} confidence {shapes}, from {len(sure.refits):,} "
            f"bootstrap refits to resampled {what}."
        )
        return for_whom(made, self.table.answers, sure.by, how)

    def write(self, folder: StrPath, *, overwrite: bool = False) -> list[str]:
        """Write tables, facts, figures and the page ``index.html``; say what it leaves out."""
        from closerthan_lab.commands.map_page import draw_figures, write_map_page

        with filling(folder, overwrite=overwrite) as here:
            write_safe_csv(here / "embedding.csv", self.frame())
            write_facts(here / "embed.json", self.facts())
            chosen, caveats = self.model.choice_ is not None, self.checked.of_ceiling()
            said = self.facts() | {"chosen": chosen, "caveats": caveats}
            methods = render_lines("methods.txt.j2", self.table, **said)
            (here / "methods.txt").write_text("\n\n".join(methods) + "\n", encoding="utf-8")
            notes = write_map_page(here / "index.html", self)
            draw_figures([here / f"map.{kind}" for kind in ("png", "pdf", "svg")], self)
        return notes


def describe_accuracy(what: str, facts: dict[str, Any]) -> str:
    """Return a sentence about the accuracy on held-out comparisons and on those of the fit."""
    return (
        f"The {what} predicts {1 - facts['error_held_out']:.1%} of held-out comparisons "
        f"({1 - facts['error']:.1%} of those used to fit it; chance is 50%). The standard "
        f"error of the held-out accuracy is {facts['error_held_out_standard_error']:.1%}."
    )


def for_whom(made: str, answers: Answers, by: str, how: str) -> str:
    """Return a sentence about confidence regions, and for whom they hold if people are known."""
    n_people = answers.n_people
    if not n_people or n_people == 1:
        return made
    if by == "participant":
        few = f" {n_people:,} people are too few to say much about other people."
        return made + few * (n_people < FEW_PEOPLE)
    only = f"{made} They hold for these {n_people:,} participants only"
    if n_people < FEW_PEOPLE:
        return f"{only}, who are too few for conclusions about other people."
    return f"{only}. Resample participants{how} for conclusions about other people."
