"""What the tests of the solvers share."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Hold BLAS to one thread: on vectors this small a second one only waits."""
    with threadpool_limits(1):
        yield
