"""Make a page of the toy study with results in a temporary folder."""

import matplotlib.pyplot as plt
import pytest

from toy_page import SHAPES, TOY, tidy
from toy_study import make_page, write_scores


@pytest.fixture
def toy(tmp_path):
    """Make the page of the toy study with the given tidy scores, by experiment and method."""

    def make(scores, drawn=None, scale="smoke"):
        page = make_page(tmp_path, "toy", scale, **TOY)
        nothing = tidy([{"measure": "", "value": 0.0}]).iloc[:0]
        for name, methods in scores.items():
            experiment = page.experiments[name]
            (dataset,) = experiment.datasets
            tables = {method: nothing for method in [*experiment.methods, "seconds"]}
            tables |= {method: tidy(rows) for method, rows in methods.items()}
            for method, table in tables.items():
                words = {"experiment": name, "dataset": dataset}
                words |= {"method": method} if method != "seconds" else {}
                tables[method] = table.assign(**words)
            record = {"title": dataset, "shape": SHAPES[dataset]}
            write_scores(page, experiment, dataset, tables, drawn or {}, record)
        return page

    yield make
    plt.close("all")
