"""Check the scores station: every measure has a name, and every method a file."""

import pandas as pd

from closerthan_study import tasks
from closerthan_study.scores import make_scores, measures
from toy_study import WORDS, files_of, pick

METHODS = {
    "batch": {"solver": "Batch", "variants": {"default": {}}},
    "random": {"control": "random"},
}


def test_every_task_defines_its_measures_and_a_name_means_the_same_in_all():
    found = {}
    for task in tasks.names():
        for name, description in tasks.module(task, "scores").MEASURES.items():
            assert description == found.setdefault(name, description) == measures()[name]
    assert set(found) < set(measures()), "and there are those of data sets"


def test_what_is_scored_is_a_measure(study):
    toy = study(methods=METHODS, target_error=0.3)
    toy.make_trials()
    for method in METHODS:
        toy.make_fits(method)
    make_scores(toy.spec, *WORDS, toy.dataset)
    files = files_of(toy.folder("scores"))
    assert set(files) == {"batch.parquet", "random.parquet", "seconds.parquet"}
    for file in files:
        table = pd.read_parquet(toy.folder("scores") / file)
        assert set(table.measure) <= set(measures())
        types = {name: str(table[name].dtype) for name in ("batch_size", "k", "epoch", "noise")}
        assert types == {
            "batch_size": "Int64",
            "k": "Int64",
            "epoch": "float64",
            "noise": "float64",
        }
    seconds = pd.read_parquet(toy.folder("scores") / "seconds.parquet")
    assert set(pick(seconds, measure="seconds_to_error").trial) == {0, 1}
