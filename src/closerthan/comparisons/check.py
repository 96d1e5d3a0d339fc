"""Check triplets and quadruplets, and describe a fault."""

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.shown import shown, shown_list
from closerthan._core.validation import are_whole, as_numbers, check_count, refuse_entries

HEADERS = {3: ("anchor", "near", "far"), 4: ("near_1", "near_2", "far_1", "far_2")}
PER_SCREEN = ("participant", "time", "weight")
NO_ID = "is not an object id; ids are whole numbers from 0"
_MANY = 10**6  # objects; beyond this, at most ten for each id in the comparisons
_ROWS = 2**14  # rows checked at once, so that they stay in the cache


def check_comparisons(
    comparisons: ArrayLike,
    n_objects: int | None = None,
    *,
    source: str = "comparisons",
    dtype: type = np.int64,
) -> np.ndarray:
    """Check triplets or quadruplets and return them as an integer array.

    Raise a ValueError if the input is empty, has a wrong shape, or holds a value that is not an id
    or an id out of range; if a triplet names an object twice; if a quadruplet pairs an object with
    itself or holds the same pair twice; if a table has other columns. The message names the source,
    the row (from 0) and the value.

    Parameters
    ----------
    comparisons : array_like of shape (n_comparisons, 3) or (n_comparisons, 4)
        Triplets (i, j, k) or quadruplets (i, j, l, k): lists, an array of whole numbers of any
        numeric type, or a DataFrame without other columns. The columns of quadruplets are
        ``near_1``, ``near_2``, ``far_1``, ``far_2``, or ``i``, ``j``, ``l``, ``k``, or numbers.
    n_objects : int, optional
        The number of objects; each id must be smaller. None allows any id from 0.
    source : str, default "comparisons"
        The name of the input in error messages, such as the name of a file.
    dtype : integer type, default int64
        Type of the result. The ids must fit into it.

    Returns
    -------
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4)
        C-contiguous. An input that is already a C-contiguous array of integers of this size is not
        copied, so it may be memory-mapped and larger than memory.

    Examples
    --------
    >>> check_comparisons([[0, 1, 2], [2, 1, 0]], n_objects=3)
    array([[0, 1, 2],
           [2, 1, 0]])
    >>> check_comparisons([[0, 1, 2], [3, 3, 5]])
    Traceback (most recent call last):
    ...
    ValueError: comparisons, row 1: (3, 3, 5) names object 3 twice; the three objects of a triplet
    must differ
    """
    check_count("n_objects", n_objects, optional=True)
    table = _as_table(comparisons, source)
    same = _without_copy(table, np.dtype(dtype))
    checked = np.empty(table.shape, dtype) if same is None else same
    for start, rows in _checked(table, n_objects, source, dtype):
        if same is None:
            checked[start : start + len(rows)] = rows
    return checked


def check_blocks(comparisons, n_objects=None):
    """Check comparisons like `check_comparisons`, and yield them in blocks of rows."""
    source = "comparisons"
    for _, rows in _checked(_as_table(comparisons, source), n_objects, source, np.int64):
        yield np.ascontiguousarray(rows, dtype=np.int64)


def check_triplets(triplets, n_objects=None, *, source="triplets", why=""):
    """Return checked comparisons if all are triplets; the message for others ends with `why`."""
    triplets = check_comparisons(triplets, n_objects, source=source)
    if triplets.shape[1] != 3:
        raise ValueError(
            f"{source}: shape {triplets.shape}; expected (n, 3), only triplets are allowed here"
            + (f": {why}" if why else "")
        )
    return triplets


def _checked(table, n_objects, source, dtype):
    """Yield blocks of rows, each checked, with the number of its first row."""
    n_ids = int(np.iinfo(dtype).max) + 1  # that fit into the type
    n_ids = n_ids if n_objects is None else min(n_objects, n_ids)
    for start in range(0, len(table), _ROWS):
        rows = table[start : start + _ROWS]
        if fault := find_fault(rows, n_ids):
            row, message = fault
            raise ValueError(f"{source}, row {start + row}: {message}")
        yield start, rows


def _without_copy(table, dtype):
    """Return the table, or a view of it, as an array of this type; None if that needs a copy."""
    if table.dtype == dtype and table.flags.c_contiguous:
        return table
    same_size = (np.dtype(f"i{dtype.itemsize}"), np.dtype(f"u{dtype.itemsize}"))
    return table.view(dtype) if table.dtype in same_size and table.flags.c_contiguous else None


def _as_table(comparisons, source):
    """Return a numeric array of shape (n, 3) or (n, 4), n > 0."""
    _check_columns(comparisons, source)
    table = as_numbers(comparisons, source, NO_ID)
    if table.ndim and len(table) == 0:
        raise ValueError(f"{source}: empty; give at least one comparison")
    if table.ndim != 2 or table.shape[1] not in (3, 4):
        raise ValueError(
            f"{source}: shape {table.shape}; expected (n, 3) for triplets or (n, 4) for quadruplets"
        )
    return table


def _check_columns(table, source):
    """Refuse a table with columns that are no objects of a comparison, or in another order."""
    columns = getattr(table, "columns", ())
    names = [name.strip().casefold() for name in columns if isinstance(name, str)]
    wanted = HEADERS.get(len(names), ())
    strange = len(names) == 4 and tuple(names) not in (wanted, tuple("ijlk"))
    strange |= bool({*names} & {*PER_SCREEN, "screen", "repeat"})
    moved = any(name in wanted and name != at for name, at in zip(names, wanted, strict=False))
    if strange or moved:
        raise ValueError(
            f"{source}: the columns are {shown_list(names)}; give the objects alone, in the order "
            'of table[["anchor", "near", "far"]] or of "near_1", "near_2", "far_1", "far_2", and '
            "people, times and weights to Answers; table.to_numpy() is read as it is"
        )


def find_fault(table, n_objects=None):
    """Return (row, message) for the first kind of fault that a numeric table has, or None."""
    if fault := _not_whole(table):
        return fault
    if table.dtype.kind == "f":
        table = table.astype(np.float64, copy=False)  # a narrow type may not hold the limit
    return _out_of_range(table, n_objects) or _first_degenerate(table)


def _not_whole(table):
    whole = are_whole(table)
    if whole.all():
        return None
    row, column = np.argwhere(~whole)[0]
    return row, f"{shown(table[row, column])} {NO_ID}"


def _out_of_range(table, n_objects):
    limit = 2**63 if n_objects is None else n_objects
    if table.min() >= 0 and table.max() < limit:
        return None
    row, column = np.argwhere((table < 0) | (table >= limit))[0]
    value = int(table[row, column])
    shown = _show(table[row])
    if value < 0:
        return row, f"{shown} has the negative id {value}; ids are whole numbers from 0"
    return row, f"{shown} has the id {value}; allowed are 0 to {limit - 1}"


def _first_degenerate(table):
    found = [(int(bad.argmax()), rule) for rule, bad in degenerate(table).items() if bad.any()]
    if not found:
        return None
    row, rule = min(found, key=lambda fault: fault[0])
    ids = table[row].astype(int).tolist()
    if len(ids) == 3:
        what = f"names object {max(ids, key=ids.count)} twice"
    elif ids[0] == ids[1] or ids[2] == ids[3]:
        what = f"pairs object {ids[0] if ids[0] == ids[1] else ids[2]} with itself"
    else:
        what = "compares a pair with itself"
    return row, f"{_show(ids)} {what}; {rule}"


def degenerate(table):
    """Return which rows compare an object or a pair with itself, by the rule against it."""
    if table.shape[1] != 4:
        return {"the three objects of a triplet must differ": hold_twice(table)}
    i, j, l, k = table.T
    same = ((i == l) & (j == k)) | ((i == k) & (j == l))
    return {
        "the objects of a pair must differ": (i == j) | (l == k),
        "the two pairs of a quadruplet must differ": same,
    }


def hold_twice(rows, fill=-1):
    """Tell which rows hold a number twice; `fill`, which fills up short rows, does not count."""
    if rows.shape[1] == 3 and rows.min() > fill:  # without sorting, for millions of triplets
        i, j, k = rows.T
        return (i == j) | (i == k) | (j == k)
    ordered = np.sort(rows, axis=1)
    return ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != fill)).any(axis=1)


def _show(row):
    return f"({', '.join(str(int(object_id)) for object_id in row)})"


def count_objects(comparisons, n_objects=None, first=0, most=None):
    """Return how many objects there are from id `first` on; refuse far more than the rows name.

    If `most` is given, refuse more than that in all.
    """
    if n_objects is not None:
        return n_objects
    n_objects = int(comparisons.max()) + 1
    limit = most or first + max(_MANY, 10 * comparisons.size)
    way_out = "or set n_objects if there are so many" if most is None else "or embed them"
    rule = (
        f"is an id that takes {n_objects:,} rows of memory; number the objects from 0 without "
        f"gaps, as np.unique(comparisons, return_inverse=True)[1] does, {way_out}"
    )
    refuse_entries(comparisons >= limit, comparisons, "comparisons", rule)
    return n_objects - first


def refuse_weights(given):
    """Raise a ValueError for `Answers` whose weights differ, where weights have no effect."""
    weight = getattr(given, "weight", np.ones(1))
    if (weight != weight[0]).any():
        raise ValueError(
            "weight: these answers have different weights, which have no effect here; give "
            "answers.comparisons to count each comparison once"
        )


def exchange(comparisons):
    """Return the comparisons with the opposite answer: exchange the nearer and the farther pair."""
    return comparisons[:, [0, 2, 1] if comparisons.shape[1] == 3 else [2, 3, 0, 1]]


def exchange_where(comparisons, rows):
    """Return the comparisons with the opposite answer in some rows, which are given as bools."""
    return np.where(rows[:, None], exchange(comparisons), comparisons)


def pair_columns(comparisons):
    """Return the columns i, j, l, k of an array of comparisons; in a triplet l is i."""
    i, j, *others = comparisons.T
    return (i, j, i, *others) if len(others) == 1 else (i, j, *others)


def without_gaps(comparisons, n_objects):
    """Number the objects that occur from 0 on; return the comparisons and the former ids."""
    occurs = np.zeros(n_objects, dtype=bool)
    for column in comparisons.T:
        occurs[column] = True
    ids = np.flatnonzero(occurs)
    if len(ids) < n_objects:
        row_of = np.zeros(n_objects, dtype=np.uint32)
        row_of[ids] = np.arange(len(ids))
        comparisons = row_of[comparisons]
    return comparisons, ids
