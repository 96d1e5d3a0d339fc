"""`closerthan people`: whether people differ, and how they weigh the dimensions of a map."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan_lab.commands.check import describe_table
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.reading import as_table
from closerthan_lab.commands.writing import (
    coordinate_table,
    write_facts,
    write_figure,
    write_safe_csv,
)
from closerthan_lab.files.answers import AnswerTable
from closerthan_lab.page.figure import save_map
from closerthan_lab.page.objects import PALETTE
from closerthan_lab.people.differences import Differences, differences_test, groups_of, named_effect
from closerthan_lab.people.people_embedding import PeopleEmbedding, people_of

_SHOWN = 60  # most people with a name in the figure
_PANELS = 5
_BELOW = (
    "relative to the average person, with 90% intervals\n"
    "Each interval is for one person alone. The test is of all people and dimensions together."
)


def people(
    answers: StrPath | AnswerTable,
    n_components: int = 2,
    *,
    groups: dict | None = None,
    n_permutations: int = 999,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool = False,
) -> "People":
    """Fit shared points and each person's weights, and test whether people or groups differ.

    Parameters
    ----------
    answers : str, path-like or closerthan_lab.files.AnswerTable
        The answers, or a file of answers, with participants.
    n_components : int, default 2
        The dimension of the map.
    groups : dict, optional
        The group of each participant; two groups.
    n_permutations : int, default 999
        Number of permutations for each test.
    n_jobs, random_state, progress
        As for all commands; see `closerthan_lab.commands`.
    """
    table = as_table(answers)
    names = people_of(table.answers)[0]  # fail before the long work
    if groups is not None:
        groups = dict(zip(names.tolist(), groups_of(names, groups), strict=True))
    model = PeopleEmbedding(
        n_components, n_jobs=n_jobs, verbose=int(progress), random_state=random_state
    ).fit(table.answers)
    tests = [
        differences_test(
            model, table.answers, by, n_permutations=n_permutations, random_state=random_state
        )
        for by in ([None] if groups is None else [None, groups])
    ]
    return People(table, model, tests, groups)


@dataclass(frozen=True, eq=False)
class People:
    """The result of `people`: answers, model, the tests between people and groups, and groups."""

    table: AnswerTable
    model: PeopleEmbedding
    tests: list[Differences]
    groups: dict | None = field(default=None, repr=False)

    def frame(self) -> pd.DataFrame:
        """Return `PeopleEmbedding.people_`, with the group of each person if there are groups."""
        frame = self.model.people_
        if self.groups is None:
            return frame
        return frame.assign(group=[self.groups[name] for name in frame["participant"]])

    def facts(self) -> dict[str, Any]:
        frame, answers, choice = self.model.people_, self.table.answers, self.model.choice_
        accuracy = {"accuracy": None, "accuracy_common": None}
        if choice is not None:
            own = (choice["width"] == self.model.width_) & (choice["people"] == frame["own"].sum())
            errors = choice["error"][own].iloc[0], choice["error"].iloc[0]
            accuracy = {name: 1 - error for name, error in zip(accuracy, errors, strict=True)}
        return {
            "answers": answers.n_screens,
            "objects": len(self.table.names),
            "participants": len(frame),
            "dimension": self.model.n_components,
            "loss": type(self.model.loss_).__name__,
            "width": float(self.model.width_),
            "own_weights": int(frame["own"].sum()),
            **accuracy,
            "tests": [test.facts() for test in self.tests],
        }

    def text(self) -> str:
        facts = self.facts()
        lines = [
            *describe_table(self.table),
            f"Fitted {facts['answers']:,} answers of {facts['participants']:,} people about "
            f"{facts['objects']:,} objects (dimension {facts['dimension']}, loss: "
            f"{facts['loss']}).",
            self._of_weights(facts),
            *(test.sentence() for test in self.tests),
        ]
        return "\n".join(lines)

    def _of_weights(self, facts):
        if facts["accuracy"] is None:
            return "Too few answers to hold some out: no own weights were tried."
        if not facts["own_weights"]:
            return "Own weights do not predict held-out answers better, so the map has none."
        share = (
            ""
            if facts["own_weights"] == facts["participants"]
            else f" (of {facts['own_weights']:,} of them; the others share theirs)"
        )
        own, common = (f"{facts[name]:.1%}" for name in ("accuracy", "accuracy_common"))
        better = ". Own weights make these answers more probable" if own == common else ""
        return (
            f"Own weights{share} predict {own} of held-out comparisons, the common map {common}"
            f"{better}."
        )

    def write(self, folder: StrPath, *, overwrite: bool = False) -> list[str]:
        """Write tables, facts and figures into a folder; return sentences on what is left out."""
        points = self.model.embedding_
        notes = []
        with filling(folder, overwrite=overwrite) as here:
            write_safe_csv(here / "embedding.csv", coordinate_table(self.table.names, points))
            write_safe_csv(here / "people.csv", self.frame())
            write_facts(here / "people.json", self.facts())
            placed = np.isfinite(points[:, 0])
            names = self.table.names[placed].tolist()
            save_map([here / "map.png", here / "map.pdf"], names, points[placed])
            if self.model.people_["own"].any():
                draw_weights([here / "weights.png", here / "weights.pdf"], self)
            else:
                notes.append("weights.png: not drawn, because all people have the same weights")
        return notes


def draw_weights(paths: list[Path], result: People) -> None:
    """Draw scale and weights of each person with their 90 % intervals, in order of size."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import NullLocator

    frame = result.frame().query("own")
    what = ["scale", *(f"weight_{k + 1}" for k in range(result.model.n_components))]
    if len(what) == 2:
        what = what[:1]
    what = sorted(what, key=lambda name: -np.log(frame[name]).std())[:_PANELS]
    what.sort(key=lambda name: (name != "scale", len(name), name))
    named = len(frame) <= _SHOWN
    height = 1.5 + (0.14 * len(frame) if named else 6)
    figure, axes = plt.subplots(
        1,
        len(what),
        figsize=(2.5 * len(what) + 1, height),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    groups = frame["group"] if "group" in frame else pd.Series("", index=frame.index)
    colors = dict(zip(sorted(groups.unique()), PALETTE, strict=False))
    for ax, name in zip(axes.flat, what, strict=True):
        rows = frame.sort_values(name, kind="stable")
        places = np.arange(len(rows))
        color = [colors[group] for group in groups[rows.index]]
        ax.hlines(places, rows[f"{name}_low"], rows[f"{name}_high"], color=color, alpha=0.45, lw=1)
        ax.scatter(rows[name], places, s=9, color=color, zorder=3)
        ax.axvline(1, color="0.6", lw=0.8, zorder=0)
        ax.set(xscale="log", title=named_effect(name), yticks=places if named else [])
        ax.set_yticklabels(rows["participant"].astype(str) if named else [], fontsize=6)
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_ylim(-0.6, len(rows) - 0.4)
    low, high = axes.flat[0].get_xlim()
    ticks = [tick for tick in 2.0 ** np.arange(-9, 10) if low <= tick <= high]
    if len(ticks) < 3:
        ticks = [tick for tick in (0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.7) if low <= tick <= high]
    axes.flat[0].set_xticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    axes.flat[0].xaxis.set_minor_locator(NullLocator())
    if result.groups is not None:
        dots = [axes[0, 0].scatter([], [], s=20, color=color) for color in colors.values()]
        figure.legend(dots, map(str, colors), loc="outside upper center", ncols=2, fontsize=8)
    figure.supxlabel(_BELOW, fontsize=9)
    write_figure(figure, *paths)
