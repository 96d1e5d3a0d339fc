"""Check that scores of answers are tidy rows, and maps are compared over trials."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from closerthan_study.scores import measures
from closerthan_study.tasks.base import KEYS
from closerthan_survey.tasks.answers.maps import distance_of_maps
from closerthan_survey.tasks.answers.scores import resample_spread
from closerthan_survey.tasks.answers.settings import Method
from toy_study import pick


def test_every_measure_of_a_fit_is_a_row(survey, tidy_scores):
    toy = survey(again=True, calibration=True)
    scores = tidy_scores(toy)
    assert set(scores.measure) <= set(measures())
    default = pick(scores, method="default")
    counts = default.groupby("measure").size()
    for measure in ("test_error", "log_loss", "calibration_error", "epochs", "start_spread"):
        assert counts[measure] == 2
    curves = pd.read_parquet(toy.folder("fits") / "0" / "default.parquet")
    errors = pick(default, measure="test_error").set_index("trial").value
    whole = curves[curves.k.isna()].set_index("trial")
    pd.testing.assert_series_equal(errors, whole.test_error, check_names=False)
    bins = pick(default, measure="observed")
    assert bins.k.notna().all() and len(bins) == len(pick(default, measure="predicted"))
    assert default[default.measure == "test_error"].k.isna().all()
    assert set(pick(scores, method="chosen", measure="n_components").value) <= {1, 2}


def test_the_spread_of_maps_is_the_mean_distance_to_the_others():
    rng = np.random.default_rng(0)
    maps = rng.normal(size=(3, 6, 2))
    keys = dict.fromkeys(KEYS, 0) | {"variant": "default", "loss": "none", "batch_size": np.nan}
    tables = [
        pd.DataFrame(points, columns=["x0", "x1"]).assign(**{**keys, "trial": t}, object=range(6))
        for t, points in enumerate(maps)
    ]
    wide = pd.DataFrame(rng.normal(size=(6, 3)), columns=["x0", "x1", "x2"])
    wide = wide.assign(**{**keys, "sweep": 3.0, "trial": 0}, object=range(6))
    found = resample_spread(pd.concat([*tables, wide]))
    assert list(found.trial) == [0, 1, 2] and set(found.measure) == {"resample_spread"}
    expected = [
        np.mean([distance_of_maps(maps[t], maps[other]) for other in range(3) if other != t])
        for t in range(3)
    ]
    assert found.value.to_numpy() == pytest.approx(expected)


class CoinFlips(BaseEstimator):
    """A method with a score but no map, as a user may write one."""

    def fit(self, answers):
        return self

    def score(self, answers):
        return 0.5


def test_what_has_a_score_and_no_map_is_scored_on_peoples_answers_too(survey, monkeypatch):
    monkeypatch.setattr(Method, "packages", (*Method.packages, __name__))
    toy = survey(methods={"coin": {"model": "CoinFlips", "variants": {"default": {}}}})
    assert toy.make_fits("coin").learned.empty
    scores = toy.make_scores()
    assert set(scores.measure) == {"test_error", "n_train"}
    assert (pick(scores, measure="test_error").value == 0.5).all()
