"""`closerthan convert`: write answers in a form that other programs read."""

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.shown import shown
from closerthan._core.typing import StrPath
from closerthan._core.writing import replacing
from closerthan.comparisons.answers import Answers
from closerthan.comparisons.forms.three import to_odd_one_out
from closerthan_lab.commands.check import describe_table
from closerthan_lab.commands.folder import KINDS, check_new, refuse_same
from closerthan_lab.commands.reading import as_table
from closerthan_lab.commands.writing import number_of
from closerthan_lab.files.answers import AnswerTable
from closerthan_lab.files.spreadsheets import escape_table

_LOST = {
    "table": "place left_out dropped",
    "array": "screen weight participant time place left_out dropped",
    "spose": "unequal participant time place left_out dropped",
}


def convert(
    answers: StrPath | AnswerTable | Answers, out: StrPath, *, overwrite: bool = False
) -> "Converted":
    """Write answers to a file: as a table, as an array, or as odd ones out for SPoSE and VICE.

    Raise a ValueError if the end of the path is unknown, if a file exists and `overwrite` is False,
    or if the answers do not have the form.

    Parameters
    ----------
    answers : str, path-like, closerthan_lab.files.AnswerTable or Answers
        The answers, or a file or folder of answers.
    out : str or path-like
        The end of the path tells the form. ``.csv``, ``.csv.gz`` and ``.parquet``: a row for each
        comparison with the names of its objects, its screen, weight, participant and time.
        ``.npy``: an array of comparisons, of shape (n_comparisons, 3) or (n_comparisons, 4), as
        cblearn and metric-learn take it. ``.txt``: three ids a row with the odd one last. An array
        and a text hold ids. If the objects have names, a second file, ``.names.txt``, has the name
        of id 0, 1, 2, ... in its lines.
    overwrite : bool, default False
        Whether to replace a file.

    Examples
    --------
    >>> import tempfile
    >>> answers = Answers([[0, 1, 2], [1, 0, 2]], participant=["ann", "bo"])
    >>> print(convert(answers, Path(tempfile.mkdtemp(), "triplets.npy")).text())
    Wrote 2 comparisons to triplets.npy. Lost: who answered.
    """
    table, out = as_table(answers), Path(out)
    refuse_same(out, table.path)
    check_new(out, overwrite, KINDS)
    kind = next(kind for end, kind in KINDS.items() if out.name.lower().endswith(end))
    if kind == "spose" and table.form != "odd-one-out":
        raise ValueError(f"{out}: a .txt holds odd ones out; write {table.form} to a .csv or .npy")
    has_names = kind != "table" and table.path is not None and not table.holds_ids
    names = out.with_suffix(".names.txt") if has_names else None
    broken = [name for name in table.names.tolist() if len(name.splitlines()) > 1]
    if names and broken:
        raise ValueError(f"{out}: the name {shown(broken[0])} has several lines; rename it")
    if names:
        check_new(names, overwrite)
    if table.holds_ids and len(np.unique(table.names.astype(np.int64))) < len(table.names):
        raise ValueError(f"{out}: two ids are the same number, such as 7 and 007; rename one")
    ids = table.names.astype(np.int64) if table.holds_ids else np.arange(len(table.names))
    with replacing(out) as partial:
        if kind == "table":
            _write_table(partial, table, ids if table.holds_ids else table.names)
        elif kind == "array":
            np.save(partial, ids[table.answers.comparisons], allow_pickle=False)
        else:
            np.savetxt(partial, ids[to_odd_one_out(table.answers)[0]], fmt="%d")
    if names:
        with replacing(names) as partial:
            partial.write_text("".join(f"{name}\n" for name in table.names), encoding="utf-8")
    return Converted(table, out, _lost(table, _LOST[kind]), names)


@dataclass(frozen=True, eq=False)
class Converted:
    """The result of `convert`: the file `out`, and what of the answers is `lost` in it."""

    table: AnswerTable
    out: Path
    lost: list
    names: Path | None = None

    def facts(self) -> dict[str, Any]:
        return {
            "file": str(self.out),
            "names": None if self.names is None else str(self.names),
            "comparisons": len(self.table.answers),
            "lost": self.lost,
        }

    def text(self) -> str:
        names = "" if self.names is None else f" The names of the ids are in {self.names.name}."
        lost = f"Lost: {', '.join(self.lost)}." if self.lost else "Nothing is lost."
        answers = self.table.answers
        what = number_of(len(answers), "comparison")
        if answers.n_screens < len(answers):
            what = f"{number_of(answers.n_screens, 'answer')} ({what})"
        wrote = f"Wrote {what} to {self.out.name}.{names} {lost}"
        return "\n".join([*describe_table(self.table), wrote])


def _lost(table, parts):
    """Return what of some parts the answers have."""
    answers = table.answers
    has = {
        "screen": (answers.n_screens < len(answers), "which comparisons are one answer"),
        "weight": (bool((answers.weight != 1).any()), "weights"),
        "unequal": (bool((answers.weight != answers.weight[0]).any()), "weights"),
        "participant": (answers.participant is not None, "who answered"),
        "time": (answers.time is not None, "times"),
        "place": (table.place is not None, "places on the screen"),
        "left_out": (bool(table.left_out), "check trials and other trials that are no answers"),
        "dropped": (table.dropped > 0, f"{number_of(table.dropped, 'row')} that were left out"),
    }
    return [has[part][1] for part in parts.split() if has[part][0]]


def _odd_ones_out(answers, names):
    """Return a table of odd ones out. The odd one stands anywhere, because its place is unknown."""
    objects, odd = to_odd_one_out(answers)
    objects = np.random.default_rng(0).permuted(objects, axis=1)
    frame = pd.DataFrame(names[objects], columns=["object_1", "object_2", "object_3"])
    known = {"odd": names[odd], "participant": answers.participant, "time": answers.time}
    return frame.assign(**{name: column for name, column in known.items() if column is not None})


def _comparisons(answers, names):
    """Return a table with a row for each comparison."""
    without = {
        "repeat": True,
        "screen": answers.n_screens == len(answers),
        "weight": (answers.weight == 1).all(),
    }
    frame = answers.to_frame().drop(columns=[name for name, is_out in without.items() if is_out])
    columns = frame.columns[: answers.comparisons.shape[1]]
    frame[columns] = names[frame[columns].to_numpy()]
    return frame


def _write_table(path, table, names):
    """Write a table that `read_answers` reads as the same answers."""
    is_odd = table.form == "odd-one-out" and (table.answers.weight == table.answers.weight[0]).all()
    frame = (_odd_ones_out if is_odd else _comparisons)(table.answers, names)
    if path.suffix.lower() == ".parquet":
        frame.to_parquet(path, index=False)
        return
    content = escape_table(frame).to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC).encode()
    is_packed = path.suffix.lower() == ".gz"
    path.write_bytes(gzip.compress(content, mtime=0) if is_packed else content)
