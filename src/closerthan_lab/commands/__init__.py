"""The commands of the command line as functions, one module for each command.

Most functions take a file of answers or a table that was read from one. They return an object with
up to three methods. `facts()` returns the result as plain values, `text()` returns it as text, and
`write(folder)` writes files.

Three parameters are the same for all. `n_jobs` is the number of threads, one by default, -1 for all
cores; it does not change the result. The same `random_state` gives the same result on the same
machine. `progress` shows bars on stderr.
"""
