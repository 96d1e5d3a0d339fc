"""A page of the toy study, whose results lie in a temporary folder."""

import matplotlib.pyplot as plt
import pytest

from toy_page import SHAPES, TOY, make_page, plant, tidy


@pytest.fixture
def toy(tmp_path):
    """Make the page of the toy study with the given scores: by experiment and method, tidy rows."""

    def make(scores, drawn=None):
        page = make_page(tmp_path, "toy", TOY)
        for name, methods in scores.items():
            experiment = page.experiments[name]
            (dataset,) = experiment.datasets
            words = {"experiment": name, "dataset": dataset}
            nothing = tidy([{"measure": "", "value": 0.0}]).iloc[:0]
            tables = {}
            for method in [*experiment.methods, "seconds"]:
                table = tidy(methods[method]) if method in methods else nothing
                own = words | {"method": method} if method != "seconds" else words
                tables[method] = table.assign(**own)
            record = {"name": dataset, "title": dataset, "shape": SHAPES[dataset]}
            plant(page, experiment, tables, drawn or {}, record)
        return page

    yield make
    plt.close("all")
