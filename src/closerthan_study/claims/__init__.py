"""Judge the claims of the papers by a program."""
