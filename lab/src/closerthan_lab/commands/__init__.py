"""The commands of the command line as functions, one module for each command.

Results have up to three methods: `facts()` returns plain values, `text()` a text, and
`write(folder)` writes files. `n_jobs` is the number of threads. The same `random_state` gives the
same result on the same machine. `progress` shows bars on stderr.
"""
