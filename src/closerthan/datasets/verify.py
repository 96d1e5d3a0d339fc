"""Check that a file is the registered one, by its size and its SHA-256 or git object id."""

import hashlib
import os


def size_limit(entry):
    """Return the number of bytes that a file of a registry entry may have."""
    return entry["bytes"] if "bytes" in entry else entry["max_bytes"]


def read_verified(stream, entry):
    """Return the content of an open file; raise ValueError if it does not match the entry."""
    kind = "git_blob" if "git_blob" in entry else "sha256"
    limit = size_limit(entry)
    # One byte more than allowed is enough to detect a file that is too long.
    content = stream.read(limit + 1)
    found = _new_hash(kind, len(content))
    found.update(content)
    if entry.get("bytes", 0) <= len(content) <= limit and found.hexdigest() == entry[kind]:
        return content
    stream.seek(0)
    size = os.fstat(stream.fileno()).st_size
    found = hashlib.file_digest(stream, lambda: _new_hash(kind, size))
    size_expected = f"{limit} bytes" if "bytes" in entry else f"at most {limit} bytes"
    raise ValueError(
        f"expected {size_expected} with {kind} {entry[kind]}, "
        f"found {size} bytes with {kind} {found.hexdigest()}"
    )


def _new_hash(kind, size):
    # Git hashes a header with the size, followed by the content.
    return hashlib.sha1(b"blob %d\0" % size) if kind == "git_blob" else hashlib.sha256()
