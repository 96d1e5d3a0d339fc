"""What the reports station is made of.

notebooks   a notebook executed, and kept as a notebook and as a page
provenance  what made the results
board       an offline page of claims, tables, curves and maps to look around in
index       the page that shows and links everything
costs       what a run has cost: python -m closerthan_study.report.costs results
"""
