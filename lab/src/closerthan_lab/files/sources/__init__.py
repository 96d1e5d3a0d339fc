"""Read the files of other programs: a subclass of `Source` translates the columns of a program.

Most programs are a row of a table in `programs`; a few have a module. `find_source` recognizes a
file by its columns or its name.
"""

from closerthan_lab.files.sources.find import find_source, source_names
from closerthan_lab.files.sources.source import Rows, Source

__all__ = ["Rows", "Source", "find_source", "source_names"]
