"""`relsim compare`: how alike two maps are, and whether by more than chance."""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from relsim.commands.reading import as_table
from relsim.ordinal import OrdinalEmbedding
from relsim.scores.embedding import procrustes_align
from relsim.scores.procrustes import ProcrustesTest, procrustes_test
from relsim.spreadsheets import unescape_formula

LEVEL = 0.05
_MOST = 5  # objects that are named


class Map(NamedTuple):
    """Points and the names of their objects."""

    names: np.ndarray
    points: np.ndarray


def compare(first, second, n_components=2, *, n_permutations=9999, random_state=0):
    """Compare two maps, or two files of answers, each embedded first.

    Parameters
    ----------
    first, second : str, path-like, Map or AnswerTable
        A table that `embed` wrote (``embedding.csv`` or ``.parquet``), or one of answers. What has
        the same name in both is the same object; the others are left out.
    n_components : int, default 2
        The dimension that answers are embedded in.
    n_permutations : int, default 9999
    random_state : int, default 0

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If fewer than three objects have a place in both, and as `procrustes_test`.

    Examples
    --------
    >>> names = np.array(["a", "b", "c", "d", "e"])
    >>> points = np.array([[0, 0], [1, 0], [0, 2], [3, 1], [2, 2]], dtype=float)
    >>> found = compare(Map(names, points), Map(names[::-1], 2 * points[::-1]))
    >>> round(found.test.correlation, 9)
    1.0
    """
    maps = [_as_map(given, n_components, random_state) for given in (first, second)]
    names, places = _shared(*maps)
    test = procrustes_test(*places, n_permutations=n_permutations, random_state=random_state)
    moved = pd.DataFrame({"name": names, "moved": _gaps(*places)})
    moved = moved.sort_values("moved", ascending=False, ignore_index=True)
    return Comparison(test, moved, [len(one.names) for one in maps])


def _gaps(first, second):
    """How far each object is from itself, in root mean squares of the first map's radius."""
    aligned = procrustes_align(first, second)
    first = np.pad(first, ((0, 0), (0, aligned.shape[1] - first.shape[1])))
    radius = np.sqrt(((first - first.mean(axis=0)) ** 2).sum(axis=1).mean())
    return np.linalg.norm(aligned - first, axis=1) / radius


def read_map(path):
    """Return the map in a table that `embed` wrote, or None if it is some other file."""
    path = Path(path)
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        try:
            columns = pq.read_schema(path).names
        except Exception:  # whatever pyarrow has against it, the reader of answers says it better
            return None
    else:
        columns = _header(path)
    axes = [column for column in columns if column.startswith("x") and column[1:].isdigit()]
    if "name" not in columns or not axes:
        return None
    frame = pd.read_parquet(path) if path.suffix == ".parquet" else _read_csv(path)
    return Map(frame["name"].to_numpy(str), _numbers(frame[axes], path))


def _header(path):
    try:
        with open(path, encoding="utf-8-sig") as file:
            return next(csv.reader([file.readline(10_000)]), [])
    except (OSError, UnicodeDecodeError, csv.Error):
        return []


def _read_csv(path):
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return frame.assign(name=[unescape_formula(name) for name in frame["name"]])


def _numbers(columns, path):
    columns = columns.replace("", np.nan)
    for name in columns:
        numbers = pd.to_numeric(columns[name], errors="coerce")
        bad = (numbers.isna() & columns[name].notna()) | np.isinf(numbers)
        if bad.any():
            row = int(bad.to_numpy().argmax())
            value = columns[name].iloc[row]
            raise ValueError(f"{path}, line {row + 2}, column {name}: {value!r} is no number")
        columns = columns.assign(**{name: numbers})
    return columns.to_numpy(float)


def _as_map(given, n_components, random_state):
    if isinstance(given, Map):
        return given
    found = read_map(given) if isinstance(given, str | Path) else None
    if found is not None:
        return found
    table = as_table(given)
    model = OrdinalEmbedding(n_components, random_state=random_state)
    return Map(table.names, model.fit_transform(table.answers))


def _shared(first, second):
    """Return the names that have a place in both maps, and their points in each."""
    placed = []
    for one in (first, second):
        finite = np.isfinite(one.points).all(axis=1)
        names, counts = np.unique(one.names, return_counts=True)
        if (counts > 1).any():
            raise ValueError(f"{str(names[counts.argmax()])!r} is in a map twice")
        placed.append(Map(one.names[finite], one.points[finite]))
    names, *rows = np.intersect1d(placed[0].names, placed[1].names, return_indices=True)
    if len(names) < 3:
        raise ValueError(
            f"{len(names)} objects have a place in both, of {len(placed[0].names)} and "
            f"{len(placed[1].names)}; at least three are needed"
        )
    return names, [one.points[row] for one, row in zip(placed, rows, strict=True)]


@dataclass(frozen=True, eq=False)
class Comparison:
    """How alike two maps are.

    Attributes
    ----------
    test : relsim.scores.procrustes.ProcrustesTest
    moved : DataFrame
        Of each shared object its ``name`` and how far it ``moved``, in root mean square distances
        of the first map from its center; the farthest first.
    sizes : list of int
        The number of objects of each map.
    """

    test: ProcrustesTest
    moved: pd.DataFrame
    sizes: list[int]

    def facts(self):
        return {
            **self.test._asdict(),
            "objects_of_each": self.sizes,
            "moved_most": self.moved.head(_MOST).to_dict("records"),
        }

    def text(self):
        test = self.test
        most = zip(self.moved["name"][:_MOST], self.moved["moved"][:_MOST], strict=True)
        meaning = "more alike than chance has it" if test.p_value <= LEVEL else "as by chance"
        return "\n".join(
            [
                f"{test.n_objects:,} objects are in both maps, of {self.sizes[0]:,} and of "
                f"{self.sizes[1]:,}.",
                f"Procrustes correlation: {test.correlation:.3f}. The second map, moved onto the "
                f"first, leaves {test.distance:.1%} of its spread unexplained; maps that have "
                f"nothing in common leave {test.by_chance:.1%}.",
                f"They are {meaning}: p = {test.p_value:.2g}, by {test.n_permutations:,} "
                "permutations.",
                "Moved most, in radii of the map: "
                + ", ".join(f"{name} ({moved:.2f})" for name, moved in most)
                + ".",
            ]
        )
