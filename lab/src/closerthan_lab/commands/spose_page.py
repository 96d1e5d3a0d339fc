"""Write the page of dimensions, and draw their figure for a talk or a paper."""

from pathlib import Path

import numpy as np

from closerthan._core.writing import replacing
from closerthan_lab.commands.reading import describe_reading
from closerthan_lab.commands.writing import write_figure
from closerthan_lab.page.page import MOST_BYTES
from closerthan_lab.page.templates import page_templates
from closerthan_lab.page.thumbnails import find_images, thumbnails_of
from closerthan_lab.spose.refits import FOUND

_HERE = Path(__file__).parent
_SHOWN, _MORE = 12, 48  # objects of a dimension at first sight, and with a click
_DRAWN = 20  # dimensions in the figure
_BARS, _PICTURES = 8, 6  # objects of a dimension in the figure
_COLUMNS = 4
_ACCENT, _QUIET = "#0b6380", "#8a949b"


def write_dimensions_page(path, explained):
    """Write the page of an `Explained`; return sentences that say what was left out."""
    shown = [explained.largest(k, _MORE) for k in range(len(explained.carried))]
    pictures, notes = _thumbnails(explained, shown)
    rows = explained.dimensions().to_dict("records")
    for row, objects in zip(rows, shown, strict=True):
        top = objects["value"].max() if len(objects) else 1.0
        row["doubtful"] = row["reproducibility"] <= FOUND
        row["objects"] = [
            {"name": name, "width": f"{100 * value / top:.0f}", "picture": pictures.get(number)}
            for number, name, value in objects.itertuples(index=False)
        ]
    content = {
        "title": f"{len(rows)} dimensions of {len(explained.table.names):,} objects",
        "summary": " ".join([*explained.sentences(), *describe_reading(explained.table)]),
        "rows": rows,
        "shown": _SHOWN,
        "notes": notes,
    }
    text = page_templates(_HERE).get_template("spose.html.j2").render(content)
    with replacing(path) as temporary:
        temporary.write_bytes(text.encode("utf-8", "replace"))
    return notes


def _thumbnails(explained, shown):
    """Return small images of the objects at first sight, by id, and notes on missing ones."""
    known = _pictures(explained)
    ids = np.unique([number for objects in shown for number in objects["id"].head(_SHOWN)])
    if not any(number in known for number in ids):
        return {}, []
    names = [explained.table.names[number] for number in ids]
    found, notes = thumbnails_of(explained.images, names, MOST_BYTES)
    return {ids[place]: address for place, address in found.items()}, notes


def draw_top_objects(paths, explained):
    """Draw pictures or bars of the objects that have most of the most reproducible dimensions."""
    import matplotlib.pyplot as plt

    frame = explained.dimensions().sort_values("reproducibility", ascending=False, kind="stable")
    frame = frame.head(_DRAWN)
    n_rows = -(-max(len(frame), 1) // _COLUMNS)
    figure, axes = plt.subplots(
        n_rows, _COLUMNS, figsize=(11, 0.4 + 1.75 * n_rows), layout="constrained", squeeze=False
    )
    pictures = _pictures(explained)
    for ax in axes.flat:
        ax.set_axis_off()
    for ax, row in zip(axes.flat, frame.itertuples(), strict=False):
        words = f"dimension {row.dimension}, reproducibility {row.reproducibility:.2f}"
        ax.set_title(words, fontsize=8, loc="left", color="black", parse_math=False)
        if pictures:
            _show_pictures(ax, explained.largest(row.dimension - 1, _PICTURES), pictures)
        else:
            _show_bars(ax, explained.largest(row.dimension - 1, _BARS))
    write_figure(figure, *paths)


def _pictures(explained):
    """Return the paths of images by id."""
    return {} if explained.images is None else find_images(explained.images, explained.table.names)


def _show_bars(ax, objects):
    places = -np.arange(len(objects))
    ax.barh(places, objects["value"], height=0.8, color=_ACCENT, alpha=0.25)
    for place, name in zip(places, objects["name"], strict=True):
        ax.text(0, place, f" {name}", va="center", fontsize=7.5, parse_math=False)
    ax.set_ylim(-_BARS + 0.4, 0.6)


def _show_pictures(ax, objects, pictures):
    for place, (number, name, _) in enumerate(objects.itertuples(index=False)):
        inset = ax.inset_axes([place % 3 / 3, 0.5 - place // 3 / 2, 0.32, 0.48])
        inset.set_axis_off()
        picture = _opened(pictures.get(number))
        if picture is None:
            inset.text(0.5, 0.5, name, ha="center", va="center", fontsize=6, parse_math=False)
        else:
            inset.imshow(picture)


def _opened(path):
    """Return a small upright picture, or None if there is none that can be read."""
    from PIL import Image, ImageOps

    if path is None:
        return None
    try:
        with Image.open(path) as image:
            upright = ImageOps.exif_transpose(image).convert("RGB")
    except Exception:  # pillow's decoders raise many kinds of errors
        return None
    upright.thumbnail((300, 300))
    return upright
