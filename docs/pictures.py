"""Keep the numbers that a picture shows inside its file, so that a test can draw it again and compare them.

The numbers are the corners of everything drawn: dots, ends of lines, bars and ellipses. They are fractions of the axes,
so they do not depend on fonts, colors or the place of a name.
"""

import json
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from closerthan_study.figures.maps import LEADER

KEY = "numbers"
NEAR = 0.015  # of the axes: less than one sees


@contextmanager
def recording():
    """Yield a dict that gets the numbers of each figure that is saved, by the name of its file."""
    saved, save = {}, Figure.savefig

    def also_record(figure, path, *args, **options):
        save(figure, path, *args, **options)
        saved[Path(path).name] = numbers(figure)

    with patch.object(Figure, "savefig", also_record):
        yield saved


def numbers(figure):
    """Return the corners of each thing that a figure draws, as fractions of its axes.

    Lines to names are left out: rounding decides whether a name is far enough for one.
    """
    figure.draw_without_rendering()  # settles the limits of the axes
    return [
        ax.transAxes.inverted().transform(ax.transData.transform(corners)).round(3).tolist()
        for ax in figure.axes
        for artist in (*ax.lines, *ax.collections, *ax.patches)
        if artist.get_gid() != LEADER
        for corners in _corners(artist)
        if len(corners)
    ]


def _corners(artist):
    """Yield arrays of shape (n, 2) with the corners of an artist in the units of the data."""
    if isinstance(artist, Line2D):
        yield artist.get_xydata()
    elif isinstance(artist, Patch):
        yield artist.get_patch_transform().transform(artist.get_path().vertices)
    elif isinstance(artist, LineCollection):
        yield from artist.get_segments()
    elif isinstance(artist, EllipseCollection):
        sizes = np.column_stack([artist.get_widths(), artist.get_heights()])
        yield artist.get_offsets() + sizes / 2
    else:
        yield artist.get_offsets()


def keep(drawn, picture, shown):
    """Save an opened picture with few colors, which makes a small file, and with its numbers."""
    info = PngInfo()
    info.add_text(KEY, json.dumps(shown, separators=(",", ":")), zip=True)
    drawn.convert("RGB").quantize(256).save(picture, optimize=True, pnginfo=info)


def kept(picture):
    """Return the numbers that a picture was saved with."""
    with Image.open(picture) as opened:
        return json.loads(opened.text[KEY])


def are_near(found, wanted):
    """Whether two figures show the same things at the same places."""
    return [len(one) for one in found] == [len(one) for one in wanted] and all(
        np.allclose(one, other, rtol=0, atol=NEAR, equal_nan=True)
        for one, other in zip(found, wanted, strict=True)
    )
