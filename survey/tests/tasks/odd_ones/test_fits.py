"""Check that fits never learn from the test part, and score as by hand."""

import numpy as np
import pytest

from closerthan import OrdinalEmbedding
from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan_lab.datasets.simulated_dimensions import make_dimensions
from closerthan_lab.spose import largest_correlations
from closerthan_lab.spose.spose import SPoSE
from closerthan_study.seeds import seed_sequence
from closerthan_survey.tasks.odd_ones import fits, predict
from toy_study import pick


def seed(*words):
    sequence = seed_sequence(7, "papers", "toy", "simulated_dimensions", *words)
    return int(sequence.generate_state(1)[0])


def test_dimensions_learn_the_first_training_answers(odd_ones):
    toy = odd_ones()
    fits = toy.make_fits("spose")
    for trial, n in ((0, 200), (1, 1000)):
        train, test = toy.setup.comparisons(trial)
        random_state = seed("spose", "default", trial)
        model = SPoSE(8, n_objects=60, random_state=random_state).fit(train[:n])
        (row,) = pick(fits.curves, trial=trial, sweep=n).itertuples()
        assert row.accuracy == pytest.approx(model.score(test)) and row.n_answers == n
        assert (row.sparsity, row.spose_ridge) == pytest.approx(model.strength_)
        assert row.n_dimensions == model.embedding_.shape[1]
        rows = pick(fits.learned, trial=trial, sweep=n)
        kept = rows.filter(regex=r"^x\d+$").dropna(axis="columns", how="all").to_numpy()
        np.testing.assert_allclose(kept, model.embedding_, rtol=1e-5, atol=1e-6)
    assert (fits.seconds.seconds > 0).all() and {"seconds", "megabytes"}.isdisjoint(fits.curves)


def test_features_place_objects_without_answers(odd_ones):
    toy = odd_ones({"test": "object", "share": 0.2})
    data = make_dimensions(random_state=0)
    train, test = toy.setup.comparisons(0)
    answers = from_odd_one_out(train, train[:, 2])
    by_chance = np.log(3)
    for name in ("both", "features", "distances"):
        (row,) = pick(toy.make_fits(name, [0]).curves).itertuples()
        model = OrdinalEmbedding(4, n_objects=60, random_state=seed(name, "default", 0))
        model.fit(answers, features=None if name == "distances" else data.features)
        if name == "features":
            model.embedding_ = data.features @ model.coef_ + model.intercept_
        alike, _ = predict.similarities(model, None, test)
        assert row.accuracy == pytest.approx(predict.accuracy(alike))
        assert row.log_loss == pytest.approx(predict.log_loss_of_odds(alike))
        if name == "distances":
            assert row.accuracy < 0.05 and row.log_loss > 0.8 * by_chance
        elif name == "both":
            assert row.accuracy > 0.45 and row.log_loss < by_chance


def test_a_parameter_is_tuned_on_training_answers_alone(odd_ones, monkeypatch):
    toy = odd_ones({"test": "object"})
    train, test = toy.setup.comparisons(0)
    seen, accuracy = [], predict.accuracy
    monkeypatch.setattr(predict, "accuracy", lambda x: seen.append(len(x)) or accuracy(x))
    (row,) = toy.make_fits("sdca", [0]).curves.itertuples()
    *tuning, last = seen
    assert len(tuning) == 2 and max(tuning) < len(train) and last == len(test)
    assert row.reg in (1e-4, 1.0) and row.accuracy > 0.4


def test_controls_by_hand(odd_ones):
    toy = odd_ones()
    data = make_dimensions(random_state=0)
    _, test = toy.setup.comparisons(0)
    centered = data.features - data.features.mean(axis=0)
    cosines = centered @ centered.T
    lengths = np.sqrt(np.diag(cosines))
    wanted = {
        "cosine": cosines / np.outer(lengths, lengths),
        "product": data.features @ data.features.T,
        "truth": data.points @ data.points.T,
    }
    for name, similar in wanted.items():
        a, b, c = test.T
        hits = (similar[a, b] > similar[a, c]) & (similar[a, b] > similar[b, c])
        (row,) = pick(toy.make_fits(name).curves, trial=0).itertuples()
        assert row.accuracy == pytest.approx(hits.mean())
    assert pick(toy.make_fits("truth").curves, trial=0).accuracy.item() > 0.55


def test_the_ceiling_is_the_share_of_the_most_frequent_answers():
    asked = np.array([[0, 1, 2]] * 3 + [[2, 1, 0]] + [[3, 4, 5], [5, 4, 3]] + [[6, 7, 8]])
    assert fits.ceiling(asked) == pytest.approx((3 + 1) / 6)
    assert np.isnan(fits.ceiling(asked[-1:]))


def test_what_is_found_of_a_known_truth(odd_ones):
    drawn = {"test": "drawn", "n_train": 4000, "n_test": 1000}
    toy = odd_ones(drawn)
    fits = toy.make_fits("spose", [0])
    (row,) = pick(fits.curves, sweep=1000).itertuples()
    truth = make_dimensions(random_state=0).points
    kept = pick(fits.learned, sweep=1000).filter(regex=r"^x\d+$").dropna(axis="columns", how="all")
    found = largest_correlations(truth, kept.to_numpy(float)) > 0.8
    assert row.found == pytest.approx(found.mean()) and row.found > 0
    best = pick(toy.make_fits("truth").curves, trial=0).accuracy.item()
    assert row.below_truth == pytest.approx(best - row.accuracy)


def test_memory_is_that_of_the_fit(odd_ones):
    fits.forget_peak()
    before = fits.peak()
    if np.isnan(before):
        pytest.skip("only Linux tells the peak memory")
    held = np.ones(20_000_000)
    assert fits.peak() > before + 100
    del held
    fits.forget_peak()
    assert fits.peak() < before + 100
    seconds = odd_ones().make_fits("distances", [0]).seconds
    assert (seconds.megabytes > 50).all()


def test_scores_are_tidy(odd_ones, tidy_scores):
    table = tidy_scores(odd_ones())
    assert {"accuracy", "log_loss", "n_dimensions", "sparsity"} <= set(table.measure)
    assert table[table.measure == "accuracy"].value.between(0, 1).all()
    assert set(table[table.method == "ceiling"].measure) == {"accuracy"}
