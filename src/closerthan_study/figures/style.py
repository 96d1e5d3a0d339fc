"""The look of every figure: fonts, and the color, dashes and marker of each curve."""

from dataclasses import dataclass
from typing import Any

import seaborn as sns

# Solid, dashed, dotted, dash-dot, in units of the line's width, as seaborn takes them.
DASHES = ("", (4, 1.5), (1, 1), (5, 1.5, 1, 1.5), (8, 2), (2, 2))
CONTROLS = {"truth": (5, 3), "features": (8, 2)}  # by kind; all others are dotted
_MARKERS = "osD^vXP"


@dataclass(frozen=True)
class Curve:
    """A line of a figure: whose scores it shows, and what it shares its look with."""

    method: str
    variant: str | None = None  # the first of the method, if none is given
    label: str | None = None  # in the legend; else the method, with what tells its curves apart
    loss: str | None = None  # of the panel, or all
    batch_size: int | None = None  # of a mini-batch; the first of the method
    sweep: float | None = None  # a value of the parameter that is swept; all
    # Curves with one color share it: a method (its own, if none is given) or a loss, or a number.
    color: str | int | None = None
    dashes: int | None = None  # a place in `DASHES`; of the variant, or the next free one


@dataclass(frozen=True)
class Look:
    """How a curve is drawn: a color, dashes as seaborn takes them, and a marker."""

    color: str
    dashes: Any
    marker: str


def style():
    """Give every figure drawn from here on the look of the study.

    The font is the one that matplotlib brings, so that a figure is the same on every machine.
    """
    sns.set_theme(
        context="paper",
        style="ticks",
        palette="colorblind",
        font="DejaVu Sans",
        font_scale=1.1,
        rc={
            "axes.spines.right": False,
            "axes.spines.top": False,
            "figure.constrained_layout.use": True,
            "figure.figsize": (6.4, 4.0),
            "legend.frameon": False,
            "lines.linewidth": 1.5,
            "lines.markersize": 4.5,
            "pdf.fonttype": 42,
        },
    )


def palette(names):
    """Give each name a color, dashes and a marker of its own."""
    colors = sns.color_palette("colorblind").as_hex()
    # Without the pale pink and the yellow, which are hard to see on white.
    colors = [colors[i] for i in (0, 1, 2, 3, 4, 9, 5, 7)]
    n = len(colors)
    return {
        name: Look(colors[i % n], DASHES[i // n % len(DASHES)], _MARKERS[i % len(_MARKERS)])
        for i, name in enumerate(dict.fromkeys(names))
    }


def looks_of(curves, colors):
    """Give each curve of a figure its look, no two the same."""
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
