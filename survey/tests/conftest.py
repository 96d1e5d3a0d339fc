"""Set up all tests of the survey, as those of the root, with its tasks and the lab's data sets."""

from pathlib import Path

from closerthan_study import folders
from set_up import mirror as mirror
from set_up import pytest_collection_modifyitems as pytest_collection_modifyitems
from set_up import write as write

CLONE = Path(__file__).resolve().parents[2]

# As in config/config.yaml, before a test looks anything up by name.
folders.add(
    tasks=[CLONE / "survey/src/closerthan_survey/tasks"],
    datasets=[CLONE / "lab/src/closerthan_lab/datasets"],
)
