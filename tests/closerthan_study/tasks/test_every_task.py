"""Check what holds for the fits of every task."""

import pandas as pd
import pytest

from closerthan_study.tasks import names
from closerthan_study.tasks.base import SUFFIXES

PAPER = {"variants": {"paper": {}}}
LEARNED = {
    "answers": ["plain"],
    "mds": ["search", "smacof", "svd", "isomap", "lle"],
    "odd_ones": ["spose", "both", "sdca"],
    "online": ["online", "refit"],
    "ordinal": ["batch", "svrg-sbb", "convex"],
    "similarity": ["oasis", "sdca", "lego"],
}


def test_no_task_is_left_out():
    assert set(LEARNED) == set(names())


@pytest.mark.parametrize(
    ("task", "method"), [(task, method) for task in LEARNED for method in LEARNED[task]]
)
def test_runs_and_shards_make_no_difference(make_toy, mds_methods, tmp_path, task, method):
    """A method's tables repeat to the byte, in one job and, if sorted, in many."""
    changes = {}
    if task == "mds":
        others = {"isomap": {"model": "Isomap", **PAPER}}
        others["lle"] = {"model": "LocallyLinearEmbedding", **PAPER}
        changes = {"methods": mds_methods | others, "noise": [0.0, 0.1]}
    toy = make_toy[task](**changes)
    whole = toy.make_fits(method)
    toy.make_fits(method, folder=tmp_path / "again")
    trials = reversed(range(toy.experiment.trials))
    shards = [toy.make_fits(method, [trial], folder=tmp_path / str(trial)) for trial in trials]
    assert "seconds" not in whole.curves and (task != "online" or whole.learned.empty)
    for number, suffix in enumerate(SUFFIXES[:2]):
        places = toy.folder("fits") / "0", tmp_path / "again"
        files = [place / f"{method}.{suffix}" for place in places]
        assert files[0].read_bytes() == files[1].read_bytes()
        table, others = whole[number], pd.concat(shard[number] for shard in shards)
        if not table.empty:
            table, others = (t.sort_values("trial", kind="stable") for t in (table, others))
        pd.testing.assert_frame_equal(
            table.reset_index(drop=True), others.reset_index(drop=True), check_exact=True
        )
