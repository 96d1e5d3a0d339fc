"""Fits to training answers, scored on held-out answers."""

from functools import cached_property, lru_cache, partial
from time import perf_counter

import numpy as np
import pandas as pd

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.sample import split
from closerthan.discovery import short_names
from closerthan.losses import find_loss
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan.scores.error import triplet_error
from closerthan.scores.probability import expected_calibration_error, log_loss, reliability_curve
from closerthan_lab.people.people_embedding import PeopleEmbedding
from closerthan_lab.quality.ceiling import noise_ceiling
from closerthan_study.reading import coordinates
from closerthan_study.tasks import base
from closerthan_study.tasks.base import CONTROL, build, tabulate_map
from closerthan_survey.reading import answers_of
from closerthan_survey.tasks.answers.maps import distance_of_maps
from closerthan_survey.tasks.answers.split import is_simulated, read_split

TRAINED = 0.8  # in tuning: share of the training answers to fit; the others are scored


class Fitting(base.Fitting):
    """Fits to answers: a curve of one row, and with `calibration` one per bin k."""

    def __init__(self, setup):
        super().__init__(setup)
        self._answers = lru_cache(maxsize=1)(partial(read_split, setup.folder("trials")))
        compile_kernels(self.experiment.n_components)

    def error(self, run, parameters, trial):
        """Return the error on a fifth of the training questions, after a fit to the others."""
        train, _ = self._answers(trial)
        seeds = self.setup.seed_of_study(*_words(run), "tuning", trial)
        rest, held = split(train, TRAINED, random_state=seeds)
        return error_of(self._model(run, parameters, trial).fit(rest), held)

    def fit(self, run, parameters, trial):
        """Fit one trial; return the scores and the points."""
        train, test = self._answers(trial)
        if run.variant == CONTROL:
            return self.control(run.method.control, test, trial)
        share = parameters.get("share", 1.0)
        if share < 1.0:
            train, _ = split(train, share, random_state=self.setup.seed_of_study("share", trial))
        model = self._model(run, parameters, trial)
        began = perf_counter()
        model.fit(train)
        row = {"seconds": perf_counter() - began, "n_train": len(train)}
        row |= scores_of(model, test) | _fitted_attributes(model, len(train))
        points = getattr(model, "embedding_", None)
        if self.experiment.again and points is not None:
            other = self._model(run, parameters, trial, "again").fit(train).embedding_
            row["start_spread"] = distance_of_maps(points, other)
        curve = pd.DataFrame([row])
        if self.experiment.calibration and hasattr(model, "predict_proba"):
            curve = pd.concat([curve, calibration(model, test)], ignore_index=True)
        return curve, None if points is None else tabulate_map(points)

    def _model(self, run, parameters, trial, *words):
        """Return a model with its own parameters and the task's parameters that it accepts."""
        learner, n_objects = run.method.learner, len(self.setup.objects_of(trial))
        seeds = self.setup.seed_of_study(*_words(run), trial, *words)
        given = {
            "n_objects": n_objects,
            "random_state": int(seeds.generate_state(1)[0]),
            "n_components": self.experiment.n_components,
        }
        if run.loss != base.NONE:
            entry = self.setup.losses[run.loss]
            given["loss"] = find_loss(entry.cls)(**entry.parameters)
        settings = given | {key: parameters[key] for key in parameters if key != "share"}
        settings["n_components"] = min(int(settings["n_components"]), n_objects - 1)
        return build(learner, settings)

    def control(self, name, test, trial):
        """Return the error of random points, or the least possible error (NaN if unknown)."""
        objects = self.setup.objects_of(trial)
        truth = coordinates(objects)
        match name:
            case "random":
                rng = np.random.default_rng(self.setup.seed_of_study(name, trial))
                shape = len(objects), self.experiment.n_components
                error = triplet_error(rng.normal(size=shape), test)
            case "ceiling" if truth.size:
                error = triplet_error(truth, test)
            case "ceiling" if is_simulated(self.setup.dataset):  # by a metric, without true points
                error = np.nan
            case "ceiling":
                error = self._least_error
        return pd.DataFrame([{"seconds": np.nan, "test_error": error}]), None

    @cached_property
    def _least_error(self):
        """One less the noise ceiling of all answers; NaN if no question is repeated."""
        try:
            return 1.0 - noise_ceiling(answers_of(self.setup.data)).value
        except ValueError:  # no question is asked twice
            return np.nan


def error_of(model, test):
    """Return the weighted share of answers that a fitted model predicts wrongly."""
    if hasattr(model, "score"):
        return 1.0 - model.score(test)
    return triplet_error(model.embedding_, test)


def scores_of(model, test):
    """Return the scores of a model's predictions, by measure."""
    found = {"test_error": error_of(model, test)}
    if hasattr(model, "predict_proba"):
        probability = model.predict_proba(test)[:, 1]
        found["log_loss"] = log_loss(probability, test)
        found["calibration_error"] = expected_calibration_error(probability, test)
    return found


def calibration(model, test):
    """Return one row per bin of probabilities: k, predicted and observed."""
    curve = reliability_curve(model.predict_proba(test)[:, 1], test)
    bins = (10 * (2 * curve.prob_pred - 1)).astype(int).clip(0, 9)
    return pd.DataFrame({"k": bins, "predicted": curve.prob_pred, "observed": curve.prob_true})


def _fitted_attributes(model, n_train):
    """Return the fitted attributes of a model, by measure."""
    found = {}
    for measure in ("strength", "lapse"):
        if hasattr(model, f"{measure}_"):
            found[measure] = getattr(model, f"{measure}_")
    if hasattr(model, "history_"):
        evaluations = model.history_.evaluations  # empty if the start was a minimum
        found["epochs"] = evaluations.iloc[-1] / n_train if len(evaluations) else 0.0
    if hasattr(model, "embedding_"):
        found["n_components"] = model.embedding_.shape[1]
    return found


def _words(run):
    return run.method.name, run.variant, run.loss


def compile_kernels(n_components=2):
    """Run every compiled function once, so that later jobs find it in the numba cache."""
    triplets = np.arange(n_components + 9)[:, None] + [0, 1, 2]
    quadruplets = np.arange(n_components + 9)[:, None] + [0, 1, 2, 3]
    for comparisons in (triplets, quadruplets):
        weighted = Answers(comparisons, weight=np.arange(1.0, len(comparisons) + 1))
        for given, names in ((comparisons, short_names("closerthan.losses")), (weighted, ["auto"])):
            for loss in names:
                OrdinalEmbedding(n_components, loss=loss, max_iter=3, random_state=0).fit(given)
        two = Answers(comparisons, participant=np.arange(len(comparisons)) % 2)
        PeopleEmbedding(n_components, width=0.5, max_iter=3, random_state=0).fit(two)
    for solver in short_names("closerthan.optimize"):
        model = OrdinalEmbedding(n_components, solver=solver, max_iter=3, random_state=0)
        model.fit(triplets)
        model.fit(np.tile(triplets, (len(triplets), 1)))  # dense
