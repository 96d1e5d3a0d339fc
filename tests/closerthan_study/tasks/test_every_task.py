"""Check what holds for the fits of every task."""

import pytest

from closerthan_study.tasks import names
from toy_study import check_repeats

PAPER = {"variants": {"paper": {}}}
LEARNED = {
    "mds": ["search", "smacof", "svd", "isomap", "lle"],
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
    whole = check_repeats(make_toy[task](**changes), method, tmp_path)
    assert task != "online" or whole.learned.empty
