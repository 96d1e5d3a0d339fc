"""Figures and tables as files: what a page shows, with its words beside it.

    {stem}.png, .pdf, .json    a figure; its title, caption and order
    {stem}.csv, .html, .json   a table

The same results give the same bytes.
"""

from __future__ import annotations

import os
from io import BytesIO
from numbers import Integral, Real
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import PIL.Image
from IPython.display import HTML, Image

from closerthan.files.writing import replacing
from closerthan.page.templates import templates
from closerthan_study.files import write_json

__all__ = ["save_figure", "save_table"]

_DPI = 150
_COLORS = 128
_CSS_PIXELS_PER_INCH = 96
_ABSENT = "–"


def save_figure(
    figure: plt.Figure, stem: str | os.PathLike[str], *, title: str, caption: str, order: int = 0
) -> Image:
    """Write a figure as `{stem}.png` (150 dpi) and `{stem}.pdf`, its words as `{stem}.json`.

    The PNG has 128 colors of its own, which take a third of the bytes and look the same. The
    figure is closed, so that a notebook shows it once: as what this function returns.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure to write.
    stem : path-like
        Where to, without a suffix: `results/reports/figures/{study}/{name}`.
    title, caption : str
        A few words, and what a reader sees in the figure; the caption is also its text for those
        who cannot see it.
    order : int, default 0
        Its place among the figures of the study; ties are sorted by name.

    Returns
    -------
    IPython.display.Image
        The PNG file, shown by a notebook when it is the last line of a cell.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> figure, ax = plt.subplots()
    >>> _ = ax.plot([0, 1], [0.5, 0.2])
    >>> with TemporaryDirectory() as folder:
    ...     image = save_figure(figure, f"{folder}/error", title="Error", caption="It falls.")
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['error.json', 'error.pdf', 'error.png']
    """
    caption = " ".join(caption.split())
    figure.set_dpi(_DPI)
    figure.draw_without_rendering()  # lays it out, once for both files
    figure.set_layout_engine("none")
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=_DPI, facecolor="white")
    image = PIL.Image.open(drawn).convert("RGB")
    with replacing(f"{stem}.png") as temporary:
        image.quantize(_COLORS, dither=PIL.Image.Dither.NONE).save(temporary, dpi=(_DPI, _DPI))
    with replacing(f"{stem}.pdf") as temporary:
        figure.savefig(temporary, dpi=_DPI, metadata={"CreationDate": None}, facecolor="white")
    plt.close(figure)
    _write_words(stem, "figure", title, caption, order)
    width = image.width * _CSS_PIXELS_PER_INCH // _DPI
    return Image(f"{stem}.png", width=width, alt=f"{title}. {caption}")


def save_table(
    frame: pd.DataFrame,
    stem: str | os.PathLike[str],
    *,
    title: str,
    caption: str,
    order: int = 0,
    float_format: str = ".3f",
) -> HTML:
    """Write a table as `{stem}.csv` in full precision and as `{stem}.html` to be read.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table. Its index is written when it has a name; a missing value is shown as a dash.
    stem : path-like
        Where to, without a suffix: `results/reports/tables/{study}/{name}`.
    title, caption : str
        A few words, and what a reader should know about the numbers; in `{stem}.json` as well.
    order : int, default 0
        Its place among the tables of the study; ties are sorted by name.
    float_format : str, default ".3f"
        The format of a number that is not an integer, in the HTML alone.

    Returns
    -------
    IPython.display.HTML
        The rendered table, shown by a notebook when it is the last line of a cell.

    Raises
    ------
    ValueError
        When `float_format` is not a format specification for a float.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> frame = pd.DataFrame({"loss": ["ste"], "MAP": [1 / 3]})
    >>> with TemporaryDirectory() as folder:
    ...     html = save_table(frame, f"{folder}/map", title="MAP", caption="Higher is better.")
    ...     print(Path(folder, "map.csv").read_text())
    loss,MAP
    ste,0.3333333333333333
    >>> "0.333<" in html.data
    True
    """
    caption = " ".join(caption.split())
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    if isinstance(frame.columns, pd.MultiIndex):
        names = [" ".join(str(part) for part in column if part != "") for column in frame.columns]
        frame = frame.set_axis(names, axis="columns")
    columns = [_cells(frame.iloc[:, i], float_format) for i in range(frame.shape[1])]
    html = (
        templates(Path(__file__).parent)
        .get_template("table.html.j2")
        .render(
            title=title,
            caption=caption,
            header=list(zip(frame.columns, (number for _, number in columns), strict=True)),
            rows=list(zip(*(cells for cells, _ in columns), strict=True)),
        )
    )
    with replacing(f"{stem}.csv") as temporary:
        frame.to_csv(temporary, index=False, lineterminator="\n")
    with replacing(f"{stem}.html") as temporary:
        temporary.write_text(html, encoding="utf-8")
    _write_words(stem, "table", title, caption, order)
    return HTML(html)


def _cells(column: pd.Series, float_format: str) -> tuple[list[str], bool]:
    """The column as text, and whether all of its values are numbers."""
    present = [value for value in column if not pd.isna(value)]
    number = all(isinstance(value, Real) and not isinstance(value, bool) for value in present)

    def text(value: object) -> str:
        if pd.isna(value):
            return _ABSENT
        fraction = isinstance(value, Real) and not isinstance(value, Integral)
        return format(float(value), float_format) if fraction else str(value)

    return [text(value) for value in column], number


def _write_words(
    stem: str | os.PathLike[str], kind: str, title: str, caption: str, order: int
) -> None:
    """Write the title and caption last: what has them is complete, and the index page shows it."""
    words = {"kind": kind, "title": title, "caption": caption, "order": order}
    write_json(f"{stem}.json", words)
