"""Check what holds for the fits of every task of the survey."""

from pathlib import Path

import pytest

import closerthan_survey.tasks
from toy_study import check_repeats

LEARNED = {"answers": ["plain"], "odd_ones": ["spose", "both", "sdca"]}


def test_no_task_is_left_out():
    (folder,) = closerthan_survey.tasks.__path__
    assert set(LEARNED) == {path.parent.name for path in Path(folder).glob("*/settings.py")}


@pytest.mark.parametrize(
    ("task", "method"), [(task, method) for task in LEARNED for method in LEARNED[task]]
)
def test_runs_and_shards_make_no_difference(survey, odd_ones, tmp_path, task, method):
    """A method's tables repeat to the byte, in one job and, if sorted, in many."""
    make = {"answers": survey, "odd_ones": odd_ones}[task]
    check_repeats(make(), method, tmp_path)
