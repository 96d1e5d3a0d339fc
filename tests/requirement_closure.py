"""List a requirement with all installed packages that it needs."""

from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def closure(lines):
    """Return the names of requirements such as ``"closerthan[lab]"``, and of all that they need."""
    waiting, seen = [Requirement(line) for line in lines], set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        for extra in {"", *requirement.extras} - {e for n, e in seen if n == name}:
            seen.add((name, extra))
            needs = map(Requirement, metadata.requires(name) or [])
            waiting += [r for r in needs if not r.marker or r.marker.evaluate({"extra": extra})]
    return {name for name, _ in seen}


def locked(lock):
    """Return the entries of a lock by name, each a list of lines with their hashes."""
    text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    entries = {}
    for line in text.splitlines():
        name = line.partition("==")[0]
        entries.setdefault(canonicalize_name(name), []).append(line)
    return entries
