"""Vector arithmetic for the compiled kernels, which numba's own loops would leave scalar.

`rows` has distances and updates of points, `functions` exp and log1p, `tiles` x'My with an update
of M in the same pass, `float64x8` a type for eight numbers at a time. All LLVM code of closerthan
is here. What is added to what is always said, so that the results are the same on every machine and
for any number of threads, to the bit.
"""
