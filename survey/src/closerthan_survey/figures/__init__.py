"""Figures and tables of the survey."""
