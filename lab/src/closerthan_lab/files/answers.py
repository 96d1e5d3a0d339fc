"""Read people's answers from a file: columns by name, ids or names, and faults by line."""

import io
import re
import stat
from collections.abc import Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from closerthan._core.shown import shown
from closerthan._core.typing import StrPath
from closerthan._core.validation import check_word
from closerthan.comparisons.answers import Answers
from closerthan_lab.files import formats
from closerthan_lab.files.cells import (
    frame_of,
    gather_cells,
    joined,
    mapped,
    place_objects,
    texts_of,
)
from closerthan_lab.files.columns import FORMS, find_columns, is_press, main_name, names_a_form
from closerthan_lab.files.doubts import ask, in_order, missing_columns, refuse_header, settle
from closerthan_lab.files.faults import Faults
from closerthan_lab.files.folders import files_within, join
from closerthan_lab.files.forms import assemble, refuse_rows
from closerthan_lab.files.json_lines import read_json_lines
from closerthan_lab.files.sources.find import TABLE, find_source, translated
from closerthan_lab.files.sources.source import MEDIA, Source, is_medium
from closerthan_lab.files.spreadsheets import NUMBER
from closerthan_lab.files.text import begins_as_json, read_text
from closerthan_lab.files.values import check_responses, place_picks, read_values, without_others

_READERS = {
    **dict.fromkeys([".jsonl", ".ndjson", ".json"], read_json_lines),
    **dict.fromkeys([".parquet", ".pq", ".feather"], formats.read_parquet),
    **dict.fromkeys([".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"], formats.read_workbook),
    ".dta": formats.read_stata,
    ".npy": formats.read_array,
}
_OF_TRIALS = re.compile(r"time|trial|date|stamp|index|\brt\b")  # names of columns


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """Hold the answers of a file, with the names of its objects and the lines they stand in.

    Attributes
    ----------
    answers : Answers
        With ids from 0, which are positions in `names`.
    names : ndarray of str, shape (n_objects,)
        The names of the objects, sorted. If the file holds ids, the ids as text, sorted as numbers.
    lines : ndarray of int64, shape (n_screens,)
        The line of the file where each screen begins, from 1. In an Excel sheet and in arrays of
        JSON, the row, from 1; in a Parquet or .npy file, from 0.
    form : str
        The form of the question, such as "triplets" or "odd-one-out".
    skipped : list of (int, str)
        The lines that were left out, and why. In a folder, lines are texts, as of `lines_of`.
    path : Path or None
        The file that was read.
    ignored : list of str
        The columns that were not used because their names are unknown.
    place : ndarray of int64, shape (n_screens,), or None
        The position, from 0, that the picked object has in the file's list of the screen. -1 if
        nothing or more than one object was picked. None for forms without such a position.
    has_sides : bool
        Whether the file says that position 0 was on the left and position 1 on the right.
    has_header : bool
        Whether the file names its columns. If not, they were taken in their order.
    holds_ids : bool
        Whether the file holds ids and not names.
    source : str
        The program that wrote the file, such as "jsPsych"; "table" if its columns have names that
        closerthan knows.
    left_out : dict of str to int
        The number of trials that are no answers: "check", "practice" and "unanswered".
    checks : DataFrame or None
        A row for each check trial, with `participant`, `line` and `passed` (True, False or None).
        None if there are no check trials.
    files : list of str
        The names of the files of a folder, or their paths in it if names are equal; empty for a
        single file.
    file : ndarray of int64, shape (n_screens,), or None
        The position, in `files`, of the file of each screen.
    unused_files : list of str
        The other files of a folder: of unknown kinds, or without any answer.
    unit : str
        The unit of `lines`: "line" or "row".
    columns : dict of str to list of str
        The names of the columns of each meaning; empty for the file of a program.
    copies : list of int or str
        The lines of rows that are exact copies of earlier ones, with the same time or trial.
    dropped : int
        The number of rows that `where` and `without` leave out.
    """

    answers: Answers
    names: np.ndarray
    lines: np.ndarray
    form: str
    skipped: list
    path: Path
    ignored: list
    place: np.ndarray | None = None
    has_sides: bool = False
    has_header: bool = True
    holds_ids: bool = False
    source: str = "table"
    left_out: dict = field(default_factory=dict)
    checks: pd.DataFrame | None = None
    files: list = field(default_factory=list)
    file: np.ndarray | None = None
    unused_files: list = field(default_factory=list)
    unit: str = "row"
    columns: dict = field(default_factory=dict)
    copies: list = field(default_factory=list)
    dropped: int = 0

    def lines_of(self, screens: ArrayLike) -> list:
        """Return the lines of some screens; in a folder, as text with the name of the file."""
        rows = np.asarray(screens)
        lines = self.lines[rows].tolist()
        if self.file is None:
            return lines
        files = [self.files[number] for number in self.file[rows]]
        return [f"{name}:{line}" for name, line in zip(files, lines, strict=True)]

    def __repr__(self):
        source = f"{self.path.name}, " if self.path else ""
        return f"AnswerTable: {source}{self.form} of {len(self.names)} objects; {self.answers!r}"


def read_answers(
    path: StrPath | pd.DataFrame | IO,
    *,
    source: str | Source | None = None,
    form: str | None = None,
    columns: dict[str, str] | None = None,
    where: dict[str, str] | None = None,
    without: Sequence[str] = (),
    responses: dict[str, str] | None = None,
    skip_bad_rows: bool = False,
    skip_lines: int = 0,
    sheet: str | None = None,
) -> AnswerTable:
    """Read people's answers, in any form, from a file.

    The files of several programs, such as jsPsych, are recognized and read as they are; see
    `source`. Any other file is a table. Its first row names the columns, and the names tell the
    form. `anchor`, `near` and `far` are triplets; `object_1`, `object_2`, `object_3` and `odd` are
    odd-one-out answers. `describe_columns` and `describe_names` list all forms and names. Case,
    blanks, hyphens, underscores and the order of the columns do not matter.
    Three or four columns without such names are refused. Three may be triplets
    (``form="triplets"``) or odd-one-out answers with the odd one last (``source="spose"``). Four
    may be quadruplets (``form="quadruplets"``) or triplets and another column.

    Check trials, practice and questions without an answer are left out and counted. A column that
    may hold such kinds of trials, or a second answer, is an error until `columns` says what it is.

    Objects are ids if most cells hold numbers, and names if not. Ids are whole numbers from 0; ids
    may be missing in between. Every form may have the columns `participant`, `time` (in seconds),
    `weight`, and `votes` (the number of equal answers). The page :doc:`answer files
    </answer-files>` explains numbered columns, the kinds of files, and folders with a file for each
    participant. Ten million triplets of ids take 1 GB and about fifteen seconds.

    Parameters
    ----------
    path : str, path-like, DataFrame or text stream
        A file, a folder or a .zip archive; or a table or a text in memory, such as a StringIO.
    source : {"jspsych", "next", "psychopy", "salmon", "spose", \
"three-choices", "triplet-tools", "table"} or Source, optional
        The program that wrote the file; "table" for a table. Files of Meadows are refused. It may
        be a `closerthan_lab.files.sources.Source` of your own. None recognizes all except "spose".
    form : {"triplets", "quadruplets", "odd-one-out", "most-central", "choices", "rankings", \
"best-worst", "responses", "votes"}, optional
        None takes the form that the columns tell.
    columns : dict of str to str, optional
        The file's own column names, such as ``{"anchor": "stimulus"}``; a list of names for
        several objects. None in place of a name means that the column is not used.
    where : dict of str to str, optional
        Keep only rows with this text in this column, such as ``{"group": "expert"}``. The column
        may have any name.
    without : sequence of str, default ()
        Participants whose rows are left out.
    responses : dict of str to str, optional
        The meaning of the file's own words for responses: a place such as "first", "neither", or
        "unanswered" for no answer. Example: ``{"0": "first", "1": "second"}``. None allows these
        words, others such as left, right, yes, no and tie, or 1 and 2.
    skip_bad_rows : bool, default False
        Whether rows with a fault are left out and listed. If not, the first fault is an error.
    skip_lines : int, default 0
        The number of lines of a text above the names of the columns.
    sheet : str, optional
        The sheet of a workbook. None takes the only one with cells.

    Returns
    -------
    AnswerTable

    Raises
    ------
    ValueError
        If the file is no table of answers, or a row has a fault, such as a missing value. The
        message names file, line, column and value, and the number of other faults. With
        `skip_bad_rows`, faults are an error only in more than half of the rows.
    OSError
        If the file does not exist or cannot be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "answers.csv")
    >>> _ = path.write_text("Subject;object 1;object 2;object 3;odd\\nann;ape;bee;cat;bee\\n")
    >>> table = read_answers(path)
    >>> table
    AnswerTable: answers.csv, odd-one-out of 3 objects; Answers: 2 triplets from 1 screens, with
    participant
    >>> table.names[table.answers.comparisons]
    array([['ape', 'cat', 'bee'],
           ['cat', 'ape', 'bee']], dtype='<U3')
    """
    if isinstance(path, pd.DataFrame):
        path = Held(path, "the DataFrame")
    elif hasattr(path, "read"):
        path = Held(path.read(), "the text")
    elif not str(path):
        raise FileNotFoundError("the path is empty; name a file")
    else:
        path = Path(path)
    if form is not None:
        check_word("form", form, FORMS)
    without = [without] if isinstance(without, str) else without
    columns = {main_name(name): title for name, title in (columns or {}).items()}
    given = source, form, columns, where or {}, without, check_responses(responses), skip_bad_rows
    options = Options(*given, skip_lines, sheet)
    with _named_errors(path):
        error = Faults(path).error
        files, others = (None, []) if isinstance(path, Held) else files_within(path, error)
        if files is None:
            return _with_short_names(_read_file(path, options))
        table = join(files, others, _read_file, options, error)
        return replace(_with_short_names(table), path=path)


@dataclass(frozen=True)
class Held:
    """A table or a text in memory, with what readers ask of a path."""

    content: Any
    name: str
    suffix: str = ""
    suffixes: tuple = ()

    def __str__(self):
        return self.name

    def open(self, _):
        text = self.content
        return io.BytesIO(text.encode() if isinstance(text, str) else text)


@dataclass(frozen=True)
class Options:
    """Hold what the user says about a file; see `read_answers`.

    `met` is a set in a folder: each file adds those of its participants who are left out.
    """

    source: str | Source | None
    form: str | None
    columns: dict
    where: dict
    without: Sequence
    responses: dict
    skip_bad_rows: bool
    skip_lines: int
    sheet: str | None
    met: set | None = None


def _read_file(path, options):
    """Return the answers of one file, which may be in a zip archive."""
    faults = Faults(path, options.skip_bad_rows)
    if isinstance(path, Path) and not stat.S_ISREG(path.stat().st_mode):
        raise faults.error("this is not a regular file")
    words = dict(options.responses)
    header, cells, source, found, told = _read_cells(path, options, faults, words)
    found = place_picks(cells, found, None if source else header, words, options.met is None)
    cells, left_out, checks = without_others(cells, found, words)
    n_rows = int(cells.good.sum()) + faults.n
    names, hold_ids = place_objects(cells, read_values(cells, found, words))
    cells = cells.good_ones()
    refuse_rows(cells, found, names)
    skipped = faults.finish(n_rows)
    answers, names, lines, place = assemble(cells.good_ones(), found, names)
    used = set(lines.tolist()) if told["copies"] else ()
    told["copies"] = [line for line in told["copies"] if line in used]
    columns = {name: found.titles(name, header) for name in found.places}
    return AnswerTable(
        answers,
        names,
        lines,
        found.form,
        skipped,
        None if isinstance(path, Held) else path,
        [] if source else list(found.unused(header.titles).values()),
        place if source is None or source.has_places else None,
        has_sides=source.has_sides if source else found.sides,
        has_header=found.named,
        holds_ids=hold_ids,
        source=source.title if source else "table",
        left_out=left_out,
        checks=checks,
        unit=faults.unit,
        columns={} if source else columns,
        **told,
    )


def _read_cells(path, options, faults, words):
    """Return the header and the cells of a file, its source, and the meaning of its columns.

    Also return the lines of copies, and the number of rows that are left out as the user says. A
    source removes the words for places on the screen that it heeds.
    """
    with closing(_reader(path, options, faults)(path, faults)) as blocks:
        header = replace(next(blocks), own=options.columns)
        name = TABLE if options.source is None and names_a_form(header) else options.source
        source, found = find_source(header, path, name), None
        wanted = set(range(len(header.titles)))
        if not source:
            found = find_columns(header, options.form)
        elif options.where and not source.has_header:
            raise faults.error(f"where= needs names of columns; {source.title} has none")
        if found:
            wanted = {n for n, title in enumerate(header.titles) if is_press(title)}
            wanted.update(header.place(name, "where= names it") for name in options.where)
            wanted.update(*found.places.values())
        frame, copies = joined(blocks, wanted)
    found = found or (None if source else in_order(header, options, frame))
    named = source.has_header if source else found.named
    if not named and header.line is not None:
        frame, _ = joined([frame_of([header.titles], [header.line]), frame], frame.columns)
    elif not source and header.line is not None:
        refuse_header(frame, header, found)
    if not any(_OF_TRIALS.search(title.casefold()) for title in header.titles):
        copies = []
    n_rows = len(frame)
    frame = _only(frame, header, options.where)
    told = {"copies": copies, "dropped": n_rows - len(frame)}
    if source:
        header, frame = translated(source, header, frame, options.form, words)
        found = find_columns(header, options.form)
        if found is None:
            raise missing_columns(header, options.form, pd.DataFrame())
    elif named and len(frame):
        frame, found = settle(frame, header, found)
        ask(frame, header, found, options.where)
    for name, title in options.columns.items():
        if title is not None and name not in found:
            raise faults.error(f"columns= names {name}, which has no effect on {found.form}")
    n_rows = len(frame)
    frame = _without(frame, faults, found, options)
    told["dropped"] += n_rows - len(frame)
    if "pairs" in found:
        found = replace(found, names_pairs=_are_named(frame, found))
    return header, gather_cells(frame, found, faults, header.decimal_comma), source, found, told


def _reader(path, options, faults):
    """Return the function that reads the format of a file."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    reader = _READERS.get(suffixes[-1] if suffixes else "", read_text)
    if isinstance(path, Held) and isinstance(path.content, pd.DataFrame):
        reader = formats.read_held
    elif reader is read_text and not options.skip_lines and begins_as_json(path, faults):
        reader = read_json_lines
    faults.unit = "line" if reader in (read_text, read_json_lines) else "row"
    for name, own in (("skip_lines", read_text), ("sheet", formats.read_workbook)):
        given = getattr(options, name)
        if given and reader is not own:
            raise faults.error(f"{name}= has no effect on a file of this kind")
        reader = partial(reader, **{name: given}) if given else reader
    return reader


def _are_named(frame, found):
    """Tell whether the best and the worst pair are told by their objects, not by numbers."""
    places = [place for meaning in ("best", "worst") for place in found.places[meaning]]
    cells = [text for place in places for text in texts_of(frame[place])]
    return 2 * sum(NUMBER.fullmatch(cell) is None for cell in cells) > len(cells)


def _only(frame, header, where):
    """Return the rows that hold given texts."""
    for name, text in where.items():
        place, wish = header.place(name, "where= names it"), str(text).strip()
        frame = frame[mapped(frame[place], lambda cell, wish=wish: str(cell).strip() == wish, bool)]
    if where and not len(frame):
        said = " and ".join(f"{shown(text)} in {shown(name)}" for name, text in where.items())
        raise header.faults.nothing_left(f"no row holds {said}; check where=")
    return frame


def _without(frame, faults, found, options):
    """Return the rows that are not of some participants."""
    alone, wanted = options.met is None, {str(name).strip() for name in options.without}
    if wanted and alone and "participant" not in found:
        raise faults.error("no column of participants; without= cannot leave some out")
    if not wanted or "participant" not in found:
        return frame  # the name of a file of a folder says who it is
    people = mapped(frame[found.places["participant"][0]], lambda cell: str(cell).strip(), object)
    met = wanted.intersection(people)
    if alone and wanted - met:
        raise faults.error(f"no row is of {shown(min(wanted - met))}; check without=")
    if not alone:
        options.met.update(met)
    keep = ~np.isin(people, list(wanted))
    if not keep.any():
        raise faults.nothing_left("no other participant is left; check without=")
    return frame[keep]


def _with_short_names(table):
    """Return the table of a program's file with names of files without folders and endings.

    If two would become the same, all names stay.
    """
    if table.source == "table" or table.holds_ids:
        return table
    own = table.names.tolist()
    short = [MEDIA.sub("", name).rpartition("/")[2] if is_medium(name) else name for name in own]
    if len(set(short)) < len(own):
        return table
    names, place = np.unique(short, return_inverse=True)
    comparisons = place[table.answers.comparisons]
    return replace(table, names=names, answers=replace(table.answers, comparisons=comparisons))


@contextmanager
def _named_errors(path):
    """Let an error of the operating system begin with the path, like all other errors."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        is_there = not isinstance(error, FileNotFoundError)
        why = f"cannot be read ({error.strerror})" if is_there else "does not exist; check the path"
        raise type(error)(f"{path}: this file {why}") from None
