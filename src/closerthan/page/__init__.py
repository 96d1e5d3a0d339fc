"""A map to show: one offline page that people can look around in, and a figure for a talk.

`write_page` makes the page, with diagnostics as sections of figures, tables, bars and curves;
`draw_map` and `save_map` make the figure. Pages need jinja2, figures matplotlib, and pillow makes
images of objects small.
"""

from .figure import draw_map, save_map
from .objects import Ellipses, principal_axes
from .page import write_page
from .sections import Bars, Curve, Figures, Section, Table

__all__ = [
    "Bars",
    "Curve",
    "Ellipses",
    "Figures",
    "Section",
    "Table",
    "draw_map",
    "principal_axes",
    "save_map",
    "write_page",
]
