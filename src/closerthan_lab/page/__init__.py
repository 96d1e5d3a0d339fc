"""Show a map: an interactive offline page, and a figure for a talk or a paper.

`write_page` writes the page. Its sections show diagnostics as figures, tables, bars and curves.
`draw_map` and `save_map` make the figure. Pages need jinja2, and figures need matplotlib. Pillow is
needed to shrink images of objects.
"""

from .figure import draw_map, save_map
from .objects import Ellipses, principal_axes
from .page import write_page
from .sections import Bars, Figures, Line, Section, Table

__all__ = [
    "Bars",
    "Ellipses",
    "Figures",
    "Line",
    "Section",
    "Table",
    "draw_map",
    "principal_axes",
    "save_map",
    "write_page",
]
