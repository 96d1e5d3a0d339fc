"""Find the real files, and the data set that a module of tests is named after."""

import pytest

from closerthan_lab.datasets import load


@pytest.fixture(scope="session")
def places(mirror, tmp_path_factory):
    """Return the places for loaders: the mirror, and an empty cache."""
    return {"mirror": mirror, "cache": tmp_path_factory.mktemp("cache"), "offline": True}


@pytest.fixture(scope="module")
def data(request, places):
    """Return the data set with the name of the test module."""
    return load(request.module.__name__.rpartition("test_")[2], **places)
