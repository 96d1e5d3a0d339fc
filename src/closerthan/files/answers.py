"""Read people's answers from a file: columns by name, ids or names, and faults by line."""

import stat
from collections.abc import Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from closerthan._core.typing import StrPath
from closerthan._core.validation import check_word
from closerthan.comparisons.answers import Answers
from closerthan.files.assemble import assemble, place_objects, refuse_rows
from closerthan.files.blocks import Column
from closerthan.files.cells import gather, holds_ids, name_objects
from closerthan.files.columns import (
    FORMS,
    Header,
    find_columns,
    has_known_columns,
    in_order,
    missing_columns,
)
from closerthan.files.faults import Faults, shown, shown_list
from closerthan.files.json_lines import read_json_lines
from closerthan.files.parquet import read_parquet
from closerthan.files.text import read_text
from closerthan.files.values import check_responses, no_preference, read_values

_READERS = {
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".json": read_json_lines,
    ".parquet": read_parquet,
    ".pq": read_parquet,
}


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
        The line of the file where each screen begins, from 1. In a Parquet file, the row, from 0.
    form : str
        The form of the question, such as "triplets" or "odd-one-out".
    skipped : list of (int, str)
        The lines that were left out, and why.
    path : Path or None
        The file that was read.
    ignored : list of str
        The columns that were not used because their names are unknown.
    place : ndarray of int64, shape (n_screens,), or None
        The position, from 0, that the picked object has in the file's list of the screen. -1 if
        nothing or more than one object was picked. None for forms without such a position.
    has_header : bool
        Whether the file names its columns. If not, they were taken in their order.
    holds_ids : bool
        Whether the file holds ids and not names.
    """

    answers: Answers
    names: np.ndarray
    lines: np.ndarray
    form: str
    skipped: list
    path: Path
    ignored: list
    place: np.ndarray | None = None
    has_header: bool = True
    holds_ids: bool = False

    @property
    def unit(self) -> str:
        """The unit of `lines`: "line" of a text file, from 1, or "row" of a table, from 0."""
        is_text = self.path is not None and _reader(self.path) is not read_parquet
        return "line" if is_text else "row"

    def __repr__(self):
        source = f"{self.path.name}, " if self.path else ""
        return f"AnswerTable: {source}{self.form} of {len(self.names)} objects; {self.answers!r}"


def read_answers(
    path: StrPath,
    *,
    form: str | None = None,
    columns: dict[str, str] | None = None,
    where: dict[str, str] | None = None,
    without: Sequence[str] = (),
    responses: dict[str, str] | None = None,
    skip_bad_rows: bool = False,
) -> AnswerTable:
    """Read people's answers, in any form, from a file.

    The first row names the columns, and the names tell the form. `anchor`, `near` and `far` are
    triplets; `object_1`, `object_2`, `object_3` and `odd` are odd-one-out answers.
    `describe_columns` and `describe_names` list all forms and names. Case, blanks, hyphens,
    underscores and the order of the columns do not matter. A file without such names holds
    triplets if it has three columns, and quadruplets if it has four.

    Objects are ids if most cells hold numbers, and names if not. Ids are whole numbers from 0; ids
    may be missing in between. Several objects, such as the candidates of a choice, stand in
    numbered columns, `candidate_1`, `candidate_2`, ... Shorter rows are empty at the end. They may
    also stand in one column, `candidates`, with ``|`` between them. Every form may have the columns
    `participant`, `time` (in seconds), `weight`, and `votes` (the number of equal answers).

    The end of the path tells the kind of file: ``.parquet``; ``.jsonl``, ``.ndjson`` or ``.json``
    for JSON lines with one object per line. Any other file is text, with commas, semicolons, tabs
    or blanks between the cells. The text is UTF-8, unless a byte-order mark says otherwise. A file
    that ends in ``.gz`` is decompressed. Ten million triplets of ids take 0.9 GB and about five
    seconds.

    Parameters
    ----------
    path : str or path-like
    form : str, default=None
        "triplets", "quadruplets", "odd-one-out", "most-central", "choices", "rankings",
        "best-worst", "responses" or "votes". None takes the form that the columns tell.
    columns : dict of str to str, default=None
        The file's own column names, such as ``{"anchor": "stimulus"}``; a list of names for
        several objects. None in place of a name means that the column is not used.
    where : dict of str to str, default=None
        Keep only rows with this text in this column, such as ``{"group": "expert"}``. The column
        may have any name.
    without : sequence of str, default=()
        Participants whose rows are left out.
    responses : dict of str to str, default=None
        The meaning of the file's own words for responses, each "first", "second" or "neither":
        ``{"0": "first", "1": "second"}``. None allows these words, left, right and tie, or 1, -1
        and 0.
    skip_bad_rows : bool, default=False
        Whether rows with a fault are left out and listed. If not, the first fault is an error.

    Returns
    -------
    AnswerTable

    Raises
    ------
    ValueError
        If a row has a fault, such as a missing value or an odd one out that was not shown. The
        message names the file, the line, the column and the value, and the number of other rows
        with faults. With `skip_bad_rows`, only if more than half of the rows have faults. Always
        if the file is not a table of answers.
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
    path = Path(path)
    if form is not None:
        check_word("form", form, FORMS)
    responses = check_responses(responses)
    without = [without] if isinstance(without, str) else without
    faults = Faults(path, skip_bad_rows)
    with _named_errors(path):
        _refuse_other_than_files(path, faults)
        cells, found = _read_cells(path, form, columns, where or {}, without, faults)
    n_rows = int(cells.good.sum()) + faults.n
    read_values(cells, responses)
    hold_ids = holds_ids(cells)
    names, numbers, reasons = name_objects(cells, hold_ids, no_preference(cells, found))
    place_objects(cells, numbers, reasons)
    refuse_rows(cells, found, names)
    skipped = faults.finish(n_rows)
    answers, names, lines, place = assemble(cells, found, names)
    return AnswerTable(
        answers,
        names,
        lines,
        found.form,
        skipped,
        path,
        found.ignored,
        place,
        has_header=found.named,
        holds_ids=bool(hold_ids),
    )


@contextmanager
def _named_errors(path):
    """Let an error of the operating system begin with the path, like all other errors."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: this file does not exist; check the path") from None
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(f"{path}: it cannot be read ({error.strerror})") from None


def _refuse_other_than_files(path, faults):
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise faults.error("this is a folder; give the path of a file")
    if not stat.S_ISREG(mode):
        raise faults.error("this is not a regular file")


def _reader(path):
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    return _READERS.get(suffixes[-1] if suffixes else "", read_text)


def _read_cells(path, form, columns, where, without, faults):
    """Return the cells of the file, and the meaning of its columns."""
    reader = _reader(path)
    if reader is read_parquet:
        faults.unit = "row"
    with closing(reader(path, faults)) as blocks:
        head = next(blocks)
        header = Header(list(head.cells), head.line, faults, columns or {})
        found = find_columns(header, form)
        if found is not None:
            if head.line is not None:
                blocks = _refuse_header(blocks, header)
            if where:
                blocks = _only(blocks, header, where)
            if without:
                blocks = _without(blocks, header, found, without)
            return gather(blocks, found, faults, head.decimal_comma), found
        found = in_order(header)
        may_be = head.line is not None or (reader is read_parquet and not has_known_columns(header))
        if not may_be or columns or where or without or not found or form not in (None, found.form):
            raise missing_columns(header, form)
        faults.note = (
            f"; {len(header.titles)} columns without known names are taken for "
            f"{', '.join(found.needed)}; add a first row with names if this is wrong"
        )
        if head.line is None:
            return gather(blocks, found, faults), found
        first = np.array([head.line]), [Column.of_texts([cell]) for cell in head.cells]
        cells = gather(chain([first], blocks), found, faults)
        return _without_header(cells, header, form), found


def _only(blocks, header, where):
    """Yield the rows of blocks that hold given texts."""
    wanted = [
        (header.place(name, "where= names it"), str(text).strip()) for name, text in where.items()
    ]
    any_left = False
    for lines, columns in blocks:
        rows = np.ones(len(lines), dtype=bool)
        for place, text in wanted:
            column = columns[place] or Column([""], np.zeros(len(lines), dtype=int))
            rows &= column.map(lambda cell, text=text: str(cell).strip() == text)
        if rows.any():
            any_left = True
            yield lines[rows], [column and column.take(rows) for column in columns]
    if not any_left:
        said = " and ".join(f"{shown(text)} in {shown(name)}" for name, text in where.items())
        raise header.faults.error(f"no row holds {said}; check where=")


def _without(blocks, header, found, people):
    """Yield the rows of blocks that are not of some participants."""
    if "participant" not in found:
        raise header.faults.error("no column of participants; without= cannot leave some out")
    [place] = found.places["participant"]
    wanted, met, any_left = {str(name).strip() for name in people}, set(), False
    for lines, columns in blocks:
        column = columns[place] or Column([""], np.zeros(len(lines), dtype=int))
        met |= wanted.intersection(str(cell).strip() for cell in column.cells)
        rows = ~column.map(lambda cell: str(cell).strip() in wanted)
        if rows.any():
            any_left = True
            yield lines[rows], [column and column.take(rows) for column in columns]
    if wanted - met:
        raise header.faults.error(f"no row is of {shown(min(wanted - met))}; check without=")
    if not any_left:
        raise header.faults.error("no other participant is left; check without=")


def _refuse_header(blocks, header):
    """Yield the blocks; raise if the header occurs again in one of them."""
    for lines, columns in blocks:
        same = np.ones(len(lines), dtype=bool)
        for column, title in zip(columns, header.titles, strict=True):
            same &= column.map(title.__eq__)
        if same.any():
            raise header.faults.error(
                f"the header, {shown_list(header.titles)}, occurs again; if files were joined, "
                "keep only the first header",
                lines[same.argmax()],
            )
        yield lines, columns


def _without_header(cells, header, form):
    """Return the cells without the first row, if it is a header of unknown words above ids.

    A header above names looks like an answer, so a first row that may be a header is refused.
    """
    rest = slice(1, None)
    n_rest = len(cells.lines) - 1
    codes = [int(column[0]) for column in cells.columns.values()]
    below = np.unique(np.concatenate([column[rest] for column in cells.columns.values()]))
    hold_ids = holds_ids(cells, but_row=0 if n_rest else None)
    _, _, reasons = name_objects(cells, hold_ids)
    is_word = [code in reasons for code in codes]
    may_be_header = all(is_word) if hold_ids else not np.isin(codes, below).any()
    if may_be_header and (has_known_columns(header) or not n_rest):
        raise missing_columns(header, form)
    if may_be_header and not hold_ids:
        raise header.error(
            f"{shown_list(header.titles)} occur nowhere else and may be a header; add a first "
            f"line {', '.join(cells.columns)} above the names, or replace the header by it"
        )
    if may_be_header:
        return cells.take(rest)
    return cells
