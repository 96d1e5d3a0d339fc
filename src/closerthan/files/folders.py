"""Read the files of a folder or of a zip archive as one table: a file for each participant."""

import hashlib
import zipfile
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from closerthan.comparisons.answers import Answers
from closerthan.files.faults import Faults, shown

_PACKED = {".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".gz", ".xlsx"}
_TABLES = _PACKED | {".parquet", ".pq", ".npy", ".zip"}
_COMPANION = "display_info"  # psiz reads such a file with the one beside it


def files_within(path):
    """Return the files of answers in a folder or a zip archive; None for any other path."""
    known = _TABLES
    if path.is_dir():
        inside = list(path.iterdir())
    elif path.suffix.lower() == ".zip" and path.is_file():
        known = _PACKED
        try:
            with zipfile.ZipFile(path) as archive:
                names = [name for name in archive.namelist() if not name.endswith("/")]
        except zipfile.BadZipFile as error:
            raise Faults(path).error(f"not a complete zip archive ({error})") from None
        inside = [zipfile.Path(path, name) for name in names if not name.startswith("__MACOSX")]
    else:
        return None
    files = [file for file in inside if file.suffix.lower() in known and file.is_file()]
    files = [file for file in files if not file.name.startswith((".", "~$"))]
    files = [file for file in files if _COMPANION not in file.name]
    if not files:
        raise Faults(path).error(f"no file of answers is in it, such as {', '.join(sorted(known))}")
    return sorted(files, key=str)


def join(path, files, read):
    """Return the answers of several files as one table; `read` returns that of one file."""
    _refuse_copies(path, files)
    tables = [read(file) for file in files]
    _refuse_differences(path, files, tables)
    first = tables[0]
    names = np.unique(np.concatenate([table.names for table in tables]))
    if first.holds_ids:
        names = names[np.argsort(names.astype(np.int64), kind="stable")]
    number = {name: place for place, name in enumerate(names.tolist())}
    comparisons, screens, start = [], [], 0
    for table in tables:
        ids = np.array([number[name] for name in table.names.tolist()])
        comparisons.append(ids[table.answers.comparisons])
        screens.append(table.answers.screen + start)
        start += table.answers.n_screens
    answers = Answers(
        np.concatenate(comparisons),
        np.concatenate(screens),
        _participants(files, tables),
        _times(tables),
        np.concatenate([table.answers.weight for table in tables]),
    )
    file = np.repeat(np.arange(len(tables)), [table.answers.n_screens for table in tables])
    places = [table.place for table in tables]
    return replace(
        first,
        answers=answers,
        names=names,
        lines=np.concatenate([table.lines for table in tables]),
        skipped=[
            (f"{file.name}:{line}", why)
            for file, table in zip(files, tables, strict=True)
            for line, why in table.skipped
        ],
        path=path,
        ignored=list(dict.fromkeys(name for table in tables for name in table.ignored)),
        place=None if any(place is None for place in places) else np.concatenate(places),
        left_out=_sums([table.left_out for table in tables]),
        checks=_checks(files, tables),
        files=[file.name for file in files],
        file=file,
    )


def _refuse_copies(path, files):
    """Refuse two files with the same bytes, such as one that was downloaded twice."""
    seen = {}
    for file in files:
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").digest()
        other = seen.setdefault(digest, file)
        if other is not file:
            raise Faults(path).error(f"{file.name} is a copy of {other.name}; keep one of them")


def _refuse_differences(path, files, tables):
    """Refuse files of two sources or forms, and ids in one file but names in another."""
    for (file, one), (other_file, other) in pairwise(zip(files, tables, strict=True)):
        for what, name in (("source", "source"), ("form", "form")):
            values = getattr(one, name), getattr(other, name)
            if values[0] != values[1]:
                raise Faults(path).error(
                    f"two files differ in their {what}: {file.name} is {values[0]}, "
                    f"{other_file.name} is {values[1]}; put them into two folders"
                )
        if one.holds_ids != other.holds_ids:
            ids, named = (file, other_file) if one.holds_ids else (other_file, file)
            table = other if one.holds_ids else one
            raise Faults(path).error(
                f"objects are numbers in {ids.name} and names, such as {shown(table.names[0])}, in "
                f"{named.name}; use the same in all files"
            )
        if one.answers.comparisons.shape[1] != other.answers.comparisons.shape[1]:
            raise Faults(path).error(
                f"{file.name} and {other_file.name}: one compares with an anchor, one compares "
                "pairs; put them into two folders"
            )


def _participants(files, tables):
    """Return who answered each screen; the name of the file if it does not say who."""
    people = []
    for file, table in zip(files, tables, strict=True):
        known = table.answers.participant
        people.append(np.full(table.answers.n_screens, _stem(file)) if known is None else known)
    if any(some.dtype.kind == "U" for some in people):
        people = [some.astype(str) for some in people]
    return np.concatenate(people)


def _stem(file):
    return file.name.split(".")[0]


def _times(tables):
    times = [table.answers.time for table in tables]
    if all(time is None for time in times):
        return None
    return np.concatenate(
        [
            np.full(table.answers.n_screens, np.nan) if time is None else time
            for time, table in zip(times, tables, strict=True)
        ]
    )


def _sums(counts):
    total = {}
    for some in counts:
        for kind, count in some.items():
            total[kind] = total.get(kind, 0) + count
    return total


def _checks(files, tables):
    """Return the check trials of all files, with the file in the line, or None."""
    some = []
    for file, table in zip(files, tables, strict=True):
        if table.checks is not None:
            who = table.checks["participant"].fillna(_stem(file))
            lines = [f"{file.name}:{line}" for line in table.checks["line"]]
            some.append(table.checks.assign(participant=who, line=lines))
    return pd.concat(some, ignore_index=True) if some else None
