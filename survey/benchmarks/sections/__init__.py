"""The sections of the page that `make benchmark` writes, one module per section.

Each module has four functions. ``cases(size, peers)`` lists the cases, each a dict of plain values.
``measure(case)`` returns the rows of a case. ``show(rows)`` makes the tables and figures of the
page. ``headline(rows)`` yields the lines for the README.

The first line of a module's docstring is the title of its section. The rest is the summary.
"""
