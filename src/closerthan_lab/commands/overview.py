"""`closerthan overview`: compare the maps of a project."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.writing import count, records, write_facts, write_figure, write_table
from closerthan_lab.page.templates import templates

_HERE = Path(__file__).parent


def overview(folder: StrPath, names: Sequence[str]) -> "Overview":
    """Collect the results of the commands for several sets of answers, and compare the maps."""
    folder, names = Path(folder), sorted(names)
    known = sorted(path.parent.name for path in folder.glob("*/check.json"))
    for name in names:
        if name not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise ValueError(f"{folder}: no results of the set of answers {name!r}; {there}")
    rows = [_row(folder / name, name) for name in names]
    pairs = {
        pair: _read(folder / "compared" / pair[0] / f"{pair[1]}.json")
        for pair in combinations(names, 2)
    }
    return Overview(folder, pd.DataFrame(rows), pairs)


def _row(folder, name):
    checked = _read(folder / "check.json")
    embedded = _read(folder / "map" / "embed.json")
    return {
        "set": name,
        "answers": checked["answers"],
        "objects": checked["objects"],
        "participants": checked["participants"],
        "dimensions": _read(folder / "dimensions" / "dimensions.json")["chosen"],
        "predicted": 1 - embedded["error_held_out"],
        "standard_error": embedded["error_held_out_standard_error"],
        "noise_ceiling": checked["noise_ceiling"],
    }


def _read(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path}: not made yet; run snakemake in the project first") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}; delete it, and run snakemake again") from None


@dataclass(frozen=True, eq=False)
class Overview:
    """The result of `overview`: a row for each set of answers, and the facts of each pair."""

    folder: Path
    frame: pd.DataFrame
    pairs: dict

    def facts(self) -> dict[str, Any]:
        keys = ("correlation", "p_value", "n_objects")
        compared = [
            {"set": one, "other": other, **{key: facts[key] for key in keys}}
            for (one, other), facts in self.pairs.items()
        ]
        return {"sets": records(self.frame), "compared": compared}

    def text(self) -> str:
        return self.frame.to_string(index=False, na_rep="", float_format="{:.3f}".format)

    def write(self, folder: StrPath, *, overwrite: bool = False) -> None:
        """Write ``overview.csv``, ``.json``, ``index.html`` and, for two or more sets, a figure."""
        with filling(folder, overwrite=overwrite) as here:
            write_table(here / "overview.csv", self.frame)
            write_facts(here / "overview.json", self.facts())
            if self.pairs:
                self._draw(here / "likeness.png")
            (here / "index.html").write_text(self._page(folder), encoding="utf-8")

    def _page(self, folder):
        """Return the page, with links to the maps relative to its folder."""
        facts = self.facts()
        for row in facts["sets"]:
            page = os.path.relpath(self.folder / row["set"] / "map" / "index.html", folder)
            row["page"] = quote(Path(page).as_posix())
        title = f"{count(len(self.frame), 'set')} of answers"
        return templates(_HERE).get_template("overview.html.j2").render(title=title, **facts)

    def _draw(self, path):
        """Draw the matrix of correlations between maps."""
        import matplotlib.pyplot as plt

        names = list(self.frame["set"])
        likeness = pd.DataFrame(1.0, names, names)
        for (one, other), facts in self.pairs.items():
            likeness.loc[one, other] = likeness.loc[other, one] = facts["correlation"]
        side = 1.5 + 0.5 * len(names)
        figure, ax = plt.subplots(figsize=(side + 1, side), layout="constrained")
        image = ax.imshow(likeness, vmin=0, vmax=1, cmap="viridis")
        ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
        ax.set_yticks(range(len(names)), names)
        if len(names) <= 12:
            for place in np.ndindex(likeness.shape):
                value = likeness.iloc[place]
                ax.text(
                    *place[::-1],
                    f"{value:.2f}",
                    ha="center",
                    va="center",
                    color="black" if value > 0.6 else "white",
                    fontsize=8,
                )
        figure.colorbar(image, label="Procrustes correlation")
        write_figure(figure, path)
