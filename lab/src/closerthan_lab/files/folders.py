"""Read the files of a folder or of a zip archive as one table: a file for each participant."""

import zipfile
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from closerthan._core.shown import shown
from closerthan_lab.files.faults import NothingLeftError
from closerthan_lab.files.joining import concatenate

_WORKBOOKS = {".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"}
_PACKED = {".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".gz", *_WORKBOOKS}
_TABLES = _PACKED | {".parquet", ".pq", ".npy", ".feather", ".dta"}
_NOTES = ("readme", "license", "codebook")  # begin the names of files that hold no answers
_ENOUGH = 20  # answers that are hardly the same by chance
_MOST_BYTES = 2 * 10**9  # of an unpacked archive
_BOMB = 10**8, 200  # more bytes, and more times the packed bytes, are no archive of answers


def files_within(path, error):
    """Return the files of answers in a folder or a zip archive by name, and the other names.

    Return None in place of the files for any other path.
    """
    if path.is_dir():
        known, inside = (
            _TABLES,
            {file.relative_to(path).as_posix(): file for file in path.rglob("*")},
        )
    elif path.suffix.lower() == ".zip" and path.is_file():
        known, inside = _PACKED, _unpacked(path, error)
    else:
        return None, []
    files, others = {}, []
    for name, file in sorted(inside.items()):
        parts, suffix = set(name.split("/")) - {".."}, file.suffix.lower()
        if file.is_dir() or any(part.startswith((".", "~$", "__MACOSX")) for part in parts):
            continue
        if suffix == ".zip":
            raise error(f"{name} is an archive within a folder or an archive; unpack it")
        if suffix in known and file.is_file() and not file.name.lower().startswith(_NOTES):
            files[name] = file
        else:
            others.append(name)
    if not files:
        raise error(f"no file of answers is in it, such as {', '.join(sorted(known))}")
    return files, others


def _unpacked(path, error):
    """Return the files in a zip archive by their names."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
        root = zipfile.Path(path)
    except (zipfile.BadZipFile, NotImplementedError) as fault:
        raise error(f"not a complete zip archive ({fault})") from None
    least, times = _BOMB
    if size > _MOST_BYTES or (size > least and size > times * path.stat().st_size):
        raise error(f"unpacked it has {size / 1e9:.1f} GB, too many; read its files one by one")
    names = root.root.namelist()
    if len(set(names)) < len(names):
        raise error(f"{max(names, key=names.count)} is in it twice; keep one of them")
    return {name: root / name for name in names}


def join(files, others, read, options, error):
    """Return the answers of several files as one table; `read` returns that of one file.

    `others` are the names of files that are not read. `error` makes errors that name the folder.
    """
    names = [name.rpartition("/")[2] for name in files]
    labels = _unlike(names, list(files))
    people = _unlike([_stem(name) for name in names], [_stem(name) for name in files], list(files))
    wanted = {str(name).strip() for name in options.without}
    met, tables, empty = set(), {}, None
    for label, person, file in zip(labels, people, files.values(), strict=True):
        try:
            table = read(file, replace(options, met=met))
        except NothingLeftError as nothing:
            others, empty = [*others, label], nothing
            continue
        if table.answers.participant is None and person in wanted:
            met.add(person)
        else:
            tables[label] = person, table
    if wanted - met:
        raise error(f"no file is of {shown(min(wanted - met))}; check without=")
    if not tables:
        raise empty or error("no other participant is left; check without=")
    begun = _beginnings(error, {label: table for label, (_, table) in tables.items()})
    others += [label for label in tables if label in begun]
    tables = {label: table for label, table in tables.items() if label not in begun}
    _refuse_differences(error, {label: table for label, (_, table) in tables.items()})
    return replace(_joined(tables), unused_files=others)


def _unlike(*names):
    """Return the first of several lists of names that has none twice."""
    return next(some for some in names if len(set(some)) == len(some))


def _stem(name):
    """Return the name of a file without the endings that closerthan reads."""
    stem, dot, end = name.rpartition(".")
    return _stem(stem) if dot and f".{end.lower()}" in _TABLES else name


def _joined(people):
    """Return several tables as one, from who answered and the table by the name of the file."""
    tables = [table for _, table in people.values()]
    names = np.unique(np.concatenate([table.names for table in tables]))
    if tables[0].holds_ids:
        names = names[np.argsort(names.astype(np.int64), kind="stable")]
    answers, skipped, checks, copies = [], [], [], []
    for file, (person, table) in people.items():
        ids = pd.Index(names).get_indexer(table.names)
        given = replace(table.answers, comparisons=ids[table.answers.comparisons])
        if given.participant is None:
            given = replace(given, participant=np.full(given.n_screens, person))
        answers.append(given)
        skipped += [(f"{file}:{line}", why) for line, why in table.skipped]
        copies += [f"{file}:{line}" for line in table.copies]
        if table.checks is not None:
            lines = [f"{file}:{line}" for line in table.checks["line"]]
            who = table.checks["participant"].fillna(person)
            checks.append(table.checks.assign(participant=who, line=lines))
    places = [table.place for table in tables]
    return replace(
        tables[0],
        answers=concatenate(answers),
        names=names,
        lines=np.concatenate([table.lines for table in tables]),
        skipped=skipped,
        ignored=list(dict.fromkeys(name for table in tables for name in table.ignored)),
        place=None if any(place is None for place in places) else np.concatenate(places),
        has_sides=all(table.has_sides for table in tables),
        left_out=dict(sum((Counter(table.left_out) for table in tables), Counter())),
        checks=pd.concat(checks, ignore_index=True) if checks else None,
        copies=copies,
        dropped=sum(table.dropped for table in tables),
        files=list(people),
        file=np.repeat(np.arange(len(tables)), [given.n_screens for given in answers]),
    )


def _beginnings(error, tables):
    """Return the files whose answers begin those of another, as files saved on the way do.

    Raise an error for the same answers in two files. Without times, few may be so by chance.
    """
    texts, begun = sorted((_text(table), file) for file, table in tables.items()), set()
    for (some, file), (other, after) in pairwise(texts):  # a beginning stands before the whole
        if some == other:
            way = "keep one, or add a column participant"
            raise error(f"{after} holds the same answers as {file}; {way}")
        answers = tables[file].answers
        if other.startswith(some) and (answers.time is not None or len(answers) >= _ENOUGH):
            begun.add(file)
    return begun


def _text(table):
    """Return a line for each comparison, with who gave it and when."""
    answers, none = table.answers, np.full(table.answers.n_screens, None)
    known = (none if one is None else one for one in (answers.participant, answers.time))
    columns = [one[answers.screen].tolist() for one in known]
    names = table.names[answers.comparisons].tolist()
    return "".join(f"{row}\n" for row in zip(names, *columns, strict=True))


def _refuse_differences(error, tables):
    """Refuse files of two sources or forms, and ids in one file but names in another."""
    for (file, one), (other_file, other) in pairwise(tables.items()):
        others = _facts(other)
        for what, a in _facts(one).items():
            if a != (b := others[what]):
                way = "write each as triplets with `closerthan convert`"
                raise error(
                    f"two files differ in their {what}: {file} has {a}, {other_file} has {b}; {way}"
                )


def _facts(table):
    kind = "ids" if table.holds_ids else "names"
    asked = "pairs" if table.answers.comparisons.shape[1] == 4 else "an anchor"
    return {"source": table.source, "form": table.form, "objects": kind, "questions": asked}
