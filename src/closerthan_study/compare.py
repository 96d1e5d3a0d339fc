"""Print what differs between two results folders: `python -m closerthan_study.compare A B`.

Each folder is of a run, or has published results. The Markdown lists verdicts, parts of claims,
printed numbers and figures. Seconds never repeat, so it leaves them out, and figures of verdicts.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from closerthan_study.reading import read_json

_PART = ["study", "claim", "part", "subject", "baselines", "against", "loss", "dataset", "measure"]
_ROW = ["study", "artefact", "dataset", "loss", "method", "setting", "metric", "unit", "printed"]


def compare(before, after):
    """Return a table of each kind of thing that differs, by its name in the plural.

    A folder without the files of a run raises a FileNotFoundError.
    """
    both = [Path(folder) for folder in (before, after)]
    both = [folder / "reports" if (folder / "reports").is_dir() else folder for folder in both]
    return {
        "verdicts": _differing(
            _column(f, "scoreboard", ["study", "claim"], "sentence") for f in both
        ),
        "parts of claims": _differing(_column(f, "parts", _PART, "effect") for f in both),
        "printed numbers": _differing(_column(f, "printed", _ROW, "ours") for f in both),
        "figures": _differing(map(_figures, both)),
    }


def _column(folder, name, keys, column):
    """Return a column of a table of a run by the other columns that name a row."""
    table = pd.read_csv(folder / f"{name}.csv", dtype=str, keep_default_na=False)
    of_time = [any("seconds" in word for word in row) for row in table[keys].to_numpy()]
    return table[~np.array(of_time, dtype=bool)].set_index(keys)[column]


def _figures(folder):
    """Return the digest of each figure of a study."""
    paths = [path for path in folder.glob("figures/*/*.png") if path.parent.name != "scoreboard"]
    found = {
        f"{path.parent.name}/{path.stem}": hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        for path in sorted(paths)
        if not _has_seconds(path.with_suffix(".json"))
    }
    return pd.Series(found, dtype=str).rename_axis("figure")


def _has_seconds(caption):
    made = read_json(caption).get("made") if caption.exists() else None
    return bool(made and made["seconds"])


def _differing(both):
    table = pd.concat(both, axis=1, keys=["before", "after"]).fillna("–")
    return table[table.before != table.after].reset_index()


def markdown(tables):
    """Return the tables as Markdown, under a line that counts what differs."""
    counts = [f"{len(table)} {kind}" for kind, table in tables.items()]
    parts = [f"{', '.join(counts[:-1])} and {counts[-1]} differ."]
    for kind, table in tables.items():
        if len(table):
            rows = [list(table), ["---"] * len(table.columns), *table.to_numpy().tolist()]
            lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
            parts += [f"### {kind.capitalize()}", "\n".join(f"| {line} |" for line in lines)]
    return "\n\n".join(parts)


def main(arguments=None):
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("before", help="a folder of results")
    parser.add_argument("after", help="another one")
    options = parser.parse_args(arguments)
    try:
        print(markdown(compare(options.before, options.after)))
    except FileNotFoundError as error:
        sys.exit(f"closerthan: {error.filename} is missing; make reproduce or make smoke makes it.")


if __name__ == "__main__":
    main()
