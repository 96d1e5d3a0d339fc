"""What the reports station is made of.

notebooks   a notebook executed, and kept as a notebook and as a page
reported    the numbers that the papers print, read and checked
printed     the same beside ours
provenance  what made the results
board       an offline page of claims, tables, curves and maps to look around in
colors      those of verdicts
index       the page that shows and links everything
publish     the small files of a study, to be committed: python -m closerthan_study.report.publish
costs       what a run has cost: python -m closerthan_study.report.costs results
"""
