"""Make a page of the toy study with results in a temporary folder."""

from functools import partial

import matplotlib.pyplot as plt
import pytest

from toy_page import make_page


@pytest.fixture
def toy(tmp_path):
    """Make the page of the toy study with the given tidy scores, by experiment and method."""
    yield partial(make_page, tmp_path)
    plt.close("all")
