"""Sections of a page: key figures, tables and charts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Section:
    """A section of a page, under a heading.

    Parameters
    ----------
    title : str
        The heading.
    meaning : str
        About two sentences that explain the content.
    blocks : sequence of Figures, Table, Bars or Line, default ()
        Content, from top to bottom.
    """

    title: str
    meaning: str
    blocks: Sequence = ()

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        blocks = [block.content() for block in self.blocks]
        return {"title": str(self.title), "meaning": str(self.meaning), "blocks": blocks}


@dataclass(frozen=True)
class Figures:
    """Key figures in large print, each with its name.

    Parameters
    ----------
    values : mapping of str to number or str
        Figures by name: ``{"answers": 9090, "held-out error": "21 %"}``.
    """

    values: Mapping

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        return {
            "kind": "figures",
            "values": [[str(key), plain(value)] for key, value in self.values.items()],
        }


@dataclass(frozen=True, eq=False)
class Table:
    """A table that the reader can sort.

    Parameters
    ----------
    frame : DataFrame
        The table. Its index is not shown.
    caption : str, default ""
        Text next to the table.
    objects : str, optional
        A column with names of objects. A click on a name shows the object on the map.
    """

    frame: Any
    caption: str = ""
    objects: str | None = None

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        columns = [str(column) for column in self.frame.columns]
        if self.objects is not None and self.objects not in columns:
            raise ValueError(f"objects={self.objects!r}; the columns are {', '.join(columns)}")
        rows = self.frame.astype(object).to_numpy().tolist()
        return {
            "kind": "table",
            "caption": str(self.caption),
            "columns": columns,
            "rows": [[plain(cell) for cell in row] for row in rows],
            "objects": None if self.objects is None else columns.index(self.objects),
        }


@dataclass(frozen=True, eq=False)
class Bars:
    """A bar chart. The bars are horizontal if labels are long words.

    Parameters
    ----------
    labels : sequence of n str or numbers
        Label of each bar.
    values : sequence of n numbers, not negative
        Length of each bar.
    low, high : sequence of n numbers, optional
        Ends of a whisker for each bar.
    xlabel, ylabel : str, default ""
        Meaning of the labels and of the values.
    caption : str, default ""
        Text next to the chart.
    """

    labels: Sequence
    values: Sequence
    low: Sequence | None = None
    high: Sequence | None = None
    xlabel: str = ""
    ylabel: str = ""
    caption: str = ""

    @classmethod
    def of_counts(
        cls,
        values: ArrayLike,
        *,
        xlabel: str,
        ylabel: str = "objects",
        n_bins: int = 12,
        caption: str = "",
    ) -> Self:
        """Return a histogram of finite values, with bins of equal, round width.

        Bins of whole numbers have whole widths. The number of bins is about `n_bins`, or 0 without
        values.

        Examples
        --------
        >>> bars = Bars.of_counts([3, 3, 4, 8], xlabel="answers", n_bins=3)
        >>> bars.labels, bars.values
        (['2–3', '4–5', '6–7', '8–9'], [2, 1, 0, 1])
        """
        values = np.asarray(values)
        if not values.size:
            return cls([], [], xlabel=xlabel, ylabel=ylabel, caption=caption)
        whole = values.dtype.kind in "iu"
        edges = _round_edges(values.astype(float), n_bins, whole)
        counts = np.histogram(np.clip(values, *edges[[0, -1]]), edges)[0]  # edges are rounded
        last = 1 if whole else 0
        labels = [
            f"{a:.6g}" if a == b - last else f"{a:.6g}–{b - last:.6g}" for a, b in pairwise(edges)
        ]
        return cls(labels, counts.tolist(), xlabel=xlabel, ylabel=ylabel, caption=caption)

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        ends = _ends(self, len(self.values))
        return {
            "kind": "bars",
            "labels": [plain(label) for label in self.labels],
            "values": _numbers(self.values, "values", len(self.labels)),
            **ends,
            **_words(self),
        }


@dataclass(frozen=True, eq=False)
class Line:
    """A curve through n points, with optional whiskers.

    Parameters
    ----------
    x, y : sequence of n numbers
        Coordinates of the points.
    low, high : sequence of n numbers, optional
        Ends of a whisker for each point.
    marked : number, optional
        The x value to mark, such as a chosen one.
    diagonal : bool, default False
        Whether to draw the line y = x, on which a calibrated model lies.
    whole : bool, default False
        Whether x holds whole numbers.
    xlabel, ylabel : str, default ""
        Names of the axes.
    caption : str, default ""
        Text next to the chart.
    """

    x: Sequence
    y: Sequence
    low: Sequence | None = None
    high: Sequence | None = None
    marked: float | None = None
    diagonal: bool = False
    whole: bool = False
    xlabel: str = ""
    ylabel: str = ""
    caption: str = ""

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        n = len(self.x)
        return {
            "kind": "curve",
            "x": _numbers(self.x, "x", n),
            "y": _numbers(self.y, "y", n),
            **_ends(self, n),
            "marked": plain(self.marked),
            "diagonal": bool(self.diagonal),
            "whole": bool(self.whole),
            **_words(self),
        }


def plain(value):
    """Return a cell for JSON: a number, text, or None if it is missing or infinite.

    Examples
    --------
    >>> [plain(value) for value in (np.int64(3), 0.123456789, float("nan"), None, "a", True)]
    [3, 0.123457, None, None, 'a', 'yes']
    """
    import pandas as pd

    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(f"{value:.6g}") if np.isfinite(value) else None
    return None if value is None or value is pd.NA or value is pd.NaT else str(value)


def _round_edges(values, n_bins, whole):
    """Return edges of bins at multiples of a width: 1, 2 or 5 times a power of 10."""
    width = np.ptp(values) / n_bins
    width = width if width > 1e-9 * max(1.0, np.abs(values).max()) else 1.0  # all values are equal
    power = 10.0 ** np.floor(np.log10(width))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= width * (1 - 1e-9))
    step = max(step, 1.0) if whole else step
    first = np.floor(values.min() / step)
    n = int(np.floor(values.max() / step) - first) + 1
    edges = np.round((first + np.arange(n + 1)) * step, max(0, int(-np.floor(np.log10(step)))))
    # The last bin includes its upper edge.
    return edges[:-1] if not whole and n > 1 and values.max() <= edges[-2] else edges


def _numbers(values, name, n):
    if len(values) != n:
        raise ValueError(f"{name} has {len(values)} values; it must have {n}, like the others")
    return [plain(float(value)) for value in values]


def _ends(chart, n):
    if (chart.low is None) != (chart.high is None):
        raise ValueError("low and high: give both, or neither")
    if chart.low is None:
        return {"low": None, "high": None}
    return {key: _numbers(getattr(chart, key), key, n) for key in ("low", "high")}


def _words(chart):
    return {key: str(getattr(chart, key)) for key in ("xlabel", "ylabel", "caption")}
