"""Figures and tables of the papers' pages, drawn from the tidy rows of `results/`.

A notebook has prose and calls of these modules, and imports the ones that it needs. `page` reads
the results of a study. `curves`, `maps`, `odd_ones`, `retrieval`, `similarity`, `survey`, `theory`
and `scoreboard` draw figures. `tables`, `map_tables`, `survey_tables` and `ranks` make tables.
`captions` describes the settings and the data.
"""

from closerthan_study.figures.page import Page
from closerthan_study.figures.style import Curve

__all__ = ["Curve", "Page"]
