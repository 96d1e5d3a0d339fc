"""Fits to odd ones out, scored on test answers."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan_lab.datasets.simulated_dimensions import make_dimensions
from closerthan_lab.spose.refits import FOUND, largest_correlations
from closerthan_lab.spose.spose import SPoSE
from closerthan_study.facts import facts
from closerthan_study.tasks import base
from closerthan_study.tasks.base import CONTROL, build, tabulate_map
from closerthan_study.tasks.features import compile_models, learn
from closerthan_survey.tasks.odd_ones import predict, trials

_HELD = 0.2  # in tuning: share of the training questions, or objects, that are scored


class Fitting(base.Fitting):
    """Fits to odd ones out; the learning curve has one row."""

    def __init__(self, setup):
        super().__init__(setup)
        self._features = lru_cache(maxsize=1)(self._read_features)

    def error(self, run, parameters, trial):
        """Return the error on a part of the training answers, after a fit to the others."""
        train = self._training(parameters, trial)
        rng = np.random.default_rng(self.setup.seed("tuning", trial))
        by_object = self.experiment.answers.test == "object"
        split = trials.split_objects if by_object else trials.split_questions
        rest, held = split(train, _HELD, rng)
        model, features = self._fitted(run, parameters, rest, trial)
        return 1.0 - predict.accuracy(predict.similarities(model, features, held)[0])

    def fit(self, run, parameters, trial):
        """Fit one trial; return the scores, and the points if they are kept."""
        _, test = self.comparisons(trial)
        if run.variant == CONTROL:
            found = self._control(run.method, test)
            return pd.DataFrame([{"seconds": np.nan, "accuracy": found}]), None
        train = self._training(parameters, trial)
        forget_peak()
        began = perf_counter()
        model, features = self._fitted(run, parameters, train, trial)
        row = {"seconds": perf_counter() - began, "megabytes": peak(), "n_answers": len(train)}
        alike, are_log_odds = predict.similarities(model, features, test)
        row["accuracy"] = predict.accuracy(alike)
        if are_log_odds:
            row["log_loss"] = predict.log_loss_of_odds(alike)
        points = getattr(model, "embedding_", None)
        if self.experiment.answers.test == "drawn" and isinstance(model, SPoSE):
            row |= self._beside_truth(points, test, row["accuracy"])
        kept = self.experiment.keeps and points is not None
        row |= _fitted_attributes(model)
        return pd.DataFrame([row]), tabulate_map(points) if kept else None

    def _training(self, parameters, trial):
        """Return the training answers, or the first of them."""
        train, _ = self.comparisons(trial)
        return train[: int(parameters.get("n_train", 0)) or len(train)]

    def _fitted(self, run, parameters, triples, trial):
        """Return a model that learned from answers, and the features that it takes."""
        learner, name = run.method.learner, run.method.features
        n_objects = facts()[self.setup.dataset]["n_objects"]
        seeds = self.setup.seed(run.method.name, run.variant, trial)
        given = {"n_objects": n_objects, "random_state": int(seeds.generate_state(1)[0])}
        settings = given | {k: v for k, v in parameters.items() if k not in run.method.also}
        model = build(learner, settings)
        features = self._features(name) if name else None
        if learner is SPoSE:
            return model.fit(triples), None
        answers = from_odd_one_out(triples, triples[:, 2])
        if learner is OrdinalEmbedding:
            model.fit(answers, features=features)
            if parameters.get("only_features"):
                model.embedding_ = model.transform(features=features)
            return model, features
        features = predict.of_directions(features)
        learn(model, features, None, answers.comparisons, seeds)
        return model, features

    def _read_features(self, name):
        return self.setup.arrays_of(name)["features"]

    def _control(self, method, test):
        """Return the accuracy of the true dimensions, of features as they are, or the ceiling."""
        match method.control:
            case "ceiling":
                return ceiling(test)
            case "truth":
                points = trials.dimensions_of(self.setup.data)
            case "product":
                points = self._features(method.features)
            case "cosine":
                points = predict.of_directions(self._features(method.features))
        return predict.accuracy(predict.of_pairs(points, points, test))

    def _beside_truth(self, points, test, reached):
        """Return the share of the true dimensions that were found, and what accuracy lacks."""
        truth = trials.dimensions_of(self.setup.data)
        best = predict.accuracy(predict.of_pairs(truth, truth, test))
        found = (largest_correlations(truth, points) > FOUND).mean()
        return {"found": found, "below_truth": best - reached}


def ceiling(triples):
    """Return the share of the most frequent answers to questions that were asked again."""
    answers = pd.Series(triples[:, 2]).groupby(trials.questions(triples))
    counts = answers.agg(n="size", most=lambda odd: odd.value_counts().iloc[0])
    again = counts[counts.n > 1]
    return again.most.sum() / again.n.sum() if len(again) else np.nan


def _fitted_attributes(model):
    """Return the fitted attributes of a model, by measure."""
    found = {}
    if hasattr(model, "embedding_"):
        found["n_dimensions"] = model.embedding_.shape[1]
    if isinstance(model, SPoSE):
        found["sparsity"], found["spose_ridge"] = model.strength_
    share = getattr(model, "feature_share_", None)
    return found if share is None else found | {"feature_share": share}


def forget_peak():
    """Let the peak memory of this process begin anew; only Linux can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak():
    """Return the peak memory of this process in megabytes; NaN except on Linux."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(n.split()[1]) / 1024 for n in lines if n.startswith("VmHWM")), np.nan)


def compile_kernels():
    """Run every compiled function once, so that later jobs find it in the numba cache."""
    data = make_dimensions(random_state=0)
    triples = trials.answered_triples(data.arrays())[:200]
    SPoSE(3, strength=(0.0, 1.0), max_iter=2, random_state=0).fit(triples)
    answers = from_odd_one_out(triples, triples[:, 2])
    OrdinalEmbedding(3, max_iter=3, random_state=0).fit(answers, features=data.features)
    compile_models()
