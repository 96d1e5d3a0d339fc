"""Read the stimuli of an experiment: a folder of pictures, or a text file of words."""

import re
import unicodedata
from pathlib import Path

from closerthan_lab.files.cells import MISSING, refusal, whole_number
from closerthan_lab.files.spreadsheets import NUMBER
from closerthan_lab.page.thumbnails import TYPES

_SUFFIXES = (*TYPES, ".svg")
_OTHERS = {".avif", ".bmp", ".heic", ".tif", ".tiff"}  # not every browser shows these
_LEAST = 4  # stimuli
_LARGEST = 5_000_000  # bytes of a picture
_RASTER = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP", re.DOTALL)
_SVG = re.compile(rb"(\xef\xbb\xbf)?\s*<(\?xml|!DOCTYPE svg|!--|svg)")


def read_stimuli(path):
    """Return the names of the stimuli, and their pictures (None for words)."""
    path = Path(path)
    pictures = _pictures(path) if path.is_dir() else None
    places = _words(path) if pictures is None else {str(one): one.stem for one in pictures}
    if len(places) < _LEAST:
        what = "words or phrases" if pictures is None else f"pictures ({', '.join(_SUFFIXES)})"
        raise ValueError(f"{path}: {len(places)} {what}; give at least {_LEAST}")
    places = {place: unicodedata.normalize("NFC", name.strip()) for place, name in places.items()}
    _check_names(places)
    for picture in pictures or ():
        _check_picture(picture)
    return list(places.values()), pictures


def read_utf8(path):
    """Return the content of a text file in UTF-8."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text in UTF-8; save it in this encoding") from None


def _pictures(folder):
    """Return the pictures of a folder in the order of their names, without hidden files."""
    files = sorted(folder.iterdir(), key=lambda path: path.name)
    files = [path for path in files if path.is_file() and path.name[0] != "."]
    for path in files:
        if path.suffix.lower() in _OTHERS:
            raise ValueError(f"{path}: not every browser shows such files; save it as .png or .jpg")
    return [path for path in files if path.suffix.lower() in _SUFFIXES]


def _words(path):
    """Return the lines that are not blank, by their place."""
    lines = enumerate(read_utf8(path).split("\n"), 1)
    return {f"{path}, line {number}": line for number, line in lines if line.strip()}


def _check_names(places):
    """Refuse names that are equal or that a file of answers can't hold."""
    numbers = [NUMBER.fullmatch(name) is not None for name in places.values()]
    hold_ids = 2 * sum(numbers) > len(numbers)  # as the files of answers will be read
    seen = {}
    for place, name in places.items():
        why = refusal(whole_number(name) if hold_ids else name)
        if name in MISSING:
            why = "stands for a missing value"
        elif hold_ids and why:
            why = "is not a whole number from 0, and most names are numbers"
        if why:
            raise ValueError(f"{place}: the name {name!r} {why}; choose another name")
        other = seen.setdefault((whole_number(name) or name).casefold(), place)
        if other != place:
            raise ValueError(f"{place}: the same name as {other}, {name!r}; choose another name")


def _check_picture(path):
    size = path.stat().st_size
    if size == 0:
        raise ValueError(f"{path}: the picture is empty")
    if size > _LARGEST:
        raise ValueError(
            f"{path}: {size / 1e6:.1f} MB; make the picture smaller than {_LARGEST / 1e6:g} MB, as "
            "participants wait for it (1,000 pixels a side are enough)"
        )
    with path.open("rb") as file:
        head = file.read(1000)
    suffix = path.suffix.lower()
    if not (_SVG if suffix == ".svg" else _RASTER).match(head):
        raise ValueError(f"{path}: not a picture, although its name ends in {suffix}")
