"""Internal modules shared by the package: vectors, threads, validation, warnings."""
