"""Write an interactive offline page with a map and its diagnostics."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.typing import StrPath
from closerthan._core.writing import replacing
from closerthan_lab.page.objects import (
    MOST_LOOKS,
    PALETTE,
    Ellipses,
    check_attributes,
    check_map,
    is_numeric,
    is_skew,
    levels_of,
    turned,
)
from closerthan_lab.page.sections import Figures, Section, json_cell
from closerthan_lab.page.templates import page_templates, to_script
from closerthan_lab.page.thumbnails import thumbnails_of

if TYPE_CHECKING:
    import pandas as pd

MOST_BYTES = 8_000_000  # largest size of a page
_DIGITS = 5  # digits of a coordinate, relative to the width of the map


def write_page(
    path: StrPath,
    *,
    title: str,
    names: Sequence[str],
    points: ArrayLike,
    summary: str = "",
    figures: Mapping[str, Any] | None = None,
    ellipses: Ellipses | None = None,
    attributes: "pd.DataFrame | None" = None,
    thumbnails: StrPath | None = None,
    sections: Sequence[Section] = (),
) -> list[str]:
    """Write a page with a map and its diagnostics: one file of at most 8 MB that loads nothing.

    Points in more than two dimensions are rotated onto their principal axes. The list that is
    returned says which images and attribute rows were left out.

    Raise a ValueError if a name is empty or repeated, points or ellipses are not finite or have a
    wrong shape, the attributes have a column or a name twice, the folder has no image, or the page
    takes more than 8 MB without images.

    Parameters
    ----------
    path : path-like
        The HTML file. It is either complete or unchanged.
    title : str
        Title of the page.
    names : sequence of n str
        Names of the objects. They must differ.
    points : array_like of shape (n_objects, n_components)
        Positions of the objects.
    summary : str, default ""
        One or two sentences below the title.
    figures : mapping of str to number or str, optional
        Key figures below the title; see `Figures`.
    ellipses : Ellipses, optional
        Confidence ellipses of the objects.
    attributes : DataFrame, optional
        Attributes of the objects, indexed by name, which can color the map. Numbers get a color
        scale; infinite numbers count as missing. Of words, the 21 most common get a color and a
        shape; for a categorical column, the first 21 in its order.
    thumbnails : path-like, optional
        A folder of images. Each is named like its object, with a suffix. If pillow is installed,
        images are shrunk until they fit. Otherwise images that do not fit are left out.
    sections : sequence of Section, default ()
        The diagnostics below the map.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     page = Path(folder, "map.html")
    ...     places = {"Rome": [0, 0], "Oslo": [1, 4]}
    ...     _ = write_page(page, title="Cities", names=places, points=list(places.values()))
    ...     page.read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    names, points, ellipses = check_map(names, points, ellipses)
    points, ellipses = turned(points, ellipses)
    columns, notes = ([], []) if attributes is None else _columns(attributes, names)
    content = {
        "names": names,
        **_places(points),
        "ellipses": None if ellipses is None else _shapes(ellipses),
        "columns": columns,
        "palette": PALETTE,
        "figures": None if figures is None else Figures(figures).content(),
        "sections": [section.content() for section in sections],
        "images": {},
        "notes": notes,
    }
    words = {"title": str(title), "summary": str(summary)}
    room = MOST_BYTES - len(_render(content, **words))
    if room < 0:
        raise ValueError(
            f"{path}: the page would take {(MOST_BYTES - room) / 1e6:.1f} MB; at most "
            f"{MOST_BYTES / 1e6:.0f} MB are allowed; leave out attributes, sections or ellipses"
        )
    if thumbnails is not None:
        # Reserve bytes for positions of images and for notes that name objects.
        room -= 1000 + 12 * len(names) + 100 * max(map(len, names))
        content["images"], left_out = thumbnails_of(thumbnails, names, room)
        notes += left_out
    page = _render(content, **words)
    with replacing(path) as temporary:
        temporary.write_bytes(page)
    return notes


def _render(content, **words):
    """Render the page with only the scripts that its content needs."""
    text = (
        page_templates()
        .get_template("page.html.j2")
        .render(
            content=to_script(content),
            has_blocks=bool(content["sections"] or content["figures"]),
            has_ellipses=content["ellipses"] is not None,
            is_line=content["n_components"] == 1,
            **words,
        )
    )
    return text.encode("utf-8", "replace")  # names may have surrogates, which a file cannot store


def _places(points):
    """Return rounded coordinates and the share of the variance along each axis."""
    spread = points.var(axis=0)
    total = spread.sum() or 1.0
    width = np.ptp(points, axis=0).max()
    decimals = _DIGITS - int(np.ceil(np.log10(width))) if width > 0 else _DIGITS
    return {
        "n_components": points.shape[1],
        "points": np.round(points, decimals).tolist(),
        "shares": [round(float(share), 4) for share in spread / total],
    }


def _shapes(ellipses):
    """Return the level, and the upper triangle of each shape, row by row."""
    triangle = ellipses.shapes[:, *np.triu_indices(ellipses.shapes.shape[1])]
    shapes = [[float(f"{value:.3g}") for value in row] for row in triangle]
    return {"level": ellipses.level, "shapes": shapes}


def _columns(attributes, names):
    """Return columns of numbers or of indices of words, and notes on problems."""
    frame, notes = check_attributes(attributes, names)
    return [_column(name, frame[name]) for name in frame.columns], notes


def _column(name, column):
    if is_numeric(column):
        values = [json_cell(value) for value in column.astype(object)]
        numbers = column.to_numpy(float, na_value=np.nan)
        return {"name": name, "values": values, "logarithmic": is_skew(numbers)}
    levels = levels_of(column)
    place = {level: n for n, level in enumerate(levels)}
    missing = column.isna()
    values = [None if none else place[str(v)] for v, none in zip(column, missing, strict=True)]
    # A column with nearly as many words as objects is a second name, not a color.
    colors = len(levels) <= MOST_LOOKS or 2 * len(levels) <= len(column)
    return {"name": name, "values": values, "levels": levels, "colors": colors}
