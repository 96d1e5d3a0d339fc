"""Set up the tests of the solvers."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Hold BLAS to one thread, because a second one only waits on such small vectors."""
    with threadpool_limits(1):
        yield
