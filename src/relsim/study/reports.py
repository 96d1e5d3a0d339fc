"""The reports station: figures, tables and the index page that shows them beside the notebooks.

Everything lies under one folder, `results/reports/`:

    figures/{study}/{name}.png, .pdf      and  {name}.json: its title, caption and order
    tables/{study}/{name}.csv, .html      and  {name}.json
    notebooks/{study}.ipynb, .html
    index.html, provenance.json

The same results give the same bytes in all of them but `index.html` and `provenance.json`, which
say when and where they were made. No page needs a network, and none names a path of the machine.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import jinja2
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from IPython.display import HTML, Image

from relsim.study.files import replacing, write_json
from relsim.study.provenance import without_local_paths

__all__ = [
    "palette",
    "save_figure",
    "save_table",
    "style",
    "write_index",
]

_TEMPLATES = Path(__file__).with_name("templates")
_DPI = 150
_CSS_PIXELS_PER_INCH = 96
_ABSENT = "–"
_DATASET_KEYS = ("title", "status", "shape", "dropped", "license", "source", "citation")

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_TEMPLATES),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    keep_trailing_newline=True,
)
_templates.filters["to_json"] = lambda value: json.dumps(value, indent=2, ensure_ascii=False)


def style() -> None:
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
            "lines.markersize": 5,
            "pdf.fonttype": 42,
        },
    )


def palette(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Give each name a color, marker and line style of its own.

    Call it once, with every name of a study, and draw any subset of them: a method then looks
    the same in all figures.

    Parameters
    ----------
    names : iterable of str
        The methods, in the order that fixes their looks; a name that comes again is left out.

    Returns
    -------
    dict of str to dict
        For each name the `color`, `marker` and `linestyle` that matplotlib's `plot` takes.
        The colors can be told apart by the color-blind; the first 56 looks are all different.

    Examples
    --------
    >>> looks = palette(["batch", "SVRG-SBB"])
    >>> looks["SVRG-SBB"]
    {'color': '#de8f05', 'marker': 's', 'linestyle': '-'}
    """
    colors = sns.color_palette("colorblind").as_hex()
    # Without the pale pink and the yellow, which are hard to see on white.
    colors = [colors[i] for i in (0, 1, 2, 3, 4, 9, 5, 7)]
    markers, lines = "osD^vXP", ("-", "--", "-.", ":")
    return {
        name: {
            "color": colors[i % len(colors)],
            "marker": markers[i % len(markers)],
            "linestyle": lines[i // len(colors) % len(lines)],
        }
        for i, name in enumerate(dict.fromkeys(names))
    }


def save_figure(
    figure: plt.Figure, stem: str | os.PathLike[str], *, title: str, caption: str, order: int = 0
) -> Image:
    """Write a figure as `{stem}.png` (150 dpi) and `{stem}.pdf`, its words as `{stem}.json`.

    The figure is closed, so that a notebook shows it once: as what this function returns.

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
    # Only the PDF would carry the time.
    for suffix, metadata in ((".png", {}), (".pdf", {"CreationDate": None})):
        with replacing(f"{stem}{suffix}") as temporary:
            figure.savefig(
                temporary, dpi=_DPI, metadata=metadata, bbox_inches="tight", facecolor="white"
            )
    plt.close(figure)
    _write_words(stem, "figure", title, caption, order)
    png = f"{stem}.png"
    width = plt.imread(png).shape[1] * _CSS_PIXELS_PER_INCH // _DPI
    return Image(png, width=width, alt=f"{title}. {caption}")


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
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    if isinstance(frame.columns, pd.MultiIndex):
        names = [" ".join(str(part) for part in column if part != "") for column in frame.columns]
        frame = frame.set_axis(names, axis="columns")
    columns = [_cells(frame.iloc[:, i], float_format) for i in range(frame.shape[1])]
    html = _templates.get_template("table.html.j2").render(
        title=title,
        caption=caption,
        header=list(zip(frame.columns, (number for _, number in columns), strict=True)),
        rows=list(zip(*(cells for cells, _ in columns), strict=True)),
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


def write_index(
    path: str | os.PathLike[str],
    *,
    title: str,
    summary: str,
    sections: Sequence[Mapping[str, str]],
    datasets: Sequence[Mapping[str, Any]],
    banner: Sequence[Mapping[str, str]],
    provenance: Mapping[str, Any],
) -> None:
    """Write the page that shows all figures and tables and links everything else.

    Figures, tables and notebooks are those in the folders beside `path` (see the module); every
    link is relative, and text from files is escaped and rid of absolute paths.

    Parameters
    ----------
    path : path-like
        The page, usually `results/reports/index.html`.
    title, summary : str
        The heading, and one sentence that says what the page shows.
    sections : sequence of mappings
        For each study its `name` (of its folders and its notebook), `title` and `summary`.
    datasets : sequence of mappings
        For each data set its `title`, `status` ("used", or in a few words why not), and where
        known `shape`, `dropped`, `license`, `source` (a URL is linked) and `citation`.
    banner : sequence of mappings
        For each data set that could not be had its `title`, the `reason` and the `remedy`.
    provenance : mapping
        What :func:`relsim.study.provenance.provenance` returns.

    Raises
    ------
    FileNotFoundError
        When a file that the page would link is missing.
    """
    folder = Path(path).parent
    page = _templates.get_template("index.html.j2").render(
        title=title,
        summary=summary,
        sections=[_section(folder, section) for section in sections],
        datasets=[{key: _text(row.get(key)) for key in _DATASET_KEYS} for row in datasets],
        banner=without_local_paths(banner),
        provenance=without_local_paths(provenance),
    )
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _section(folder: Path, section: Mapping[str, str]) -> dict[str, Any]:
    """A study with what there is of it in the folder of the reports."""
    name = section["name"]
    notebook = f"notebooks/{name}"
    has_notebook = (folder / f"{notebook}.html").exists()
    if has_notebook:
        _require(folder, notebook, (".ipynb",))
    figures = _shown(folder, f"figures/{name}", (".png", ".pdf"))
    for figure in figures:
        figure["height"], figure["width"] = plt.imread(folder / f"{figure['link']}.png").shape[:2]
    tables = _shown(folder, f"tables/{name}", (".csv", ".html"))
    for table in tables:
        table["html"] = (folder / f"{table['link']}.html").read_text(encoding="utf-8")
    return {
        **section,
        "notebook": notebook if has_notebook else None,
        "figures": figures,
        "tables": tables,
    }


def _shown(folder: Path, subfolder: str, suffixes: Sequence[str]) -> list[dict[str, Any]]:
    """The words of each figure or table, in order, with its link without a suffix."""
    shown = []
    for path in sorted((folder / subfolder).glob("*.json")):
        link = f"{subfolder}/{path.stem}"
        _require(folder, link, suffixes)
        shown.append({**json.loads(path.read_text(encoding="utf-8")), "link": link})
    return sorted(shown, key=lambda words: words["order"])


def _require(folder: Path, link: str, suffixes: Sequence[str]) -> None:
    for suffix in suffixes:
        if not (folder / f"{link}{suffix}").exists():
            raise FileNotFoundError(
                f"the index page links {folder / link}{suffix}, which is missing"
            )


def _text(value: Any) -> str:
    """A value of a data set's `.json` in words; nothing for None and what is empty."""
    value = without_local_paths(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        between = " × " if all(isinstance(item, int) for item in value) else ", "
        return between.join(_text(item) for item in value)
    return "" if value is None else str(value)
