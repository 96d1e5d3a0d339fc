"""Figures and tables of the papers' pages, drawn from the tidy rows of `results/`.

A notebook holds prose and calls of what is here: a `Page` knows a study and reads its results;
`curves`, `maps`, `retrieval`, `similarity`, `survey`, `theory` and `scoreboard` draw; `tables`,
`map_tables`, `survey_tables` and `ranks` count; `captions` puts in words what was configured and
drawn. A page imports those that it needs.
"""

from closerthan_study.figures.page import Page
from closerthan_study.figures.style import Curve

__all__ = ["Curve", "Page"]
