"""Check the scores station: every measure has one name and one meaning."""

from closerthan_study import tasks
from closerthan_study.scores import measures


def test_every_task_defines_its_measures_and_a_name_means_the_same_in_all():
    found = {}
    for task in tasks.names():
        for name, description in tasks.module(task, "scores").MEASURES.items():
            assert description == found.setdefault(name, description) == measures()[name]
    assert set(found) < set(measures()), "and there are those of data sets"
