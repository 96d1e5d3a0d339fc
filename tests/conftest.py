"""What all tests share."""

from hypothesis import settings

# The same examples on every machine; no deadline, for numba compiles a function at its first call.
settings.register_profile("relsim", deadline=None, derandomize=True)
settings.load_profile("relsim")
