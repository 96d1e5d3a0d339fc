"""Read the files of other programs: one module a program, which translates its columns.

A module defines a subclass of `Source`, and a table in `find` lists it. `find_source` recognizes a
file by its columns or its name.
"""

from closerthan_lab.files.sources.find import find_source, source_names
from closerthan_lab.files.sources.source import Rows, Source

__all__ = ["Rows", "Source", "find_source", "source_names"]
