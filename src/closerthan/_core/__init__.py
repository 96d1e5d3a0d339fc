"""Internal modules: vectors, threads, validation, warnings, files written whole."""
