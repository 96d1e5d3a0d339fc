"""Show a map: an interactive offline page (jinja2), and a figure for a paper (matplotlib)."""

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
