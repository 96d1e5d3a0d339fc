"""Rows of a file that cannot be read: the first is raised, or all are listed and left out."""

import numpy as np

_SHOWN = 40  # characters of a value


class Faults:
    """The faulty rows of a file, each with its line and a sentence.

    Parameters
    ----------
    path : path-like
    keep : bool
        Whether all are listed, to be left out; otherwise only the first is known, and their number.

    Attributes
    ----------
    unit : str
        What a row is called: "line", from 1, of a text; "row", from 0, of a table.
    n : int
    listed : list of (int, str)
    note : str
        What is to be known of every row, such as how it was read; the end of the sentence.
    """

    def __init__(self, path, keep):
        self.path, self.keep = path, keep
        self.unit = "line"
        self.n = 0
        self.listed = []
        self.note = ""

    def error(self, sentence, line=None):
        """Return the error for a fault of the file as a whole, or of one line of it."""
        place = f"{self.path}" if line is None else f"{self.path}, {self.unit} {line}"
        return ValueError(f"{place}: {sentence}")

    def add(self, line, sentence):
        """Note a faulty row."""
        self.n += 1
        if self.keep:
            self.listed.append((int(line), sentence))
        elif not self.listed or line < self.listed[0][0]:
            self.listed = [(int(line), sentence)]

    def add_where(self, bad, lines, describe):
        """Note the rows for which `bad` holds; ``describe(row)`` is the sentence of one."""
        rows = np.flatnonzero(bad)
        if len(rows) and not self.keep:  # one sentence is enough, for millions of rows
            self.n += len(rows) - 1
            rows = rows[:1]
        for row in rows:
            self.add(lines[row], describe(row))

    def finish(self, n_rows):
        """Raise for the first fault, if rows must not be left out, or most of them would be.

        Returns the list of those that are left out.
        """
        self.listed.sort(key=lambda fault: fault[0])
        if not self.n:
            return []
        line, sentence = self.listed[0]
        if not self.keep:
            raise self.error(sentence + self._end(n_rows), line)
        if 2 * self.n > n_rows:
            raise self.error(
                f"{self.n:,} of {n_rows:,} rows have faults, too many to leave them out; "
                f"{self.unit} {line}: {sentence}{self.note}"
            )
        return self.listed

    def _end(self, n_rows):
        """Return the end of a sentence about the first of the faulty rows."""
        others = _others(self.n - 1) + self.note
        if 2 * self.n > n_rows:
            return others
        return f"{others}; skip_bad_rows=True leaves {'it' if self.n == 1 else 'them'} out"


def _others(n):
    """Return the end of a sentence that says how many more rows have faults."""
    return "" if n == 0 else f"; {n:,} more {'row has a fault' if n == 1 else 'rows have faults'}"


def shown(value):
    """Return a value as an error message shows it, on one line, of a long one the beginning.

    Examples
    --------
    >>> print(shown("Zürich"), shown("x" * 50))
    'Zürich' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'...
    """
    text = str(value)
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."


def shown_list(values, most=8):
    """Return some values as an error message shows them, the first few.

    Examples
    --------
    >>> print(shown_list("abc"))
    'a', 'b', 'c'
    """
    values = list(values)
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(shown(value) for value in values[:most]) + more
