"""Draw a figure of a map for a talk or a paper."""

import warnings
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.typing import StrPath
from closerthan._core.writing import replacing
from closerthan_lab.page.objects import (
    MOST_LOOKS,
    PALETTE,
    Ellipses,
    check_map,
    is_numeric,
    is_skew,
    levels_of,
    turned,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

# Metadata by the suffix of a file, without a date, so that the same figure has the same bytes.
UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
_MARKERS = "os^"
_SIZE = 6.5  # inches of the longer side
_POINTS = 7.0  # font size of names
_MOVED = 60  # with more names, those without room are left out
_ASLANT = 11.0  # points from one name to the next on a line
_DOT = 42.0  # area of the largest dot, in square points
_LINE = 80  # characters of a legend in one line
_LONGEST = 30  # characters of a name
_MOST_REACH = 0.3  # largest reach of an ellipse, in widths of the map
# Fonts with characters that DejaVu Sans lacks, from several systems.
_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Hiragino Sans", "PingFang SC", "Yu Gothic"),
    *("Microsoft YaHei", "Malgun Gothic", "Noto Sans Devanagari", "Noto Sans", "Arial Unicode MS"),
)
_QUIET = "#8a949b"
_ACCENT = "#0b6380"


def draw_map(
    names: Sequence[str],
    points: ArrayLike,
    *,
    ellipses: Ellipses | None = None,
    color: "pd.Series | None" = None,
    title: str = "",
    axes: tuple[int, int] = (0, 1),
) -> "Figure":
    """Draw the objects of a map, with names if there is room; return a matplotlib figure.

    Both axes have the same unit. All names of up to 60 objects are shown and moved apart. With more
    objects, or on a line, a name is left out if it would cover another. Points in more than two
    dimensions are rotated onto their principal axes.

    Parameters
    ----------
    names, points, ellipses
        As for `write_page`, with the same errors.
    color : Series, optional
        A number or a word for each object, indexed by name. Numbers get a color scale. The 21 most
        common words get a color and a marker each.
    title : str, default ""
        Title of the figure.
    axes : (int, int), default (0, 1)
        The dimensions to show. A map of one dimension is a line.

    Examples
    --------
    >>> figure = draw_map(["Rome", "Oslo", "Bern"], [[0, 0], [1, 4], [-1, 1]])
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['Rome', 'Oslo', 'Bern']
    """
    from matplotlib import rc_context

    names, points, ellipses = check_map(names, points, ellipses)
    points, ellipses = turned(points, ellipses)
    places, shapes = _in_the_plane(points, ellipses, axes)
    values = None if color is None else _values(color, names)
    flat = points.shape[1] == 1
    with rc_context({"font.family": _fonts()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        return _draw([_shortened(name) for name in names], places, shapes, values, title, flat)


def _draw(names, places, shapes, color, title, flat):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    room = places if shapes is None else _room(places, shapes)
    figure = Figure(figsize=_figure_size(room), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    looks = _draw_points(figure, ax, places, color, _DOT if shapes is None else _DOT / 2)
    if shapes is not None:
        _draw_ellipses(ax, places, shapes, looks)
        ax.update_datalim(room)
        ax.autoscale_view()
    _without_axes(ax, flat)
    if title:
        ax.set_title(str(title), fontsize=11, parse_math=False)
    figure.draw_without_rendering()  # names need the final layout
    figure.set_layout_engine("none")
    note = label_points(ax, names, places)
    figure.text(0.5, 0.01, note, ha="center", fontsize=_POINTS, color="0.4")
    return figure


def _fonts():
    from matplotlib.font_manager import fontManager

    known = set(fontManager.get_font_names())
    return ["DejaVu Sans", *(font for font in _FONTS if font in known)]


def save_map(
    paths: StrPath | Sequence[StrPath], names: Sequence[str], points: ArrayLike, **options: Any
) -> None:
    """Draw a map and save it to files; the same input gives the same bytes.

    Parameters
    ----------
    paths : path-like or sequence of path-like
        The files. The suffix sets the format: any that matplotlib can write. A file is either
        complete or unchanged.
    names, points, **options
        See `draw_map`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_map(Path(folder, "map.png"), ["Rome", "Oslo"], [[0, 0], [1, 4]])
    ...     [path.name for path in Path(folder).iterdir()]
    ['map.png']
    """
    from matplotlib import rc_context

    paths = [paths] if isinstance(paths, str | PathLike) else list(paths)
    figure = draw_map(names, points, **options)
    with rc_context({"pdf.fonttype": 42, "svg.hashsalt": "closerthan"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        for path in paths:
            with replacing(path) as temporary:
                figure.savefig(temporary, dpi=300, metadata=UNDATED.get(Path(path).suffix))


def _in_the_plane(points, ellipses, axes):
    """Project points and shapes onto two axes; a missing second axis is 0."""
    p = points.shape[1]
    if p == 1:
        lift = np.array([[1.0, 0.0]])
    else:
        if len(axes) != 2 or axes[0] == axes[1] or not all(k in range(p) for k in axes):
            raise ValueError(f"axes={axes!r}; give two different axes from 0 to {p - 1}")
        lift = np.eye(p)[:, list(axes)]
    return points @ lift, None if ellipses is None else lift.T @ ellipses.shapes @ lift


def _figure_size(places):
    width, height = np.ptp(places, axis=0)
    if width and not height:
        return _SIZE, 0.5 * _SIZE
    if not width and not height:
        return _SIZE, _SIZE
    ratio = np.clip(height / width if width else np.inf, 0.3, 1.6)
    return (_SIZE, _SIZE * ratio) if ratio <= 1 else (_SIZE / ratio, _SIZE)


def _values(color, names):
    index = color.index.map(str)
    if index.has_duplicates:
        raise ValueError(f"color: {index[index.duplicated()][0]!r} has two values")
    return color.set_axis(index).reindex(names)


def _draw_points(figure, ax, places, color, largest):
    """Draw the points; return the color of each."""
    from matplotlib.colors import to_rgba_array

    size = float(np.clip(6000 / len(places), 7, largest))
    common = {"s": size, "linewidths": 0.4, "edgecolors": "white", "zorder": 3}
    if color is None:
        ax.scatter(*places.T, color=_ACCENT, **common)
        return to_rgba_array([_ACCENT] * len(places))
    if is_numeric(color):
        return _draw_numbers(figure, ax, places, color, common)
    levels = levels_of(color)
    looks = np.full(len(places), _QUIET, dtype=object)
    shown = np.zeros(len(places), dtype=bool)
    words = color.map(str, na_action="ignore").to_numpy(object)
    for k, level in enumerate(levels[:MOST_LOOKS]):
        here = words == level
        marker = _MARKERS[k // len(PALETTE)]
        looks[here], shown = PALETTE[k % len(PALETTE)], shown | here
        style = {**common, "color": PALETTE[k % len(PALETTE)], "marker": marker}
        ax.scatter(*places[here].T, label=_shortened(level), **style)
    if not shown.all():
        ax.scatter(*places[~shown].T, color=_QUIET, label="other", **common)
    labels = ax.get_legend_handles_labels()[1]
    place = {"loc": "upper left", "bbox_to_anchor": (1, 1)}
    if sum(len(label) + 5 for label in labels) <= _LINE:  # a line above leaves the map its width
        place = {"loc": "lower center", "bbox_to_anchor": (0.5, 1), "ncols": len(labels)}
    legend = ax.legend(**place, frameon=False, fontsize=_POINTS + 1, handletextpad=0)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return to_rgba_array(list(looks))


def _draw_numbers(figure, ax, places, color, common):
    values = color.to_numpy(float, na_value=np.nan)
    values = np.where(np.isfinite(values), values, np.nan)
    known = np.isfinite(values)
    ax.scatter(*places[~known].T, color=_QUIET, **common)
    norm = "log" if is_skew(values) else "linear"
    dots = ax.scatter(*places[known].T, c=values[known], cmap="viridis", norm=norm, **common)
    if known.any():
        bar = figure.colorbar(dots, ax=ax, shrink=0.5, aspect=25)
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=_POINTS, length=2)
        bar.set_label(str(color.name or ""), fontsize=_POINTS, parse_math=False)
    looks = dots.to_rgba(np.ma.masked_invalid(values))
    looks[~known] = (0.54, 0.58, 0.61, 1.0)
    return looks


def _room(places, shapes):
    """Return points that the axes must show: all objects, and ellipses up to a largest size."""
    reach = np.sqrt(np.maximum(np.diagonal(shapes, axis1=1, axis2=2), 0))
    reach = np.minimum(reach, _MOST_REACH * np.ptp(places, axis=0).max())
    return np.vstack([places, places - reach, places + reach])


def _draw_ellipses(ax, places, shapes, looks):
    from matplotlib.collections import EllipseCollection

    values, vectors = np.linalg.eigh(shapes)
    half = np.sqrt(np.maximum(values, 0))
    angles = np.degrees(np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1]))
    rings = EllipseCollection(
        2 * half[:, 1],
        2 * half[:, 0],
        angles,
        units="xy",
        offsets=places,
        offset_transform=ax.transData,
        facecolors=[(*look[:3], 0.15) for look in looks],
        edgecolors=[(*look[:3], 0.6) for look in looks],
        linewidths=0.7,
        zorder=2,
    )
    ax.add_collection(rings)


def _without_axes(ax, flat):
    ax.set(xticks=[], yticks=[])
    ax.margins(0.08)
    for side in ax.spines.values():
        side.set_visible(False)
    if flat:
        ax.axhline(0, color="0.8", lw=0.8, zorder=1)
        ax.set_ylim(-1, 1)
    else:
        ax.set_aspect("equal", "datalim")


def _shortened(name):
    name = " ".join(name.split())
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def label_points(ax, names, places):
    """Write names at places in the plane; return a sentence that says how many are left out."""
    if not places[:, 1].any():
        _write_along_line(ax, names, places)
    elif len(names) <= _MOVED:
        _write_apart(ax, names, places)
    else:
        _write_where_room(ax, names, places)
    left_out = len(names) - len(ax.texts)
    said = f"{left_out} of {len(names)} names are left out: they would cover others."
    return said if left_out else ""


def _write_apart(ax, names, places):
    from adjustText import adjust_text

    texts = [
        ax.text(*place, name, fontsize=_POINTS, parse_math=False, zorder=4)
        for place, name in zip(places, names, strict=True)
    ]
    adjust_text(
        texts,
        *places.T,
        ax=ax,
        iter_lim=100,  # a time limit would give other results on other machines
        expand=(1.1, 1.3),
        arrowprops={"arrowstyle": "-", "color": "0.6", "lw": 0.5},
    )


def _write_along_line(ax, names, places):
    """Write oblique names above or below a line; leave out names that would cover another."""
    along = ax.transData.transform(places)[:, 0] * 72 / ax.figure.dpi  # points
    last = {1: -np.inf, -1: -np.inf}
    for i in np.argsort(along):
        free = [side for side in last if along[i] - last[side] >= _ASLANT]
        if not free:
            continue
        side = free[0]
        last[side] = along[i]
        ax.annotate(
            names[i],
            places[i],
            (-2, side * 6),
            textcoords="offset points",
            rotation=side * 45,
            rotation_mode="anchor",
            va="center",
            fontsize=_POINTS,
            parse_math=False,
        )


def _write_where_room(ax, names, places):
    """Write each name next to its point if there is free space."""
    dots = ax.transData.transform(places)
    scale = ax.figure.dpi / 72
    reach = 3.5 * scale
    taken = np.column_stack([dots - reach, dots + reach])
    frame = ax.get_window_extent()
    for name, place, dot in zip(names, places, dots, strict=True):
        text = ax.text(*place, name, fontsize=_POINTS, parse_math=False, zorder=4)
        box = text.get_window_extent()
        spot = _free_spot(taken, dot, (box.width, box.height), reach, frame)
        if spot is None:
            text.remove()
            continue
        text.set(position=ax.transData.inverted().transform(spot), ha="left", va="bottom")
        taken = np.vstack([taken, [*spot, spot[0] + box.width, spot[1] + box.height]])


def _free_spot(taken, dot, size, reach, frame):
    (x, y), (width, height) = dot, size
    corners = [
        (x + reach, y - height / 2),
        (x - reach - width, y - height / 2),
        (x - width / 2, y + reach),
        (x - width / 2, y - reach - height),
    ]
    for left, low in corners:
        right, high = left + width, low + height
        inside = left > frame.x0 and right < frame.x1 and low > frame.y0 and high < frame.y1
        apart = (taken[:, 2] <= left) | (taken[:, 0] >= right)
        apart |= (taken[:, 3] <= low) | (taken[:, 1] >= high)
        if inside and apart.all():
            return left, low
    return None
