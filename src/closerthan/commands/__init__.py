"""What the command line does, as functions that a notebook can call: a module a command.

Each takes a file of answers, or a table that was read from one, and returns an object with
`facts()`, what is known as plain values, `text()`, the same to read, and `write(folder)`, where
there are files to write.
"""
