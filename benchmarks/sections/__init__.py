"""What `make benchmark` measures: a module a section of its page, a function a step.

``cases(size, peers)`` lists what is to be measured, each a dict of plain values; ``measure(case)``
returns the rows of one; ``show(rows)`` makes tables and figures of all of them, for the page;
``headline(rows)`` gives the lines for the README. The title is the first line of its module.
"""
