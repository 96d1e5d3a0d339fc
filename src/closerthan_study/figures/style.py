"""Set the look of figures: fonts, and the color, dashes and marker of each curve."""

from dataclasses import dataclass
from typing import Any

import seaborn as sns

# Solid, dashed, dotted, dash-dot, ... in seaborn's format, in units of the line width.
DASHES = ("", (4, 1.5), (1, 1), (5, 1.5, 1, 1.5), (8, 2), (2, 2))
CONTROLS = {"truth": (5, 3), "features": (8, 2)}  # by kind; other controls are dotted
_MARKERS = "osD^v<>"  # a cross is a trial that diverged
PAGE = 7.2  # inches; no figure is wider, so that its words keep their size in print


@dataclass(frozen=True)
class Curve:
    """A line of a figure: the scores it shows, and its look."""

    method: str
    variant: str | None = None  # None: the first variant of the method
    label: str | None = None  # in the legend; None: the label of the method and its settings
    loss: str | None = None  # None: the loss of the panel, or all losses
    batch_size: int | None = None  # None: the first batch size of the method
    sweep: float | None = None  # a value of the swept parameter; None: all values
    # The name of a method or loss whose color this curve has, or a number; None: its own method.
    color: str | int | None = None
    dashes: int | None = None  # an index of `DASHES`; None: by variant, or the next free one


@dataclass(frozen=True)
class Look:
    """The look of a curve: color, dashes in seaborn's format, and marker."""

    color: str
    dashes: Any
    marker: str


def style():
    """Set the look of the study for all later figures.

    The font comes with matplotlib, so that every machine has it.
    """
    sns.set_theme(
        context="paper",
        style="ticks",
        palette="colorblind",
        font="DejaVu Sans",
        font_scale=0.9,
        rc={
            "axes.spines.right": False,
            "axes.spines.top": False,
            "figure.constrained_layout.use": True,
            "legend.frameon": False,
            "legend.fontsize": 8,
            "lines.linewidth": 1.3,
            "lines.markersize": 4,
            "pdf.fonttype": 42,
        },
    )


def palette(names):
    """Give each name its own color, dashes and marker."""
    colors = sns.color_palette("colorblind").as_hex()
    # Pale pink and yellow are left out: they are hard to see on white.
    colors = [colors[i] for i in (0, 1, 2, 3, 4, 9, 5, 7)]
    n = len(colors)
    return {
        name: Look(colors[i % n], DASHES[i // n % len(DASHES)], _MARKERS[i % len(_MARKERS)])
        for i, name in enumerate(dict.fromkeys(names))
    }


def looks_of(curves, colors):
    """Give each curve of a figure a look of its own."""
    numbers = palette(range(16))
    taken: dict[Any, set[int]] = {}
    looks = {}
    for label, name, wanted in curves:
        if label in looks:
            continue
        look = numbers[name] if isinstance(name, int) else colors[name]
        used = taken.setdefault(look.color, set())
        free = [place % len(DASHES) for place in range(wanted, wanted + len(DASHES))]
        place = next((place for place in free if place not in used), wanted)
        marker = _MARKERS[(_MARKERS.index(look.marker) + len(used)) % len(_MARKERS)]
        used.add(place)
        looks[label] = Look(look.color, DASHES[place], marker)
    return looks
