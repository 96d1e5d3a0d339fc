"""Figures and tables of the papers' pages, drawn from the tidy rows of `results/`."""

from closerthan_study.figures.page import Page
from closerthan_study.figures.style import Curve

__all__ = ["Curve", "Page"]
