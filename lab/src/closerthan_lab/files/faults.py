"""Collect the rows of a file that cannot be read: raise the first, or list them all."""

import numpy as np


class NothingLeftError(ValueError):
    """A file has no answers, or none that are left; others may lie beside it."""


class Faults:
    """Collect the faulty rows of a file, each with its line and a sentence.

    If `keep` is True, all are listed, to be left out. If not, only the first is kept, and `n`
    counts them. `unit` is the name of a row: "line" of a text, from 1, or "row" of a table.
    """

    def __init__(self, path, keep=False):
        self.path, self.keep = path, keep
        self.unit = "line"
        self.n = 0
        self.listed = []

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
        if not self.n:
            return []
        self.listed.sort(key=lambda fault: fault[0])
        (line, sentence), n = self.listed[0], self.n - 1
        many = 2 * self.n > n_rows
        if not self.keep:
            if n:
                sentence += f"; {n:,} more {'row has a fault' if n == 1 else 'rows have faults'}"
            end = "" if many else f"; skip_bad_rows=True leaves {'them' if n else 'it'} out"
            raise self.error(sentence + end, line)
        if many:
            start = f"{self.n:,} of {n_rows:,} rows have faults, too many to leave them out"
            raise self.error(f"{start}; {self.unit} {line}: {sentence}")
        return self.listed
