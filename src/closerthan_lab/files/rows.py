"""From the rows of a file to cells: what the columns mean, and which rows are read."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from closerthan._core.shown import shown, shown_list
from closerthan_lab.files.arrays import read_array
from closerthan_lab.files.cells import MISSING, gather, holds_ids, name_objects
from closerthan_lab.files.columns import (
    Header,
    find_columns,
    has_known_columns,
    in_order,
    missing_columns,
    names_a_form,
    refuse_unnamed,
)
from closerthan_lab.files.frames import factorized, frame_of, joined, mapped
from closerthan_lab.files.json_lines import read_json_lines
from closerthan_lab.files.parquet import read_parquet, read_stata
from closerthan_lab.files.places import place_picks, rank_candidates
from closerthan_lab.files.sources.find import TABLE, find_source
from closerthan_lab.files.sources.source import Source
from closerthan_lab.files.sources.translate import translated
from closerthan_lab.files.spreadsheets import NUMBER
from closerthan_lab.files.text import begins_as_json, read_text
from closerthan_lab.files.workbooks import read_workbook

_READERS = {
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".json": read_json_lines,
    ".parquet": read_parquet,
    ".pq": read_parquet,
    ".feather": read_parquet,
    ".dta": read_stata,
    ".npy": read_array,
    **dict.fromkeys([".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"], read_workbook),
}


@dataclass(frozen=True)
class Options:
    """Hold what the user says about a file; see :func:`~closerthan_lab.files.read_answers`.

    `only_comparisons` tells that three columns without names are triplets. `met` is a set in a
    folder: each file adds those of its participants who are left out.
    """

    source: str | Source | None = None
    form: str | None = None
    columns: dict = field(default_factory=dict)
    where: dict = field(default_factory=dict)
    without: Sequence = ()
    responses: dict = field(default_factory=dict)
    skip_bad_rows: bool = False
    only_comparisons: bool = False
    met: set | None = None

    @property
    def alone(self):
        """Tell whether a file is not one of a folder."""
        return self.met is None


def _reader(path):
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    return _READERS.get(suffixes[-1] if suffixes else "", read_text)


def read_cells(path, options, faults):
    """Return the cells of a file, the meaning of its columns, its source and words for places."""
    reader = _reader(path)
    if reader is read_text and begins_as_json(path, faults):
        reader = read_json_lines
    faults.unit = "line" if reader in (read_text, read_json_lines) else "row"
    with closing(reader(path, faults)) as blocks:
        head = next(blocks)
        header = Header(list(head.cells), head.line, faults, options.columns)
        name = TABLE if options.source is None and names_a_form(header) else options.source
        source = find_source(header, path, name)
        found = None if source else find_columns(header, options.form)
        if not source and found is None:
            cells, found = _of_table_in_order(head, header, blocks, options)
            words = options.responses
            return place_picks(cells, found, header, words, options.alone), found, None, words
        if options.where and source and not source.has_header:
            raise faults.error(f"where= needs names of columns; {source.title} has none")
        if source and not source.has_header and head.line is not None:
            blocks = chain([_first_row(head)], blocks)
        wanted = _wanted(header, options.where)
        used = range(len(header.titles)) if source else {*wanted, *chain(*found.places.values())}
        lines, frame = joined(blocks, used)
    if head.line is not None and not source:
        _refuse_header(lines, frame, header)
    if wanted:
        lines, frame = _only(lines, frame, wanted, header, options.where)
    words, own = dict(options.responses), None if source else header
    if source:
        header, lines, frame = translated(source, header, lines, frame, path, options.form, words)
        found = find_columns(header, options.form)
    if found is None:
        raise missing_columns(header, options.form)
    unused = [m for m, title in options.columns.items() if title is not None and m not in found]
    if unused:
        raise header.faults.error(
            f"columns= names {unused[0]}, which has no effect here; {found.form} do not use it"
        )
    if options.without:
        lines, frame = _without(lines, frame, header, found, options)
    if "pairs" in found:
        found = replace(found, names_pairs=_are_named(frame, found))
    cells = gather(lines, frame, found, faults, head.decimal_comma and not source)
    if "ranks" in found:
        found = rank_candidates(cells, found)
    return place_picks(cells, found, own, words, options.alone), found, source, words


def _are_named(frame, found):
    """Tell whether the best and the worst pair are told by their objects, not by numbers."""
    places = [place for meaning in ("best", "worst") for place in found.places[meaning]]
    cells = [str(cell).strip() for place in places for cell in factorized(frame[place])[0]]
    cells = [cell for cell in cells if cell not in MISSING]
    return 2 * sum(NUMBER.fullmatch(cell) is None for cell in cells) > len(cells)


def _of_table_in_order(head, header, blocks, options):
    """Return the cells and the columns of a table without known names of columns."""
    found, form, faults = in_order(header), options.form, header.faults
    may_be = head.line is not None or (faults.unit == "row" and not has_known_columns(header))
    others = options.columns or options.where or options.without
    if not may_be or others or not found or form not in (None, found.form):
        raise missing_columns(header, form)
    if form is None and has_known_columns(header) and not options.only_comparisons:
        raise missing_columns(header, form)
    if form is None and not has_known_columns(header):
        first = next(blocks, None)
        blocks = chain([] if first is None else [first], blocks)
        cells = [] if first is None else [factorized(column)[0] for _, column in first[1].items()]
        below = [set(map(str, some)) for some in cells]
        refuse_unnamed(header, below, options.only_comparisons)
    faults.note = (
        f"; {len(header.titles)} columns without known names are taken for "
        f"{', '.join(found.needed)}; if this is wrong, write a table whose first row names them"
    )
    if head.line is not None:
        blocks = chain([_first_row(head)], blocks)
    cells = gather(*joined(blocks, range(len(header.titles))), found, faults)
    return (cells if head.line is None else _without_header(cells, header, form)), found


def _first_row(head):
    return np.array([head.line]), frame_of([head.cells])


def _wanted(header, where):
    """Return the texts that rows must have, by the place of their column."""
    return {
        header.place(name, "where= names it"): str(text).strip() for name, text in where.items()
    }


def _only(lines, frame, wanted, header, where):
    """Return the rows that hold given texts."""
    keep = np.ones(len(lines), dtype=bool)
    for place, wish in wanted.items():
        keep &= mapped(frame[place], lambda cell, wish=wish: str(cell).strip() == wish, bool)
    if not keep.any():
        said = " and ".join(f"{shown(text)} in {shown(name)}" for name, text in where.items())
        raise header.faults.nothing_left(f"no row holds {said}; check where=")
    return lines[keep], frame[keep]


def _without(lines, frame, header, found, options):
    """Return the rows that are not of some participants."""
    if "participant" not in found:
        if not options.alone:  # the name of the file says who it is
            return lines, frame
        raise header.faults.error("no column of participants; without= cannot leave some out")
    people = mapped(frame[found.places["participant"][0]], lambda cell: str(cell).strip(), object)
    wanted = {str(name).strip() for name in options.without}
    met = set() if options.alone else options.met
    met.update(wanted.intersection(people))
    if options.alone and wanted - met:
        raise header.faults.error(f"no row is of {shown(min(wanted - met))}; check without=")
    keep = ~np.isin(people, list(wanted))
    if not keep.any():
        raise header.faults.nothing_left("no other participant is left; check without=")
    return lines[keep], frame[keep]


def _refuse_header(lines, frame, header):
    """Raise an error if the header occurs again as a row."""
    same = np.ones(len(lines), dtype=bool)
    for place in frame:
        same &= mapped(frame[place], header.titles[place].__eq__, bool)
    if same.any():
        raise header.faults.error(
            f"the header, {shown_list(header.titles)}, occurs again; if files were joined, "
            "keep only the first header",
            lines[same.argmax()],
        )


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
    return cells.take(rest) if may_be_header else cells
