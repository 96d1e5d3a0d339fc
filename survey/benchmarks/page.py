"""The page of a run: its tables and figures in one offline file."""

import io
from pathlib import Path

import matplotlib
import pandas as pd
from markupsafe import Markup
from tables import short

from closerthan_study.templates import templates

_TEMPLATES = templates(Path(__file__).parent)
_TEMPLATES.filters["short"] = lambda value: "" if pd.isna(value) else short(value)
_COLORS = "colorblind"


def figure(rows, x, y, hue, title, labels):
    """Return lines over logarithmic axes as SVG. The ticks of x are the measured values."""
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    import seaborn as sns

    with sns.axes_style("whitegrid"), matplotlib.rc_context({"svg.hashsalt": title}):
        canvas, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
        sns.lineplot(
            rows, x=x, y=y, hue=hue, style=hue, markers=True, dashes=False, palette=_COLORS, ax=axes
        )
        axes.set(xscale="log", yscale="log", title=title, xlabel=labels[0], ylabel=labels[1])
        measured = sorted(rows[x].unique())
        axes.set_xticks(measured, [f"{value:,}" for value in measured], minor=False)
        axes.set_xticks([], minor=True)
        sns.move_legend(axes, "upper left", bbox_to_anchor=(1, 1), title=None, frameon=False)
        buffer = io.StringIO()
        canvas.savefig(buffer, format="svg", metadata={"Date": None})
        plt.close(canvas)
    text = buffer.getvalue()
    return Markup(text[text.index("<svg") :])


def write_page(measured, run, folder):
    """Write `index.html`, the tables as CSV and `README-table.md` from the rows of each section."""
    (folder / "tables").mkdir(exist_ok=True)
    sections, lines = [], []
    for section, rows in measured.items():
        name = section.__name__.rpartition(".")[2]
        title, _, summary = section.__doc__.strip().partition("\n\n")
        blocks = [_block(block) for block in section.show(rows)]
        tables = [block["rows"] for block in blocks if "rows" in block]
        for number, table in enumerate(tables, 1):
            table.to_csv(folder / "tables" / f"{name}-{number}.csv", index=False)
        sections.append({"name": name, "title": title, "summary": summary, "blocks": blocks})
        lines += section.headline(rows)
    template = _TEMPLATES.get_template("page.html.j2")
    page = template.render(sections=sections, run=run)
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / "README-table.md").write_text(_markdown(lines, run), encoding="utf-8")


def _block(block):
    if isinstance(block, Markup):
        return {"figure": block}
    caption, rows = block
    return {"caption": caption, "rows": pd.DataFrame(rows)}


def _markdown(lines, run):
    """Return the numbers for the README, with their date and machine."""
    table = "".join(f"| {what} | {figure} |\n" for what, figure in lines)
    where = f"{run['processor']}, {run['cores']} cores, {run['memory_gb']} GB; {run['date']}"
    return f"Measured by `make benchmark` on {where}.\n\n| | |\n|---|---|\n{table}"
