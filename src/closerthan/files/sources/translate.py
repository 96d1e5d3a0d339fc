"""Let a source translate the rows of a file."""

from itertools import chain

import numpy as np
import pandas as pd

from closerthan.files.blocks import Column
from closerthan.files.columns import Header, plain
from closerthan.files.faults import shown
from closerthan.files.kinds import kind_of
from closerthan.files.sources.source import Rows


def translated(source, header, blocks, path, form):
    """Return the header and the blocks of rows that a source makes of a file."""
    titles = [plain(title) for title in header.titles] if source.has_header else None
    groups = ([block] for block in blocks) if source.by_block else iter([blocks])
    frames = (_as_frame(group, titles) for group in groups)
    tables = (
        _translate(source, Rows(frame, path, header.faults, form), header.own) for frame in frames
    )
    first = next(tables, pd.DataFrame())
    if first.empty:
        header.faults.finish(header.faults.n)
        raise header.faults.error(f"no row is an answer; it was taken for a file of {source.title}")
    return Header(list(first), None, header.faults), map(_as_block, chain([first], tables))


def _translate(source, rows, own):
    """Return what a source makes of rows, with the columns that the user named."""
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
        elif isinstance(name, str) and plain(name) in rows.frame:
            table = table.assign(**{meaning: rows.frame[plain(name)]})
        else:
            raise rows.faults.error(f"there is no column {shown(name)} (columns= names it)")
    return _with_checks(table)


def _with_checks(table):
    """Return a table in which a question that shows its anchor again is a check trial."""
    if not {"anchor", "first", "second"} <= set(table):
        return table
    anchor, kind = table["anchor"], table.get("kind", "")
    shown = (anchor == table["first"]) | (anchor == table["second"])
    table = table.assign(kind=kind)
    is_answer = table["kind"].map(kind_of).isna()
    return table.assign(kind=table["kind"].mask(shown & is_answer, "check"))


def _as_frame(blocks, titles):
    """Return the rows of blocks as a table of texts, with their lines as index."""
    frames = []
    for lines, columns in blocks:
        table = {}
        for place, column in enumerate(columns):
            name = place if titles is None else titles[place]
            if name in table:  # the first of two columns with one name is used
                continue
            column = column or Column([""], np.zeros(len(lines), dtype=int))
            cells = np.fromiter(column.cells, dtype=object, count=len(column.cells))
            table[name] = cells[column.numbers]
        frames.append(pd.DataFrame(table, index=lines))
    return pd.concat(frames) if frames else pd.DataFrame()


def _as_block(table):
    """Return a table of texts as a block of rows."""
    columns = []
    for name in table:
        cells = table[name].tolist()
        is_list = any(isinstance(cell, list) for cell in cells)
        columns.append(Column(cells, np.arange(len(cells))) if is_list else Column.of_texts(cells))
    return table.index.to_numpy(), columns
