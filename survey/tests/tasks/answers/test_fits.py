"""Check that fits never learn from the test part, and score as by hand."""

import numpy as np
import pytest

from closerthan.comparisons.sample import split
from closerthan.ordinal import OrdinalEmbedding
from closerthan.scores.error import triplet_error
from closerthan.scores.probability import log_loss
from closerthan.scores.procrustes import procrustes_distance
from closerthan_lab.quality.ceiling import noise_ceiling
from closerthan_study.seeds import seed_sequence
from closerthan_survey.tasks.answers.fits import _fitted_attributes
from closerthan_survey.tasks.answers.maps import distance_of_maps
from closerthan_survey.tasks.answers.split import read_split
from toy_study import pick


def seed(*words):
    sequence = seed_sequence(7, "papers", "perceptual_color_triplets", *words)
    return int(sequence.generate_state(1)[0])


def test_the_default_is_the_packages(survey):
    toy = survey()
    fits = toy.make_fits("default")
    curves, learned = fits.curves, fits.learned
    for trial in (0, 1):
        train, test = read_split(toy.trials, trial)
        random_state = seed("default", "default", "none", trial)
        model = OrdinalEmbedding(2, n_objects=10, random_state=random_state).fit(train)
        (row,) = pick(curves, trial=trial).itertuples()
        assert row.test_error == pytest.approx(1 - model.score(test))
        assert row.log_loss == pytest.approx(log_loss(model.predict_proba(test), test))
        assert row.strength == model.strength_ and row.n_train == len(train)
        points = pick(learned, trial=trial)[["x0", "x1"]].to_numpy()
        np.testing.assert_allclose(points, model.embedding_, rtol=1e-5, atol=1e-6)
    seconds = fits.seconds
    assert (seconds.seconds > 0).all() and "seconds" not in curves


def test_losses_sweeps_and_shares_are_what_they_say(survey):
    toy = survey()
    plain = toy.make_fits("plain").curves
    assert set(plain.loss) == {"ste", "soe"} and (plain.strength == 0).all()
    assert pick(plain, loss="soe").log_loss.isna().all()
    assert pick(plain, loss="ste").log_loss.notna().all()
    wide = toy.make_fits("wide").curves
    assert (wide.n_components == wide["sweep"]).all() and set(wide["sweep"]) == {1, 3}
    few = toy.make_fits("few").curves
    assert set(pick(few, sweep=1.0).n_train) == {400} and set(pick(few, sweep=0.2).n_train) == {80}


def test_the_dimension_is_chosen_on_training_answers_alone(survey):
    toy = survey()
    curves = toy.make_fits("chosen").curves
    words = ("chosen", "tuned", "none")
    for trial in (0, 1):
        train, _ = read_split(toy.trials, trial)
        tuning = seed_sequence(7, "papers", "perceptual_color_triplets", *words, "tuning", trial)
        rest, held = split(train, 0.8, random_state=tuning)
        state = seed(*words, trial)
        errors = [
            1 - OrdinalEmbedding(p, n_objects=10, random_state=state).fit(rest).score(held)
            for p in (1, 2)
        ]
        (row,) = pick(curves, trial=trial).itertuples()
        assert row.n_components == 1 + np.argmin(errors)


def test_controls_know_the_truth_or_how_people_agree(survey, people):
    toy = survey()
    (least,) = set(toy.make_fits("ceiling").curves.test_error)
    assert least == pytest.approx(1 - noise_ceiling(people).value) and 0 < least < 0.2
    random = toy.make_fits("random").curves.test_error
    assert ((random > 0.3) & (random < 0.7)).all()
    toy = survey("simulated", {"points": np.zeros((2, 2))})
    errors = toy.make_fits("ceiling").curves.test_error
    assert errors.to_numpy() == pytest.approx(0.1, abs=0.03)
    toy = survey("simulated_city", {"points": np.zeros((2, 2))})
    assert toy.make_fits("ceiling").curves.test_error.isna().all()


def test_votes_beat_chance_and_stay_behind(survey):
    toy = survey("simulated_exact", {"points": np.zeros((2, 2))})
    votes, default = (toy.make_fits(name).curves.test_error for name in ("votes", "default"))
    assert (votes < 0.35).all() and (default < votes).all()


def test_another_start_and_calibration_are_recorded_where_asked_for(survey):
    toy = survey(again=True, calibration=True)
    curves = toy.make_fits("plain").curves
    whole, bins = curves[curves.k.isna()], curves[curves.k.notna()]
    assert whole.start_spread.between(0, 1).all() and whole.start_spread.notna().all()
    assert set(bins.loss) == {"ste"}, "the one with a probability"
    assert ((bins.predicted >= 0.5 + 0.05 * bins.k) & bins.observed.between(0, 1)).all()
    assert (bins.predicted <= 0.5 + 0.05 * (bins.k + 1) + 1e-12).all()


def test_maps_are_compared_where_both_have_objects():
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 8, 2))
    missing = one.copy()
    missing[2] = np.nan
    rest = np.arange(8) != 2
    assert distance_of_maps(missing, other) == procrustes_distance(one[rest], other[rest])
    assert distance_of_maps(one, 3 * one[:, ::-1] + 1) == pytest.approx(0, abs=1e-12)
    assert np.isnan(distance_of_maps(np.zeros((8, 2)), one))
    assert np.isnan(distance_of_maps(np.full((8, 2), np.nan), one))


def test_a_model_that_has_points_alone_is_scored_by_them(survey):
    toy = survey()
    fits = toy.make_fits("votes")
    learned, curves = fits.learned, fits.curves
    _, test = read_split(toy.trials, 0)
    points = pick(learned, trial=0)[["x0", "x1"]].to_numpy()
    assert pick(curves, trial=0).test_error.item() == pytest.approx(triplet_error(points, test))


def test_a_fit_that_need_not_move_has_no_epochs():
    line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    places = np.arange(4.0)[:, None]
    model = OrdinalEmbedding(1, loss="soe", penalty=None, init=10 * places, solver="l-bfgs")
    assert model.fit(line).history_.empty
    assert _fitted_attributes(model, 4)["epochs"] == 0
