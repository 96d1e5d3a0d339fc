"""Collect the rows of a file that cannot be read: raise the first, or list them all."""

import numpy as np


class NothingLeftError(ValueError):
    """A file has no answers, or none that are left; others may lie beside it."""


class Faults:
    """Collect the faulty rows of a file, each with its line and a sentence.

    If `keep` is True, all are listed, to be left out. If not, only the first is kept, and `n`
    counts them. `unit` is the name of a row: "line" of a text, from 1, or "row" of a table.
    `note` is added to the sentence of each row, for example how the file was read.
    """

    def __init__(self, path, keep=False):
        self.path, self.keep = path, keep
        self.unit = "line"
        self.n = 0
        self.listed = []
        self.note = ""

    def error(self, sentence, line=None):
        """Return the error for a fault of the whole file, or of one line."""
        place = f"{self.path}" if line is None else f"{self.path}, {self.unit} {line}"
        return ValueError(f"{place}: {sentence}")

    def nothing_left(self, sentence, line=None):
        """Return the error for a file without answers, which does not block those beside it."""
        return NothingLeftError(self.error(sentence, line))

    def add(self, line, sentence):
        """Note one faulty row."""
        self.n += 1
        if self.keep:
            self.listed.append((int(line), sentence))
        elif not self.listed or line < self.listed[0][0]:
            self.listed = [(int(line), sentence)]

    def add_where(self, bad, lines, describe):
        """Note the rows where `bad` holds; ``describe(row)`` returns the sentence of a row."""
        rows = np.flatnonzero(bad)
        if len(rows) and not self.keep:  # one sentence is enough, for millions of rows
            self.n += len(rows) - 1
            rows = rows[:1]
        for row in rows:
            self.add(lines[row], describe(row))

    def finish(self, n_rows):
        """Return the rows to leave out; raise if they are errors or too many."""
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
        """Return the end of the sentence about the first faulty row."""
        n = self.n - 1
        rows = (
            "" if not n else f"; {n:,} more {'row has a fault' if n == 1 else 'rows have faults'}"
        )
        if 2 * self.n > n_rows or self.note:  # leaving rows out would hide a wrong guess
            return rows + self.note
        return f"{rows}; skip_bad_rows=True leaves {'them' if n else 'it'} out"
