"""Let a source translate the rows of a file."""

import re

import pandas as pd

from closerthan._core.shown import shown, shown_list
from closerthan_lab.files.columns import OTHERS, Header, plain
from closerthan_lab.files.kinds import kind_of
from closerthan_lab.files.sources.source import Rows, each


def translated(source, header, lines, frame, path, form, words):
    """Return the header, the lines and the table of rows that a source makes of a file.

    `words` are the user's words for places on the screen; a source removes those that it heeds.
    """
    titles = [plain(title) for title in header.titles] if source.has_header else frame.columns
    frame = frame.astype(object).set_axis(titles, axis="columns")
    frame = frame.loc[:, ~frame.columns.duplicated()]  # the first of two of one name is used
    rows = Rows(frame.where(frame.notna(), ""), path, header.faults, lines, form, words)
    lines, table = _translate(source, rows, header.own)
    if table.empty:
        header.faults.finish(header.faults.n)
        raise header.faults.nothing_left(
            f"no row is an answer; it was taken for a file of {source.title}"
        )
    return (
        Header(list(table), None, header.faults),
        lines,
        table.set_axis(range(table.shape[1]), axis=1),
    )


def _translate(source, rows, own):
    """Return the lines of what a source makes of rows, and that, with the user's columns."""
    if rows.frame.empty:
        raise rows.faults.error("a header without answers; give at least one answer")
    try:
        table = source.translate(rows)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        what = f"{type(error).__name__}: {error}"
        if isinstance(error, KeyError):
            missing = re.findall(r"'([^']+)'", str(error))
            what = f"it lacks {shown_list(missing)}"
        raise rows.faults.error(
            f"it was taken for a file of {source.title}, but it has another structure ({what}); "
            "give source='table' to read it by its column names"
        ) from None
    except ValueError as error:
        if own.keys() <= OTHERS.keys():
            raise
        raise type(error)(
            f"{error}; to read it as a table by your columns=, name all columns of a form there"
        ) from None
    for meaning, name in own.items():
        if name is None:
            table = table.drop(columns=meaning, errors="ignore")
        elif not isinstance(name, str):
            raise rows.faults.error(
                f"columns= names several columns for {meaning}, but a file of {source.title} takes "
                "one; give source='table' to read it by its column names"
            )
        elif plain(name) in rows.frame:
            table = table.assign(**{meaning: rows.frame[plain(name)]})
        else:
            raise rows.faults.error(f"there is no column {shown(name)} (columns= names it)")
    return rows.lines[table.index], _with_checks(table)


def _with_checks(table):
    """Return a table in which a question that shows its anchor again is a check trial."""
    if not {"anchor", "first", "second"} <= set(table):
        return table
    again = (table["first"] == table["anchor"]) | (table["second"] == table["anchor"])
    kind = table["kind"] if "kind" in table else pd.Series("", table.index, object)
    is_answer = each(kind, lambda text: kind_of(text) is None, bool)
    return table.assign(kind=kind.mask(again & is_answer, "check"))
