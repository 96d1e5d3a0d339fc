"""The real files: where they are, and the data set that a module of tests is named after."""

import pytest

from closerthan.datasets import load


@pytest.fixture(scope="session")
def places(mirror, tmp_path_factory):
    """Where loaders may look: the mirror, and a cache in which nothing is."""
    return {"mirror": mirror, "cache": tmp_path_factory.mktemp("cache"), "offline": True}


@pytest.fixture(scope="module")
def data(request, places):
    """The data set whose name the module of the test has."""
    return load(request.module.__name__.rpartition("test_")[2], **places)
