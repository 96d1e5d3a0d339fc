"""Find the files of a data set in the cache, in a mirror or online, and verify each of them."""

import hashlib
import io
import os
import re
from collections.abc import Iterable
from pathlib import Path

from closerthan._core.typing import StrPath
from closerthan._core.writing import replacing
from closerthan.datasets.registry import check_dataset, import_extra, registry, size_limit

Place = StrPath | None

# Seconds until a server must accept the connection, and between two packets.
_TIMEOUT = (5, 30)
_RETRIES = 2


class DataUnavailable(OSError):
    """The file is not in the cache (at `path`), nor in a mirror, and could not be downloaded."""

    def __init__(self, message: str, path: Path | None = None):
        super().__init__(message)
        self.path = path


def fetch(
    dataset: str,
    file: str,
    *,
    folders: Iterable[StrPath] = (),
    mirror: Place = None,
    cache: Place = None,
    offline: bool = False,
) -> Path:
    """Return the path of a file of a data set, after its size and checksum are verified.

    The function looks in the cache, then in the mirror, then on the internet. A file in the mirror
    is read in place. A download goes to the cache, and gets its name only when it is complete and
    verified. A corrupt file in the cache is replaced.

    Parameters
    ----------
    dataset, file : str
        A data set of the registry and one of its files, as in ``"music", "music_triplets.mat"``.
    folders
        Packages with more data sets, as in `registry`.
    mirror : str or path, optional
        A folder that holds ``<dataset>/<file>``, the ``path`` that the registry gives, or the file
        itself. None uses the environment variable ``CLOSERTHAN_DATA_MIRROR``, if it is set.
    cache : str or path, optional
        The folder for downloads, ordered in the same way. None uses the user's cache folder.
    offline : bool, default False
        Whether to stay off the internet.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    DataUnavailable
        If the file cannot be found anywhere. The message says what was tried and what to do.
    ValueError
        If the data set or the file is not in the registry, or if a file in the mirror or a
        complete download is not the registered one.
    ImportError
        If the extra ``data`` is not installed.

    Examples
    --------
    >>> from closerthan.datasets import fetch
    >>> fetch("music", "notes.txt")
    Traceback (most recent call last):
    ...
    ValueError: music has no file 'notes.txt', expected one of music_artists.csv, ...
    """
    return _find(dataset, file, mirror, cache, offline, folders)[0]


def reader(dataset, mirror=None, cache=None, offline=False, *, folders=()):
    """Return a function that gives the verified content of a file, found as by `fetch`."""
    return lambda file: _find(dataset, file, mirror, cache, offline, folders)[1]


def _find(dataset, file, mirror, cache, offline, folders):
    check_dataset(dataset, folders)
    facts = registry(folders)[dataset]
    files = facts["files"] | facts["derived"]
    if file not in files:
        raise ValueError(
            f"{dataset} has no file {file!r}, expected one of {', '.join(sorted(files)) or 'none'}"
        )
    place = files[file].get("path", f"{dataset}/{file}")
    return locate(place, files[file], mirror=mirror, cache=cache, offline=offline)


def locate(name, entry, *, mirror=None, cache=None, offline=False):
    """Return path and content of the file of a registry entry, at ``<dataset>/<file>``."""
    mirror = mirror or os.environ.get("CLOSERTHAN_DATA_MIRROR")
    if mirror and re.match(r"\w+:/", str(mirror)):
        raise ValueError(f"mirror {mirror!r} is an address; it must be a folder of this machine")
    cached = Path(cache or import_extra("pooch").os_cache("closerthan")).expanduser() / name
    places = [("cache", cached)]
    tried = []
    if mirror:
        mirrored = Path(mirror).expanduser() / name
        # In a folder of downloads the file has no folder of its own.
        alone = Path(mirror).expanduser() / mirrored.name
        places += [("mirror", mirrored), ("mirror", alone)]
    for place, path in places:
        if not path.is_file():
            tried.append(f"{place}: there is no {path}")
            continue
        try:
            return path, read_verified(path, entry)
        except ValueError as error:
            message = f"{path} is not the registered file: {error}"
            # A cache can be filled again, and alone the name may be as common as README.txt.
            if mirror and path == mirrored:
                raise ValueError(message) from None
            tried.append(f"{place}: {message}")
    if not mirror:
        tried.append("mirror: none is set")
    if "url" not in entry:
        tried.append(f"internet: none has it, it is derived from {entry['derived_from']}")
    elif offline:
        tried.append(f"internet: {entry['url']} was not asked for (offline)")
    else:
        try:
            _download(entry, cached)
            return cached, read_verified(cached, entry)
        except OSError as error:
            reason = str(error).split("(Caused by ")[-1]  # the innermost of those of requests
            tried.append(f"internet: {entry['url']}: {reason}")
    lines = [
        f"{name} is not to be had:",
        *(f"  {line}" for line in tried),
        "Set CLOSERTHAN_DATA_MIRROR (or data.mirror in config.yaml) to a folder that holds",
        f"{name}, or put the file at {cached}",
        *(f"or give `{option}`, {what}" for option, what in entry.get("instead", {}).items()),
    ]
    raise DataUnavailable("\n".join(lines), cached)


def read_verified(path, entry):
    """Return the content of a file; raise ValueError if it does not match the entry."""
    size, limit = os.path.getsize(path), size_limit(entry)
    content = Path(path).read_bytes() if size <= limit else b""
    if "git_blob" in entry:  # git hashes a header with the size, followed by the content
        kind, found = "git_blob", hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    else:
        kind, found = "sha256", hashlib.sha256(content).hexdigest()
    if size <= limit and found == entry[kind]:
        return content
    most = "" if "bytes" in entry else "at most "
    other = f" with {kind} {found}" if size <= limit else ""
    raise ValueError(
        f"expected {most}{limit} bytes with {kind} {entry[kind]}, found {size} bytes{other}"
    )


def _download(entry, path):
    """Download a file to a temporary path, verify it, and rename it to `path`."""
    pooch = import_extra("pooch")

    def download(url, target, _):
        with _LimitedFile(target, size_limit(entry)) as stream:
            pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT)(url, stream, None)
        read_verified(target, entry)

    with replacing(path) as temporary:
        source = pooch.create(
            path=path.parent,
            base_url="",
            registry={temporary.name: None},  # pooch knows no git_blob: `download` verifies
            urls={temporary.name: entry["url"]},
            retry_if_failed=_RETRIES,
        )
        try:
            source.fetch(temporary.name, downloader=download)
        except ValueError as error:
            raise ValueError(f"{entry['url']} is not the registered file: {error}") from error


class _LimitedFile(io.FileIO):
    """Return a new file that refuses to grow beyond the registered size."""

    def __init__(self, path, limit):
        super().__init__(path, "w")
        self.limit = limit

    def write(self, chunk):
        if self.tell() + len(chunk) > self.limit:
            raise ValueError(f"it is larger than the expected {self.limit} bytes")
        return super().write(chunk)
