"""Let a source translate the rows of a file."""

from itertools import chain

import numpy as np
import pandas as pd

from closerthan._core.shown import shown
from closerthan_lab.files.blocks import Column
from closerthan_lab.files.columns import Header, plain
from closerthan_lab.files.kinds import kind_of
from closerthan_lab.files.sources.source import Rows, each


def translated(source, header, blocks, path, form):
    """Return the header and the blocks of rows that a source makes of a file."""
    titles = [plain(title) for title in header.titles] if source.has_header else None
    groups = ([block] for block in blocks) if source.by_block else iter([blocks])
    frames = (_as_frame(group, titles) for group in groups)
    tables = (
        _translate(source, Rows(frame, path, header.faults, lines, form), header.own)
        for lines, frame in frames
    )
    lines, first = next(tables, ([], pd.DataFrame()))
    if first.empty:
        header.faults.finish(header.faults.n)
        raise header.faults.nothing_left(
            f"no row is an answer; it was taken for a file of {source.title}"
        )
    blocks = chain([(lines, first)], tables)
    return Header(list(first), None, header.faults), (_as_block(*block) for block in blocks)


def _translate(source, rows, own):
    """Return the lines of what a source makes of rows, and that, with the user's columns."""
    if rows.frame.empty:
        raise rows.faults.error("a header without answers; give at least one answer")
    try:
        table = source.translate(rows)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise rows.faults.error(
            f"it was taken for a file of {source.title}, but it has another structure "
            f"({type(error).__name__}: {error}); give source='table' to read it by its column names"
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


def _as_frame(blocks, titles):
    """Return the lines of blocks, and their rows as a table of texts."""
    lines, frames = [np.array([], dtype=int)], [pd.DataFrame()]
    for some, columns in blocks:
        table = {}  # the first of two columns with one name is used
        for name, column in zip(titles or range(len(columns)), columns, strict=True):
            cells, numbers = column or Column.blank(len(some))
            table.setdefault(name, np.fromiter(cells, object, len(cells))[numbers])
        lines.append(some)
        frames.append(pd.DataFrame(table, dtype=object))
    return np.concatenate(lines), pd.concat(frames[1:] or frames, ignore_index=True)


def _as_block(lines, table):
    """Return a table of texts as a block of rows."""
    columns = []
    for name in table:
        cells = table[name].tolist()
        is_list = any(isinstance(cell, list) for cell in cells)
        columns.append(Column(cells, np.arange(len(cells))) if is_list else Column.of_texts(cells))
    return lines, columns
