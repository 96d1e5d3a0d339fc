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
    """A section of a page: heading, two sentences that explain it, and blocks from the top."""

    title: str
    meaning: str
    blocks: Sequence = ()

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        blocks = [block.content() for block in self.blocks]
        return {"title": str(self.title), "meaning": str(self.meaning), "blocks": blocks}


@dataclass(frozen=True)
class Figures:
    """Key figures in large print by name: ``{"answers": 9090, "held-out error": "21 %"}``."""

    values: Mapping

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        return {
            "kind": "figures",
            "values": [[str(key), json_cell(value)] for key, value in self.values.items()],
        }


@dataclass(frozen=True, eq=False)
class Table:
    """A table that the reader can sort, with a caption; its index is not shown.

    `objects` is a column with names of objects. A click on a name shows the object on the map.
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
            "rows": [[json_cell(cell) for cell in row] for row in rows],
            "objects": None if self.objects is None else columns.index(self.objects),
        }


@dataclass(frozen=True, eq=False)
class Bars:
    """A bar chart of n values, not negative, with labels."""

    labels: Sequence
    values: Sequence
    xlabel: str = ""
    ylabel: str = ""

    @classmethod
    def of_counts(cls, values: ArrayLike, *, xlabel: str, n_bins: int = 12) -> Self:
        """Return a histogram of finite values of objects, with about `n_bins` round bins.

        Examples
        --------
        >>> bars = Bars.of_counts([3, 3, 4, 8], xlabel="answers", n_bins=3)
        >>> bars.labels, bars.values
        (['2–3', '4–5', '6–7', '8–9'], [2, 1, 0, 1])
        """
        values = np.asarray(values)
        if not values.size:
            return cls([], [], xlabel, "objects")
        whole = values.dtype.kind in "iu"
        edges = _round_edges(values.astype(float), n_bins, whole)
        counts = np.histogram(np.clip(values, *edges[[0, -1]]), edges)[0]  # edges are rounded
        last = 1 if whole else 0
        exact = [np.format_float_positional(edge, trim="-") for edge in edges]
        places = max(len(edge.partition(".")[2]) for edge in exact)
        ends = [(f"{a:.{places}f}", f"{b - last:.{places}f}") for a, b in pairwise(edges)]
        labels = [a if a == b else f"{a}–{b}" for a, b in ends]
        return cls(labels, counts.tolist(), xlabel, "objects")

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        return _chart("bars", [json_cell(label) for label in self.labels], self.values, self)


@dataclass(frozen=True, eq=False)
class Line:
    """A curve through n points beside the line y = x, on which a calibrated model lies."""

    x: Sequence
    y: Sequence
    xlabel: str = ""
    ylabel: str = ""

    def content(self) -> dict[str, Any]:
        """Return the content for the page, ready for JSON."""
        return _chart("curve", [json_cell(float(place)) for place in self.x], self.y, self)


def json_cell(value):
    """Return a cell for JSON: a number, text, or None if it is missing or infinite."""
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


def _chart(kind, x, y, chart):
    if len(y) != len(x):
        raise ValueError(f"{kind}: {len(y)} values for {len(x)} places; give as many")
    words = {"xlabel": str(chart.xlabel), "ylabel": str(chart.ylabel)}
    return {"kind": kind, "x": x, "y": [json_cell(float(value)) for value in y], **words}
