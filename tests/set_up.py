"""What all tests need, whatever their folder; tests of real data run only if a mirror exists."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# All machines run the same examples, however slow: first calls compile, and others may be at work.
# The examples of a test may write to the same folder.
ALLOWED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
SAME = {"derandomize": True, "deadline": None, "suppress_health_check": ALLOWED}
settings.register_profile("closerthan", max_examples=40, **SAME)
settings.load_profile("closerthan")

# A shell ignores interrupts for commands in the background, and tests send some.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = tuple(
    f"tests/{name}.py"
    for name in ("workflow/test_workflow", "workflow/test_recipes", "test_docs", "test_benchmarks")
)
MIRROR = os.environ.get("CLOSERTHAN_DATA_MIRROR")


def pytest_collection_modifyitems(config, items):
    """Run the longest files first, and tests of real data only with a mirror (required in CI)."""
    rank = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.nodeid.partition("::")[0], len(rank)))
    if MIRROR:
        return
    real = [item for item in items if "mirror" in getattr(item, "fixturenames", ())]
    beside = Path(config.rootpath).parent / "shared" / "datasets"
    if real and os.environ.get("CI") == "true" and beside.is_dir():
        raise pytest.UsageError(
            f"set CLOSERTHAN_DATA_MIRROR: in CI no data test is left out ({beside})"
        )
    config.hook.pytest_deselected(items=real)
    items[:] = [item for item in items if item not in real]


@pytest.fixture(scope="session")
def mirror():
    """Return the folder with the real files."""
    return MIRROR


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a text file and returns its path."""

    def write(text, name="answers.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write
