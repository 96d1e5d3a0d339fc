"""Check figures of odd ones out: what is drawn, in which order, and what is gray."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba

from closerthan_study.figures.curves import GRAY
from closerthan_study.tasks.base import tabulate_map
from closerthan_survey.figures import odd_ones
from toy_page import SIZES, TOY, make_page

DEFAULT = {"variants": {"default": {}}}
SPOSE = {"model": "SPoSE", "sweep": {"n_train": [2000, 50000]}}
FEATURES = {"features": "simulated_dimensions"}
THINGS = {
    "task": "odd_ones",
    "shows": "odd ones out",
    "datasets": ["simulated_dimensions"],
    "answers": {},
    "methods": {
        "dimensions": {"label": "dimensions", **SPOSE, **DEFAULT},
        "both": {"label": "both", "model": "OrdinalEmbedding", **FEATURES, **DEFAULT},
        "published": {"label": "published", "control": "product", **FEATURES},
        "ceiling": {"label": "ceiling", "control": "ceiling"},
    },
    "scales": dict.fromkeys(("smoke", "default", "paper"), SIZES),
}


def of_trials(values, **keys):
    """Return a row a trial, by default of accuracies."""
    keys = {"variant": "default", "measure": "accuracy", **keys}
    return [{**keys, "trial": trial, "value": value} for trial, value in enumerate(values)]


def seconds(n_train):
    keys = {"sweep": n_train, "measure": "seconds", "method": "dimensions"}
    return of_trials([n_train] * 3, **keys)


@pytest.fixture
def page(tmp_path):
    """Make a page with accuracies by hand."""
    few, many = (0.4, 0.41, 0.42), (0.5, 0.51, 0.52)
    rows = {
        "dimensions": of_trials(few, sweep=2000.0) + of_trials(many, sweep=50000.0),
        "both": of_trials([0.6, 0.61, 0.62]),
        "published": of_trials([0.55], variant="control"),
        "ceiling": of_trials([0.7], variant="control"),
        "seconds": seconds(2000.0) + seconds(50000.0),
    }
    drawn = {"comparisons": {"train": 51234, "test": [600, 700]}}
    study = TOY | {"experiments": {"things": THINGS}}
    shapes = {"simulated_dimensions": {"features": [60, 2]}}
    yield make_page(tmp_path, {"things": rows}, drawn, study=study, shapes=shapes)
    plt.close("all")


def test_the_sizes_are_named(page):
    said = odd_ones.answer_counts(page, "things")
    of_data, _, of_trial = said.partition(", ")
    assert of_data == page.label("simulated_dimensions")
    assert of_trial == "51,234 training answers, 600 to 700 test answers; 3 trials"


def test_a_line_has_the_median_at_each_number_of_answers(page):
    figure = odd_ones.over_answers(page, "things", {"accuracy": "accuracy"})
    (ax,) = figure.axes
    (line,) = [line for line in ax.lines if len(line.get_xdata()) == 2]
    np.testing.assert_allclose(line.get_xydata(), [[2000, 0.41], [50000, 0.51]])
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["2000", "50k"]
    assert ax.get_xscale() == "log" and ax.get_title() == "accuracy"


def test_costs_are_read_from_their_own_file(page):
    figure = odd_ones.over_answers(page, "things", {"seconds": "seconds"}, costs=True, yscale="log")
    (line,) = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 2]
    np.testing.assert_allclose(line.get_ydata(), [2000, 50000])


def test_the_best_is_at_the_top_and_what_learns_nothing_is_gray(page):
    figure = odd_ones.ranked(page, "things")
    (ax,) = figure.axes
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["dimensions", "published", "both"]
    dots = ax.collections[-1]
    np.testing.assert_allclose(dots.get_offsets()[:, 0], [0.46, 0.55, 0.61])
    assert tuple(dots.get_facecolors()[1]) == to_rgba(GRAY)
    assert [line.get_xdata()[0] for line in ax.lines] == [0.7]  # the ceiling


def test_published_dimensions_are_found_among_learned_ones(page):
    rng = np.random.default_rng(0)
    points = rng.random((60, 3))
    folder = page.spec.folder("fits", page.experiments["things"], "simulated_dimensions", 0)
    folder.mkdir(parents=True, exist_ok=True)
    columns = {"variant": "default", "loss": "none", "trial": 0, "sweep": np.nan, "noise": 0.0}
    tabulate_map(points).assign(**columns).to_parquet(folder / "dimensions.embedding.parquet")
    np.savez(f"{page.spec.results}/data/simulated_dimensions.npz", features=points[:, [2, 0]] + 1.0)
    figure = odd_ones.beside_published(page, "things", "dimensions", {"published": "Theirs"})
    (ax,) = figure.axes
    # Each is one of the learned dimensions, and is named by the objects with most of it.
    np.testing.assert_allclose(ax.lines[0].get_xdata(), 1, atol=1e-6)
    largest = np.argsort(-points[:, 2])[:3] + 1
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert len(names) == 2 and ", ".join(map(str, largest)) in names and ax.get_title() == "Theirs"
