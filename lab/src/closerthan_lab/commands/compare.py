"""`closerthan compare`: test how similar two maps are."""

import csv
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan.comparisons.convert import to_quadruplets
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan.scores.procrustes import procrustes_align
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.reading import as_table, read_frame
from closerthan_lab.commands.writing import write_facts, write_figure, write_safe_csv
from closerthan_lab.files.answers import AnswerTable
from closerthan_lab.files.joining import concatenate
from closerthan_lab.files.spreadsheets import unescape_formula
from closerthan_lab.page.figure import label_points
from closerthan_lab.page.objects import principal_axes
from closerthan_lab.people.differences import LEVEL, Differences, differences_test
from closerthan_lab.people.people_embedding import PeopleEmbedding
from closerthan_lab.quality.coverage import answers_by_object, least_bits
from closerthan_lab.quality.protest import ProcrustesTest, procrustes_test

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST = 5  # objects that are named
_LEAST = 4  # people of each side, for a significant difference to be possible


class Map(NamedTuple):
    """Names of objects, their points, and the file that they are from."""

    names: np.ndarray
    points: np.ndarray
    path: Path | None = None


def compare(
    first: StrPath | AnswerTable | Map,
    second: StrPath | AnswerTable | Map,
    n_components: int = 2,
    *,
    n_permutations: int = 9999,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool = False,
) -> "Comparison":
    """Compare two maps, or two files of answers, each embedded first.

    Raise a ValueError as `procrustes_test` does, and if fewer than three objects have a position in
    both maps.

    Parameters
    ----------
    first, second : str, path-like, Map or AnswerTable
        A folder that `embed` wrote, or its ``embedding.csv``, or answers.
        Objects are matched by name. Objects that are in one map only are left out. If both are
        answers with at least four participants each, `differences_test` compares the people, in
        answers about objects of both. Someone who is in both counts as two.
    n_components : int, default 2
        The dimension in which answers are embedded.
    n_permutations : int, default 9999
        Number of permutations for the p-value.
    n_jobs, random_state, progress
        As for all commands; see `closerthan_lab.commands`.

    Examples
    --------
    >>> names = np.array(["a", "b", "c", "d", "e"])
    >>> points = np.array([[0, 0], [1, 0], [0, 2], [3, 1], [2, 2]], dtype=float)
    >>> same = compare(Map(names, points), Map(names[::-1], 2 * points[::-1]))
    >>> round(same.test.correlation, 9)
    1.0
    """
    given = [_read(one) for one in (first, second)]
    fitting = {"n_jobs": n_jobs, "verbose": int(progress), "random_state": random_state}
    placed = [_placed(one, n_components, fitting) for one in given]
    maps, rare = [one for one, _ in placed], [n_rare for _, n_rare in placed]
    names, places = _shared(*maps)
    test = procrustes_test(*places, n_permutations=n_permutations, random_state=random_state)
    aligned = procrustes_align(*places)
    first = np.pad(places[0], ((0, 0), (0, aligned.shape[1] - places[0].shape[1])))
    sizes = [len(m.names) for m in maps]
    people, in_both = None, 0
    n_people = [one.answers.n_people or 0 if isinstance(one, AnswerTable) else 0 for one in given]
    too_few = 1 < min(n_people) < _LEAST
    if min(n_people) >= _LEAST:
        people = _compare_people(given, n_components, n_permutations, fitting)
        in_both = len(np.intersect1d(*(one.answers.participant for one in given)))
    first, second = (
        Map(names, found, m.path) for found, m in zip((first, aligned), maps, strict=True)
    )
    return Comparison(test, first, second, sizes, people, rare, in_both, too_few)


def read_map(path):
    """Return the map in a table that `embed` wrote, or None for any other file."""
    path = Path(path)
    if (path / "embedding.csv").is_file():
        path = path / "embedding.csv"
    columns = _header(path)
    axes = [column for column in columns if column.startswith("x") and column[1:].isdigit()]
    if "name" not in columns or not axes:
        return None
    frame = read_frame(path, dtype=str, keep_default_na=False)
    names = np.array([unescape_formula(name) for name in frame["name"]])
    return Map(names, _numbers(frame[axes], path), path)


def _header(path):
    try:
        with open(path, encoding="utf-8-sig") as file:
            return next(csv.reader([file.readline(10_000)]), [])
    except (OSError, UnicodeDecodeError, csv.Error):
        return []


def _numbers(columns, path):
    columns = columns.replace("", np.nan)
    numbers = columns.apply(pd.to_numeric, errors="coerce")
    bad = ((numbers.isna() & columns.notna()) | np.isinf(numbers)).to_numpy()
    if bad.any():
        column, row = np.argwhere(bad.T)[0]
        name, value = columns.columns[column], columns.iloc[row, column]
        raise ValueError(f"{path}, line {row + 2}, column {name}: {value!r} is not a number")
    return numbers.to_numpy(float)


def _read(given):
    """Return a map or a table of answers."""
    if isinstance(given, Map):
        return given
    found = read_map(given) if isinstance(given, str | Path) else None
    return as_table(given) if found is None else found


def _placed(given, n_components, fitting):
    """Return the map of the objects, and how many of them have too few answers to be placed."""
    if isinstance(given, Map):
        return given, 0
    points = OrdinalEmbedding(n_components, **fitting).fit(given.answers).embedding_
    bits = answers_by_object(given.answers, len(given.names))[1]
    n_rare = int((bits < least_bits(len(given.names), n_components)).sum())
    return Map(given.names, points, given.path), n_rare


def _compare_people(tables, n_components, n_permutations, fitting):
    """Test whether the people of two tables differ, in answers about objects of both."""
    names = np.intersect1d(*(table.names for table in tables))
    parts, groups = [], {}
    for table, group in zip(tables, ("first", "second"), strict=True):
        answers = table.answers
        shared = np.isin(table.names, names)[answers.comparisons].all(axis=1)
        kept = np.bincount(answers.screen, ~shared) == 0
        if not kept.any():
            return None
        answers = answers.take(kept)
        rows = np.searchsorted(names, table.names)[to_quadruplets(answers.comparisons)]
        people, person = np.unique(answers.participant, return_inverse=True)
        if len(people) < _LEAST:
            return None
        parts.append(replace(answers, comparisons=rows, participant=person + len(groups)))
        groups |= dict.fromkeys(range(len(groups), len(groups) + len(people)), group)
    joined = concatenate(parts)
    model = PeopleEmbedding(n_components, **fitting).fit(joined)
    same = {"n_permutations": n_permutations, "random_state": fitting["random_state"]}
    return differences_test(model, joined, groups, **same)


def _shared(first, second):
    """Return the names that have a position in both maps, and their points in each map."""
    placed = []
    for which, one in (("first", first), ("second", second)):
        finite = np.isfinite(one.points).all(axis=1)
        names, counts = np.unique(one.names, return_counts=True)
        if (counts > 1).any():
            name = str(names[counts.argmax()])
            raise ValueError(f"{name!r} is twice in the {which} map; names must differ")
        placed.append(Map(one.names[finite], one.points[finite]))
    names, *rows = np.intersect1d(placed[0].names, placed[1].names, return_indices=True)
    if len(names) < 3:
        raise ValueError(
            f"{len(names)} objects have a position in both maps (of {len(placed[0].names)} and "
            f"{len(placed[1].names)}); at least three are needed, with equal names"
        )
    return names, [one.points[row] for one, row in zip(placed, rows, strict=True)]


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result of `compare`.

    `first` and `second` have the objects that are in both maps; the second map is aligned to the
    first. `sizes` and `rare` are the number of objects in each original map, and of those with too
    few answers. `people` is the test of the participants of two tables of answers. `in_both` tells
    how many participants both tables have, and `too_few` whether a table has too few for the test.
    """

    test: ProcrustesTest
    first: Map
    second: Map
    sizes: list[int]
    people: Differences | None = None
    rare: list[int] = field(default_factory=lambda: [0, 0])
    in_both: int = 0
    too_few: bool = False

    @property
    def moved(self) -> pd.DataFrame:
        """Distance between the two positions of each object, the largest first.

        The unit is the radius of the first map: the root mean square distance from its center.
        """
        first, second = self.first.points, self.second.points
        radius = np.sqrt(((first - first.mean(axis=0)) ** 2).sum(axis=1).mean())
        gaps = np.linalg.norm(second - first, axis=1) / radius
        table = pd.DataFrame({"name": self.first.names, "moved": gaps})
        return table.sort_values("moved", ascending=False, kind="stable", ignore_index=True)

    def facts(self) -> dict[str, Any]:
        return {
            **self.test._asdict(),
            "objects_of_each": self.sizes,
            "moved_most": self.moved.head(_MOST).to_dict("records"),
            "rare_objects": self.rare,
            "participants_in_both": self.in_both,
            "people": None if self.people is None else self.people.facts(),
        }

    def text(self) -> str:
        test = self.test
        most = self.moved.head(_MOST).itertuples(index=False)
        meaning = "" if test.p_value <= LEVEL else "not significantly "
        return "\n".join(
            [
                f"The maps are {meaning}more similar than expected by chance. Procrustes "
                f"correlation: {test.correlation:.3f} (p = {test.p_value:.2g}, "
                f"{test.n_permutations:,} permutations).",
                *self._cautions(),
                f"{test.n_objects:,} objects are in both maps ({self.sizes[0]:,} in the first, "
                f"{self.sizes[1]:,} in the second).",
                f"Aligned to the first map, the second leaves {test.distance:.1%} of the variance "
                f"unexplained; with permuted objects it would leave {test.by_chance:.1%}.",
                "Largest differences, in radii of the first map: "
                + ", ".join(f"{name} ({moved:.2f})" for name, moved in most)
                + ".",
                *([] if self.people is None else [self.people.sentence()]),
            ]
        )

    def _cautions(self):
        """Yield why the correlation may say little."""
        if self.test.n_objects == 3:
            yield "With three objects no similarity is significant; compare four or more."
        if any(self.rare):
            (first, second), (n, m) = self.rare, self.sizes
            yield (
                f"Objects with too few answers to be placed: {first:,} of {n:,} and {second:,} of "
                f"{m:,} (`closerthan check` names them)."
            )
        if self.too_few:
            yield f"The people are not compared: that needs {_LEAST} or more people in each file."
        if self.in_both:
            yield (
                f"{self.in_both:,} of the participants are in both files. The test of people "
                "counts each as two."
            )

    def write(self, folder: StrPath, *, overwrite: bool = False) -> None:
        """Write ``compare.json``, ``moved.csv``, ``compare.png`` and ``.pdf`` into a folder."""
        import matplotlib.pyplot as plt

        with filling(folder, overwrite=overwrite) as here:
            write_facts(here / "compare.json", self.facts())
            write_safe_csv(here / "moved.csv", self.moved)
            figure, ax = plt.subplots(figsize=(7, 7))
            self.plot(ax)
            write_figure(figure, here / "compare.png", here / "compare.pdf", bbox_inches="tight")

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw each object in the first map, with a line to its position in the second map.

        Maps of more than two dimensions are projected onto the first map's two principal axes.
        """
        import matplotlib.pyplot as plt

        ax = plt.subplots()[1] if ax is None else ax
        axes = principal_axes(self.first.points)[:, :2]
        axes = np.pad(axes, ((0, 0), (0, 2 - axes.shape[1])))  # a line lies in the plane, too
        first, second = (one.points @ axes for one in (self.first, self.second))
        ax.plot(*np.stack([first, second], axis=1).transpose(2, 1, 0), color="0.7", lw=1, zorder=1)
        labels = _labels(self.first.path, self.second.path)
        for points, label in zip((first, second), labels, strict=True):
            ax.scatter(points[:, 0], points[:, 1], s=18, label=label)
        ax.set(xticks=[], yticks=[], aspect="equal")
        ax.margins(0.1)
        ax.spines[:].set_visible(False)
        note = label_points(ax, self.first.names.tolist(), first)
        ax.legend(
            title=note, loc="upper center", bbox_to_anchor=(0.5, 0), frameon=False, fontsize=9
        )
        return ax


def _labels(*paths):
    """Return the names of two files, with as many folders as they need to differ."""
    parts = [() if path is None else path.parts for path in paths]
    longest = max(map(len, parts))
    n = next((n for n in range(1, longest) if parts[0][-n:] != parts[1][-n:]), longest)
    first, second = ("/".join(some[-n:]) for some in parts)
    return first or "first map", f"{second or 'second map'}, aligned to the first"
