"""Read people's answers from a file: columns by name, ids or names, and faults by line."""

import stat
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from closerthan._core.typing import StrPath
from closerthan._core.validation import check_word
from closerthan.comparisons.answers import Answers
from closerthan_lab.files.assemble import assemble, place_objects, refuse_rows
from closerthan_lab.files.cells import holds_ids, name_objects
from closerthan_lab.files.columns import FORMS, main_name
from closerthan_lab.files.faults import Faults
from closerthan_lab.files.folders import files_within, join
from closerthan_lab.files.kinds import without_others
from closerthan_lab.files.rows import Options, read_cells
from closerthan_lab.files.sources.source import MEDIA, Source, is_medium
from closerthan_lab.files.values import check_responses, read_values


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
    path: StrPath,
    *,
    source: str | Source | None = None,
    form: str | None = None,
    columns: dict[str, str] | None = None,
    where: dict[str, str] | None = None,
    without: Sequence[str] = (),
    responses: dict[str, str] | None = None,
    skip_bad_rows: bool = False,
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

    Check trials, practice and questions without an answer are left out and counted.

    Objects are ids if most cells hold numbers, and names if not. Ids are whole numbers from 0; ids
    may be missing in between. Every form may have the columns `participant`, `time` (in seconds),
    `weight`, and `votes` (the number of equal answers). The page :doc:`answer files
    </answer-files>` explains numbered columns, the kinds of files, and folders with a file for each
    participant. Ten million triplets of ids take 0.9 GB and about five seconds.

    Parameters
    ----------
    path : str or path-like
        A file, a folder or a .zip archive.
    source : {"jspsych", "meadows", "next", "psiz", "psychopy", "salmon", "spose", \
"three-choices", "triplet-tools", "table"} or Source, default None
        The program that wrote the file; "table" for a table. Files of Meadows are refused. It may
        be a `closerthan_lab.files.sources.Source` of your own. None recognizes all except "spose".
    form : {"triplets", "quadruplets", "odd-one-out", "most-central", "choices", "rankings", \
"best-worst", "responses", "votes"}, default None
        None takes the form that the columns tell.
    columns : dict of str to str, default None
        The file's own column names, such as ``{"anchor": "stimulus"}``; a list of names for
        several objects. None in place of a name means that the column is not used.
    where : dict of str to str, default None
        Keep only rows with this text in this column, such as ``{"group": "expert"}``. The column
        may have any name.
    without : sequence of str, default ()
        Participants whose rows are left out.
    responses : dict of str to str, default None
        The meaning of the file's own words for responses: a place such as "first", "neither", or
        "unanswered" for no answer. Example: ``{"0": "first", "1": "second"}``. None allows these
        words, others such as left, right, yes, no and tie, or 1, -1 and 0.
    skip_bad_rows : bool, default False
        Whether rows with a fault are left out and listed. If not, the first fault is an error.

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
    path = Path(path)
    if form is not None:
        check_word("form", form, FORMS)
    without = [without] if isinstance(without, str) else without
    columns = {main_name(name): title for name, title in (columns or {}).items()}
    options = Options(
        source, form, columns, where or {}, without, check_responses(responses), skip_bad_rows
    )
    return read_table(path, options)


def read_table(path, options):
    """Return the answers of a file, a folder or a zip archive."""
    with _named_errors(path):
        error = Faults(path).error
        files, others = files_within(path, error)
        if files is None:
            return _with_short_names(_read_file(path, options))
        table = join(files, others, _read_file, options, error)
        return replace(_with_short_names(table), path=path)


def _read_file(path, options):
    """Return the answers of one file, which may be in a zip archive."""
    faults = Faults(path, options.skip_bad_rows)
    if isinstance(path, Path) and not stat.S_ISREG(path.stat().st_mode):
        raise faults.error("this is not a regular file")
    cells, found, source, words = read_cells(path, options, faults)
    cells, left_out, checks = without_others(cells, words)
    n_rows = int(cells.good.sum()) + faults.n
    ties = read_values(cells, found, words)
    hold_ids = holds_ids(cells)
    names, numbers, reasons = name_objects(cells, hold_ids, ties)
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
        [] if source else found.ignored,
        place if source is None or source.has_places else None,
        has_sides=source.has_sides if source else found.sides,
        has_header=found.named,
        holds_ids=bool(hold_ids),
        source=source.title if source else "table",
        left_out=left_out,
        checks=checks,
        unit=faults.unit,
    )


def _with_short_names(table):
    """Return the table of a program's file with names of files without folders and endings."""
    if table.source == "table" or table.holds_ids:
        return table
    names, place = np.unique(short_names(table.names.tolist()), return_inverse=True)
    comparisons = place[table.answers.comparisons]
    return replace(table, names=names, answers=replace(table.answers, comparisons=comparisons))


def short_names(names: list[str]) -> list[str]:
    """Return the names of files without folders and endings, unless two become the same.

    Examples
    --------
    >>> short_names(["a/b.png", "c"]), short_names(["a/b.png", "c/b.png"])
    (['b', 'c'], ['a/b.png', 'c/b.png'])
    """
    short = [MEDIA.sub("", name).rpartition("/")[2] if is_medium(name) else name for name in names]
    return short if len(set(short)) == len(set(names)) else names


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
