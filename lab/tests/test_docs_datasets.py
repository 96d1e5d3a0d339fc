"""Draw the figure of each data set's page again, and compare numbers and caption with the page.

The figures and the table of first embeddings take a minute together.
"""

import importlib.util
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from page_checks import pictures

DOCS = Path(__file__).resolve().parents[1] / "docs"
spec = importlib.util.spec_from_file_location("draw_datasets", DOCS / "datasets" / "draw.py")
made = importlib.util.module_from_spec(spec)
spec.loader.exec_module(made)


@pytest.mark.parametrize("draw", made.PAGES, ids=lambda draw: draw.__name__)
@pytest.mark.usefixtures("mirror")
def test_a_page_shows_what_its_code_draws(draw):
    page = DOCS / "datasets" / f"{draw.__name__}.md"
    with plt.rc_context({"backend": "agg"}):
        made.style()
        figure, caption = draw()
    kept = pictures.kept(page.with_suffix(".png"))
    assert pictures.are_near(pictures.numbers(figure), kept), "run make draw-datasets"
    plt.close(figure)
    assert " ".join(caption.split()) in " ".join(page.read_text(encoding="utf-8").split())


@pytest.mark.usefixtures("mirror")
def test_the_table_of_first_embeddings_is_of_this_code():
    """On another processor one answer of a small test set may be predicted otherwise."""
    number = re.compile(r"\d\.\d+")
    kept = made.TABLE.search(made.INDEX.read_text(encoding="utf-8"))[2]
    computed = made.table()
    assert number.sub("?", computed) == number.sub("?", kept), "run make draw-datasets"
    pairs = zip(number.findall(computed), number.findall(kept), strict=True)
    np.testing.assert_allclose(*np.array(list(pairs), float).T, rtol=0, atol=0.003)
