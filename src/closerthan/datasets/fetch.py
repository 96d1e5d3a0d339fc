"""Find the files of a data set in the cache, in a mirror or online, and verify each of them."""

import io
import os
import tempfile
from pathlib import Path

from closerthan._core.typing import StrPath
from closerthan.datasets.registry import import_extra, registry
from closerthan.datasets.verify import read_verified, size_limit

# Seconds until a server must accept the connection, and between two packets.
_TIMEOUT = (5, 30)
_RETRIES = 2


class DataUnavailable(OSError):
    """The file is neither in the cache nor in a mirror, and could not be downloaded.

    `path` is its place in the cache.
    """

    def __init__(self, message: str, path: Path | None = None):
        super().__init__(message)
        self.path = path


def fetch(
    dataset: str,
    file: str,
    *,
    mirror: StrPath | None = None,
    cache: StrPath | None = None,
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
    mirror : str or path, default None
        A folder that holds ``<dataset>/<file>``, the ``path`` that the registry gives, or the file
        itself. None uses the environment variable ``CLOSERTHAN_DATA_MIRROR``, if it is set.
    cache : str or path, default None
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
    return _find(dataset, file, mirror, cache, offline)[0]


def read(dataset, file, *, mirror=None, cache=None, offline=False):
    """Return the verified content of a data set's file, found as by `fetch`."""
    return _find(dataset, file, mirror, cache, offline)[1]


def _find(dataset, file, mirror, cache, offline):
    known = registry()
    if dataset not in known:
        raise ValueError(
            f"unknown data set {dataset!r}, expected one of {', '.join(sorted(known))}"
        )
    files = known[dataset]["files"] | known[dataset]["derived"]
    if file not in files:
        raise ValueError(
            f"{dataset} has no file {file!r}, expected one of {', '.join(sorted(files)) or 'none'}"
        )
    entry = files[file]
    place = entry.get("path", f"{dataset}/{file}")
    return locate(place, entry, mirror=mirror, cache=cache, offline=offline)


def locate(name, entry, *, mirror=None, cache=None, offline=False):
    """Return path and content of the file of a registry entry, for `fetch` and `read`.

    `name` is its place in cache and mirror, as in ``<dataset>/<file>``.
    """
    mirror = mirror or os.environ.get("CLOSERTHAN_DATA_MIRROR")
    cached = Path(cache or import_extra("pooch").os_cache("closerthan")).expanduser() / name
    tried = []
    if cached.is_file():
        try:
            return cached, _read_verified(cached, entry)
        except ValueError as error:
            tried.append(f"cache: {error}")
    else:
        tried.append(f"cache: there is no {cached}")
    if mirror:
        folder = Path(mirror).expanduser()
        alone = Path(name).name  # as in a folder of downloads
        if (folder / name).is_file():
            return folder / name, _read_verified(folder / name, entry)
        if (folder / alone).is_file():
            try:
                return folder / alone, _read_verified(folder / alone, entry)
            except ValueError as error:  # the name may be as common as README.txt
                tried.append(f"mirror: {error}")
        else:
            tried.append(f"mirror: {folder} has neither {name} nor {alone}")
    else:
        tried.append("mirror: none is set")
    if "url" not in entry:
        tried.append(f"internet: none has it, it is derived from {entry['derived_from']}")
    elif offline:
        tried.append(f"internet: {entry['url']} was not asked for (offline)")
    else:
        try:
            _download(entry, cached)
            return cached, _read_verified(cached, entry)
        except OSError as error:
            tried.append(f"internet: {entry['url']}: {_reason(error)}")
    raise DataUnavailable(_advice(name, cached, tried, entry.get("instead", {})), cached)


def _reason(error):
    """Return the innermost of the reasons that requests nests in each other."""
    return str(error).split("(Caused by ")[-1]


def _advice(name, cached, tried, instead):
    return "\n".join(
        [
            f"{name} is not to be had:",
            *(f"  {line}" for line in tried),
            "Set CLOSERTHAN_DATA_MIRROR (or data.mirror in config.yaml) to a folder that holds",
            f"{name}, or put the file at {cached}",
            *(f"or give `{option}`, {what}" for option, what in instead.items()),
        ]
    )


def _read_verified(path, entry):
    with path.open("rb") as stream:
        try:
            return read_verified(stream, entry)
        except ValueError as error:
            raise ValueError(f"{path} is not the registered file: {error}") from None


def _download(entry, path):
    """Download into a temporary folder beside `path`, verify the file, and rename it."""
    pooch = import_extra("pooch")
    requests = import_extra("requests")
    url = entry["url"]

    def download(url, target, _):
        with _LimitedFile(target, size_limit(entry)) as stream:
            try:
                pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT)(url, stream, None)
            except requests.RequestException as error:
                # Trying again helps if a transfer broke off or a server was busy, not otherwise.
                broke_off = stream.tell() or isinstance(
                    error, requests.exceptions.ChunkedEncodingError
                )
                busy = error.response is not None and error.response.status_code >= 500
                if broke_off or busy:
                    raise
                raise OSError(str(error)) from error
        with open(target, "rb") as stream:
            read_verified(stream, entry)

    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".download-", dir=path.parent) as folder:
        source = pooch.create(
            path=folder,
            base_url="",
            registry={path.name: None},  # pooch knows no git_blob: `download` verifies
            urls={path.name: url},
            retry_if_failed=_RETRIES,
        )
        try:
            os.replace(source.fetch(path.name, downloader=download), path)
        except ValueError as error:
            raise ValueError(f"{url} is not the registered file: {error}") from error


class _LimitedFile(io.FileIO):
    """Return a new file that refuses to grow beyond the registered size."""

    def __init__(self, path, limit):
        super().__init__(path, "w")
        self.limit = limit

    def write(self, chunk):
        if self.tell() + len(chunk) > self.limit:
            raise ValueError(f"it is larger than the expected {self.limit} bytes")
        return super().write(chunk)
