"""What all of the package shares and no user calls: vectors, threads, validation, files."""
