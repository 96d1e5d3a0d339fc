"""Check the loop of all tasks: each way to run a method, in turn, and the tables."""

import numpy as np
import pandas as pd
import pytest

from closerthan_study.origin import origin
from closerthan_study.tasks.base import KEYS, SUFFIXES, Fitting, fit_methods, in_turn, runs_of

SGD = {"paper": {"parameters": {"decay": 0.01}}, "default": {}}
METHODS = {
    "svrg": {"solver": "SVRG", "batch_sizes": [1, 5], "variants": {"default": {}}},
    "sgd": {"solver": "SGD", "variants": SGD},
    "random": {"control": "random"},
}
NOISY = {"source": "points", "n_train": 60, "n_test": 20, "noise": [0.0, 0.2]}


class Counting(Fitting):
    """Record its calls; the error is the distance of a parameter from 3."""

    def __init__(self, *args):
        super().__init__(*args)
        self.fitted, self.tried = [], []

    def fit(self, run, parameters, trial):
        self.fitted.append((run.method.name, run.variant, run.loss, run.noise, trial))
        curve = {"epoch": [0.0, 1.0], "seconds": [0.0, np.nan], "value": [1.0, 2.0], **parameters}
        learned = None if run.method.control else pd.DataFrame({"x0": [trial]})
        return pd.DataFrame(curve), learned

    def error(self, run, parameters, trial):
        self.tried.append((trial, parameters))
        return sum(abs(value - 3) for value in parameters.values())


def counting(toy):
    return Counting(toy.setup)


def test_methods_are_fitted_in_turn_trial_by_trial_and_noise_by_noise(study):
    toy = study(methods=METHODS, comparisons=NOISY, losses={"ste": {"class": "STE"}})
    fitting = counting(toy)
    found = in_turn(fitting, {"svrg": [0, 1], "sgd": [0], "random": [0, 1]})
    order = [(trial, run.noise, run.method.name) for run, trial in found]
    of_first = [*["svrg"] * 2, *["sgd"] * 2, "random"]
    of_second = [*["svrg"] * 2, "random"]
    assert order == [
        *((0, 0.0, name) for name in of_first),
        *((0, 0.2, name) for name in of_first),
        *((1, 0.0, name) for name in of_second),
        *((1, 0.2, name) for name in of_second),
    ]


def test_tables_have_a_row_a_look_with_keys_and_seconds_apart(study, tmp_path):
    toy = study(methods=METHODS, comparisons=NOISY, losses={"ste": {"class": "STE"}})
    fitting = counting(toy)
    fit_methods(fitting, {"sgd": [0, 1], "random": [1]}, tmp_path, list)
    assert len(fitting.fitted) == len(set(fitting.fitted)) == 2 * 2 * 2 + 2
    names = {path.name for path in tmp_path.iterdir() if path.name.count(".") in (1, 2)}
    assert {f"{name}.{suffix}" for name in ("sgd", "random") for suffix in SUFFIXES} <= names
    curves, learned, seconds = (pd.read_parquet(tmp_path / f"sgd.{s}") for s in SUFFIXES)
    assert len(curves) == 2 * 8 and "seconds" not in curves
    assert set(curves.columns) >= {*KEYS, "epoch", "value"}
    assert len(learned) == 8 and (learned.x0 == learned.trial).all()
    made_by = origin(fitting.setup.spec.root)
    assert len(seconds) == 8 and set(seconds.columns) == {*KEYS, "epoch", "seconds", *made_by}
    assert all((seconds[name].fillna("") == (value or "")).all() for name, value in made_by.items())
    assert pd.read_parquet(tmp_path / "random.embedding.parquet").empty


def test_parameters_are_tuned_one_after_another_and_once_for_all_trials(study, monkeypatch):
    grid = {"tau": [1, 4, 9], "step_size": [0, 2]}
    variants = {"tuned": {"tune": grid, "tune_on": "test", "parameters": {}}}
    toy = study(
        task="online",
        comparisons={"source": "people", "n_train": 9},
        methods={"batch": {"model": "BatchKernel", "variants": variants}},
        losses={"ste": {"class": "STE"}},
        tuning_trials=1,
    )
    (run,) = runs_of(toy.experiment, toy.experiment.methods["batch"], ["ste"])
    fitting = counting(toy)
    for trial in (0, 1):
        parameters, tuned = fitting.parameters(run, trial)
        assert parameters == tuned == {"tau": 4, "step_size": 2}
    tried = [parameters for _, parameters in fitting.tried]
    first = [{"tau": 1}, {"tau": 4}, {"tau": 9}]
    assert tried == [*first, {"tau": 4, "step_size": 0}, {"tau": 4, "step_size": 2}]
    monkeypatch.setattr(type(toy.experiment), "tunes_every_trial", True)
    each = counting(toy)
    for trial in (0, 1, 1):
        each.parameters(run, trial)
    assert [trial for trial, _ in each.tried] == [0] * 5 + [1] * 5


def test_a_task_that_tunes_nothing_says_so(study):
    toy = study(methods=METHODS)

    class Plain(Fitting):
        fit = None

    with pytest.raises(NotImplementedError, match="ordinal tunes nothing"):
        Plain(toy.setup).error(None, {}, 0)
