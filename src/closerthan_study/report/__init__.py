"""The parts of the reports station.

notebooks   executes a notebook, and keeps it as a notebook and as a page
provenance  versions, machine, configuration and data behind the results
board       an interactive offline page of claims, tables, curves and maps
index       the page that shows and links everything
costs       the time and memory of a run: python -m closerthan_study.report.costs results
"""
