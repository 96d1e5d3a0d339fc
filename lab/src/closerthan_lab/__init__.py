"""From people's own answers to a map that can be trusted: files, commands, pages, uncertainty."""
