"""Make small images of objects that fit into a given number of bytes."""

import base64
import io
import unicodedata
from pathlib import Path

TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
_SIDES = (160, 128, 96, 72, 56, 40, 28)  # pixels of the longer side; the largest that fits is used
_QUALITY = 78
_SAMPLE = 24  # images for estimating the total size


def thumbnails_of(folder, names, most):
    """Return small images as `data:` addresses by index of the name, and notes on missing images.

    All addresses together take at most `most` bytes. Images that do not fit are left out.
    """
    paths = find_images(folder, names)
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        found, damaged = _as_they_are(paths), []
        shrink = " (install pillow to shrink them)"
    else:
        found, damaged = _shrunk(paths, most)
        shrink = ""
    kept, left_out = _fitting(found, most)
    missing = [i for i in range(len(names)) if i not in paths]
    notes = {
        "Images that cannot be read": damaged,
        "Images that do not fit in the page" + shrink: left_out,
        "Objects without an image": missing,
    }
    return kept, [_note(words, places, names) for words, places in notes.items() if places]


def find_images(folder, names):
    """Return the path of each object's image by index of the name."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"{folder}: not a folder; name a folder of images")
    files = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in TYPES and path.is_file():
            for name in (path.name, path.stem):
                files.setdefault(unicodedata.normalize("NFC", name), path)
    keys = [unicodedata.normalize("NFC", name) for name in names]
    short = [key.replace("\\", "/").rpartition("/")[2] for key in keys]  # without folders
    keys = short if len(set(short)) == len(keys) else keys
    paths = {i: files[key] for i, key in enumerate(keys) if key in files}
    if not paths:
        raise ValueError(
            f"{folder}: no image has the name of an object; name the files like "
            f"{str(names[0])!r}, with one of the suffixes {', '.join(TYPES)}"
        )
    return paths


def _as_they_are(paths):
    return {i: _address(path.read_bytes(), TYPES[path.suffix.lower()]) for i, path in paths.items()}


def _shrunk(paths, most):
    """Shrink images to the largest size that fits (or the smallest); list damaged ones too."""
    some = list(paths)[:: -(-len(paths) // _SAMPLE)]
    for side in _SIDES:
        sample, _ = _encode_all({i: paths[i] for i in some}, side)
        if _size(sample) * len(paths) > most * len(some) and side != _SIDES[-1]:
            continue
        found, damaged = _encode_all(paths, side)
        if _size(found) <= most:
            break
    return found, damaged


def _encode_all(paths, side):
    found, damaged = {}, []
    for i, path in paths.items():
        try:
            found[i] = _encode(path, side)
        except Exception:  # pillow's decoders raise many kinds of errors
            damaged.append(i)
    return found, damaged


def _encode(path, side):
    """Return a `data:` address of the first frame of an image, upright and shrunk."""
    from PIL import Image, ImageOps

    with Image.open(path) as image:
        image.draft("RGB", (2 * side, 2 * side))
        image = ImageOps.exif_transpose(image)
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    image.thumbnail((side, side))
    content = io.BytesIO()
    image.save(content, "WEBP", quality=_QUALITY)
    return _address(content.getvalue(), "image/webp")


def _size(images):
    return sum(map(len, images.values()))


def _address(content, kind):
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _fitting(found, most):
    """Return the images that fit, in the order of the objects, and those that do not."""
    kept, left_out, total = {}, [], 0
    for i, address in found.items():
        if total + len(address) <= most:
            kept[i] = address
            total += len(address)
        else:
            left_out.append(i)
    return kept, left_out


def _note(words, places, names):
    """Count objects and name the first few."""
    some = ", ".join(names[i] for i in places[:5]) + (", …" if len(places) > 5 else "")
    return f"{words}: {len(places):,} ({some})."
