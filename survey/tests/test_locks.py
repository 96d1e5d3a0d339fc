"""Check the locks of the peers' environments."""

import re
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from distributions import check_lock
from requirement_closure import locked

PEERS = sorted((Path(__file__).parents[1] / "benchmarks/peers").glob("*/requirements.lock"))


@pytest.mark.parametrize("lock", PEERS, ids=lambda lock: lock.parent.name)
def test_environments_of_peers_are_pinned_with_hashes(lock):
    check_lock(lock)
    entries = locked(lock)
    wanted = lock.with_suffix(".in").read_text(encoding="utf-8")
    for name, pinned in re.findall(r"^([\w.-]+)(==[\w.]+)", wanted, re.MULTILINE):
        [entry] = entries[canonicalize_name(name)]
        assert entry.startswith(f"{name}{pinned} ")
