"""Answers from a file that people made: columns by name, ids or names, faults by line."""

import stat
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from closerthan._core.typing import StrPath
from closerthan._core.validation import check_word
from closerthan.comparisons.answers import Answers
from closerthan.files.assemble import assemble, place_objects, refuse_rows
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
    """Answers as a file holds them.

    Attributes
    ----------
    answers : Answers
        With ids from 0, which index the names.
    names : ndarray of str, shape (n_objects,)
        Of the objects, sorted; where the file holds ids, these as text, sorted as numbers.
    lines : ndarray of int64, shape (n_screens,)
        The line of the file in which each screen begins, from 1; of a Parquet file the row, from 0.
    form : str
        What was asked, such as "triplets" or "odd-one-out".
    skipped : list of (int, str)
        The lines that were left out, and why.
    path : Path or None
        Where it was read from.
    ignored : list of str
        The columns whose names mean nothing here.
    place : ndarray of int64, shape (n_screens,), or None
        Where on its screen the object that was picked stood in the file, from 0, and -1 where
        nothing, or more than one, was; None for forms that do not tell.
    has_header : bool
        Whether the file names its columns; else they were taken in their order.
    holds_ids : bool
        Whether objects are ids in the file, and their names these as text.
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
        """What `lines` counts: "line" of a text, from 1, or "row" of a table, from 0."""
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
    responses: dict[str, str] | None = None,
    skip_bad_rows: bool = False,
) -> AnswerTable:
    """Read answers of people, of whatever form, from a file.

    The file's first row names its columns, and these tell the form: `anchor`, `near` and `far` are
    triplets, `object_1`, `object_2`, `object_3` and `odd` are odd ones out, and so on; see
    `describe_columns` and `describe_names`, which show all. Case, blanks, hyphens and
    underscores do not matter, nor does the order of the columns. Without such names, three columns
    are triplets and four are quadruplets.

    Objects are ids, if most cells hold numbers, or names. Ids are whole numbers from 0, none of
    which needs to be there. Several objects, such as the candidates of a choice, stand in columns
    with numbers, `candidate_1`, `candidate_2`, ..., shorter rows being empty at the end, or in one
    column, `candidates`, with ``|`` between them. Every form may have columns `participant`, `time`
    in seconds, `weight`, and `votes`, which are as many answers.

    The path's end says what the file is: ``.parquet``; ``.jsonl``, ``.ndjson`` or ``.json`` for
    JSON lines, an object in each; any other is text, with commas, semicolons, tabs or blanks
    between the cells. Text is UTF-8, or what a byte-order mark says; one that ends in ``.gz`` is
    decompressed. Ten million triplets of ids take 0.9 GB and about a
    quarter of a minute.

    Parameters
    ----------
    path : str or path-like
    form : str, default=None
        "triplets", "quadruplets", "odd-one-out", "most-central", "choices", "rankings",
        "best-worst", "responses" or "votes"; None: what the columns say.
    columns : dict of str to str, default=None
        The file's own names of columns, such as ``{"anchor": "stimulus"}``; for several objects a
        list of names. None for a name says that the column is not used.
    where : dict of str to str, default=None
        Which rows count: those that hold, in a column of that name, that text; of a column of
        whatever name, such as ``{"group": "expert"}``.
    responses : dict of str to str, default=None
        What the file's own words for responses mean, each "first", "second" or "neither":
        ``{"0": "first", "1": "second"}``. None: these words, left, right and tie, or 1, -1 and 0.
    skip_bad_rows : bool, default=False
        Whether rows with a fault are left out, and listed; otherwise the first is an error.

    Returns
    -------
    AnswerTable

    Raises
    ------
    ValueError
        For a row with a fault, such as a missing value or an odd one out that was not shown: the
        message names the file, the line, the column and the value, and how many more rows have
        faults. With `skip_bad_rows` only if more than half of them have. Always for a file that is
        no table of answers.
    OSError
        For a file that is not there or may not be read.

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
    faults = Faults(path, skip_bad_rows)
    with _named_errors(path):
        _refuse_other_than_files(path, faults)
        cells, found = _read_cells(path, form, columns, where or {}, faults)
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
    """Let an error of the operating system begin with the path, as all others do."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file") from None
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(f"{path}: it cannot be read ({error.strerror})") from None


def _refuse_other_than_files(path, faults):
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise faults.error("a folder, not a file")
    if not stat.S_ISREG(mode):
        raise faults.error("no regular file")


def _reader(path):
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    return _READERS.get(suffixes[-1] if suffixes else "", read_text)


def _read_cells(path, form, columns, where, faults):
    """Return the cells of the file, and what its columns mean."""
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
            blocks = _only(blocks, header, where)
            return gather(blocks, found, faults, head.decimal_comma), found
        found = in_order(header)
        may_be = head.line is not None or (reader is read_parquet and not has_known_columns(header))
        if not may_be or columns or where or not found or form not in (None, found.form):
            raise missing_columns(header, form)
        faults.note = (
            f"; {len(header.titles)} columns without known names are taken for "
            f"{', '.join(found.needed)}, unless a first row names them"
        )
        if head.line is None:
            return gather(blocks, found, faults), found
        first = np.array([head.line]), [[cell] for cell in head.cells]
        cells = gather(chain([first], blocks), found, faults)
        return _without_header(cells, header, form), found


def _only(blocks, header, where):
    """Pass on the rows of blocks that hold some texts."""
    wanted = [
        (header.place(name, "where= names"), str(text).strip()) for name, text in where.items()
    ]
    any_left = not where
    for lines, columns in blocks:
        rows = range(len(lines))
        for place, text in wanted:
            column = columns[place] if columns[place] is not None else [""] * len(lines)
            rows = [row for row in rows if str(column[row]).strip() == text]
        if where and rows:
            some = [None if column is None else [column[row] for row in rows] for column in columns]
            lines, columns, any_left = lines[list(rows)], some, True
        if not where or rows:
            yield lines, columns
    if not any_left:
        said = " and ".join(f"{shown(text)} in {shown(name)}" for name, text in where.items())
        raise header.faults.error(f"no row holds {said}")


def _refuse_header(blocks, header):
    """Pass blocks on, and raise if the header is in one of them."""
    for lines, columns in blocks:
        if header.titles[0] in columns[0]:
            for line, row in zip(lines, zip(*columns, strict=True), strict=True):
                if list(row) == header.titles:
                    raise header.faults.error(
                        f"{shown_list(header.titles)}, the header, is here again; where files were "
                        "joined, keep that of the first alone",
                        line,
                    )
        yield lines, columns


def _without_header(cells, header, form):
    """Return the cells without the first row, if it is a header of other words above ids.

    Above names a header looks like an answer, so that one which may be a header is refused.
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
            f"{shown_list(header.titles)} occur nowhere else and may be a header; write "
            f"{', '.join(cells.columns)} above the names"
        )
    if may_be_header:
        return cells.take(rest)
    return cells
