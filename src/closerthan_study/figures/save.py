"""Write the figures and tables of a page as files, with captions.

    {stem}.png, .pdf, .json    a figure; its title, caption and order
    {stem}.csv, .html, .json   a table

The same results give the same bytes.
"""

from dataclasses import dataclass
from html import escape
from io import BytesIO
from numbers import Integral, Real
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import PIL.Image
from IPython.display import HTML, Image, display
from matplotlib.transforms import Bbox

from closerthan._core.writing import replacing
from closerthan_study.files import write_csv, write_json, write_text
from closerthan_study.templates import templates

_DPI = 150
_COLORS = 256
_CSS_PIXELS_PER_INCH = 96
_ABSENT = "–"
_MANY = 20  # rows; longer tables are folded


@dataclass(frozen=True)
class Captioned:
    """A figure that a notebook shows with its caption as text below it."""

    image: Image
    caption: HTML

    def _ipython_display_(self):
        display(self.image, self.caption)


def save_figure(figure, stem, *, title, caption, order=0, made=None):
    """Write a figure as `{stem}.png` (150 dpi) and `{stem}.pdf`, its caption as `{stem}.json`.

    The PNG has a palette of 256 colors, a third of the bytes. Below the image stand the caption and
    what it was `made` from. Figures of a study are sorted by `order`.
    """
    caption = " ".join(caption.split())
    figure.set_dpi(_DPI)
    figure.draw_without_rendering()  # computes the layout once for both files
    figure.set_layout_engine("none")
    # Words beyond an edge make the picture larger; they are not cut.
    whole = Bbox.union([figure.bbox_inches, figure.get_tightbbox().padded(0.02)])
    look = {"dpi": _DPI, "facecolor": "white", "bbox_inches": whole}
    drawn = BytesIO()
    figure.savefig(drawn, format="png", **look)
    image = PIL.Image.open(drawn).convert("RGB")
    with replacing(f"{stem}.png") as temporary:
        # Small marks and pale bands keep their colors.
        method, refined = PIL.Image.Quantize.MAXCOVERAGE, 1
        few = image.quantize(_COLORS, method, refined, dither=PIL.Image.Dither.NONE)
        few.save(temporary, dpi=(_DPI, _DPI))
    with replacing(f"{stem}.pdf") as temporary:
        figure.savefig(temporary, metadata={"CreationDate": None}, **look)
    plt.close(figure)
    _write_caption(stem, "figure", title, caption, order, made)
    width = image.width * _CSS_PIXELS_PER_INCH // _DPI
    place = f"figures-{Path(stem).name}"
    said = f'<p class="caption" id="{place}"><b>{escape(title)}.</b> {escape(caption)}</p>'
    said += _say_made(made)
    return Captioned(Image(f"{stem}.png", width=width, alt=title), HTML(said))


def save_table(frame, stem, *, title, caption, order=0, float_format=".3f", made=None):
    """Write a table as `{stem}.csv` in full precision and as `{stem}.html` for readers."""
    caption = " ".join(caption.split())
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    columns = [_cells(frame.iloc[:, i], float_format) for i in range(frame.shape[1])]
    html = (
        templates(Path(__file__).parent)
        .get_template("table.html.j2")
        .render(
            place=f"tables-{Path(stem).name}",
            title=title,
            caption=caption,
            folded=len(frame) > _MANY,
            header=list(zip(frame.columns, (number for _, number in columns), strict=True)),
            rows=list(zip(*(cells for cells, _ in columns), strict=True)),
        )
    )
    write_csv(f"{stem}.csv", frame)
    write_text(f"{stem}.html", html)
    _write_caption(stem, "table", title, caption, order, made)
    return HTML(html + _say_made(made))


def _cells(column, float_format):
    """Return the cells of a column as text, and whether all values are numbers."""
    present = [value for value in column if not pd.isna(value)]
    number = all(isinstance(value, Real) and not isinstance(value, bool) for value in present)

    def text(value):
        if pd.isna(value):
            return _ABSENT
        fraction = isinstance(value, Real) and not isinstance(value, Integral)
        return format(float(value), float_format) if fraction else str(value)

    return [text(value) for value in column], number


def _say_made(made):
    """Return the line under a figure that leads to what made it."""
    if not made:
        return ""
    links = [f'<a href="../../{folder}">{folder}</a>' for folder in made["results"]]
    parts = [", ".join(links), made["script"], made["commit"] and f"commit {made['commit']}"]
    if made["experiments"]:
        parts.insert(0, f"experiment {', '.join(made['experiments'])}")
    return f'<p class="made">Made from {"; ".join(filter(None, parts))}</p>'


def _write_caption(stem, kind, title, caption, order, made):
    """Write title and caption; the index page takes this file as the sign of completeness."""
    record = {"kind": kind, "title": title, "caption": caption, "order": order, "made": made}
    write_json(f"{stem}.json", record)
