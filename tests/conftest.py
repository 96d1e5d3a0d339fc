"""Set up all tests; tests of real data run only if a mirror of the files exists."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# All machines run the same examples. There is no deadline, because first calls compile.
settings.register_profile("closerthan", deadline=None, derandomize=True)
settings.load_profile("closerthan")

# A shell ignores interrupts for commands in the background, and tests send some.
signal.signal(signal.SIGINT, signal.default_int_handler)

PAGE = "tests/test_docs.py::test_so_does_that_of_a_page_on_real_data"
LONGEST = ("tests/workflow/", "tests/test_benchmarks.py", PAGE)
MIRROR = os.environ.get("CLOSERTHAN_DATA_MIRROR")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config, items):
    """Run the longest files first, and tests of real data only with a mirror (required in CI).

    The tests of a file run in one process, because they share fixtures. Pages of the documentation
    share nothing and take minutes together.
    """
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    for item in items:
        alone = item.nodeid.startswith(PAGE)
        item.add_marker(pytest.mark.xdist_group(item.nodeid if alone else str(item.path)))
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
