"""The one file of a ZIP archive that is already in memory; nothing is written to disk."""

import re
import stat
from io import BytesIO
from zipfile import ZipFile

from closerthan.datasets.tables import reason
from closerthan.files.faults import shown


def read_member(content, source, *, max_bytes):
    """Return the content of the only file in a ZIP archive.

    What macOS adds of its own, in a folder ``__MACOSX``, is left alone.

    Parameters
    ----------
    content : bytes
        The archive, after its checksum was verified.
    source : str
        The name of the archive, for errors.
    max_bytes : int
        The size that the file may have.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If it is no such archive, holds anything but one regular file without a folder, or if that
        file is larger than it may be.

    Examples
    --------
    >>> from io import BytesIO
    >>> from zipfile import ZipFile
    >>> stream = BytesIO()
    >>> with ZipFile(stream, "w") as archive:
    ...     archive.writestr("a.csv", "1,2")
    >>> read_member(stream.getvalue(), "a.csv.zip", max_bytes=3)
    b'1,2'
    """
    archive = _attempt(lambda: ZipFile(BytesIO(content)), source)
    member = _only_member(archive, source)
    if member.file_size > max_bytes:
        raise ValueError(
            f"{source}: {member.filename} has {member.file_size} bytes, "
            f"expected at most {max_bytes}"
        )
    # Without a size it would be unpacked whole, whatever size the archive declares.
    return _attempt(lambda: archive.open(member).read(max_bytes + 1), source)


def _attempt(read, source):
    try:
        return read()
    except Exception as error:  # which one a damaged archive raises depends on the place
        raise ValueError(f"{source}: cannot be read as a ZIP archive ({reason(error)})") from error


def _only_member(archive, source):
    members = [m for m in archive.infolist() if not m.filename.startswith("__MACOSX/")]
    if len(members) != 1:
        raise ValueError(f"{source}: holds {shown(archive.namelist())}, expected one file")
    (member,) = members
    kind = stat.S_IFMT(member.external_attr >> 16)  # 0 where the archive does not say
    if kind not in (0, stat.S_IFREG) or not re.fullmatch(r"\w[\w.-]*", member.filename):
        raise ValueError(
            f"{source}: holds {shown(member.filename)}, expected a regular file without a folder"
        )
    return member
