"""PeopleEmbedding: what it finds in simulated people, what it predicts, and what it refuses."""

import numpy as np
import pandas as pd
import pytest

from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers, from_odd_one_out
from closerthan_lab.people import PeopleEmbedding
from closerthan_lab.people.people_embedding import WIDTHS, _widest_good
from people.simulated import axes_of, centered, simulate

POINTS, LOGS, ANSWERS = simulate(0, width=0.8)


@pytest.fixture(scope="module")
def fitted():
    return PeopleEmbedding(random_state=0).fit(ANSWERS)


def test_finds_the_weights(fitted):
    weights, _ = centered(LOGS)
    order = axes_of(POINTS, fitted.embedding_)
    assert sorted(order) == [0, 1]
    found = np.log(fitted.people_[["weight_1", "weight_2"]].to_numpy())[:, order]
    assert np.corrcoef(found.ravel(), weights.ravel())[0, 1] > 0.95
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-12)


def test_own_weights_predict_better_than_the_common_map(fitted):
    _, _, more = simulate(0, width=0.8, n_answers=330)
    new = more.take(np.tile(np.arange(330) >= 300, 30))
    common = OrdinalEmbedding(random_state=0).fit(ANSWERS)
    assert fitted.score(new) > common.score(new) + 0.02
    people = fitted.people_
    assert people["accuracy"].mean() > people["accuracy_common"].mean() + 0.02


def test_own_map_has_the_persons_distances(fitted):
    triplets = ANSWERS.comparisons[:50]
    places = fitted.embedding_of(0)
    i, j, k = places[triplets].transpose(1, 0, 2)
    nearer = ((i - j) ** 2).sum(axis=1) < ((i - k) ** 2).sum(axis=1)
    of_person = Answers(triplets, participant=np.zeros(50, dtype=int))
    np.testing.assert_array_equal(fitted.predict(of_person), nearer)
    np.testing.assert_array_equal(fitted.predict_proba(of_person)[:, 1] > 0.5, nearer)
    root = np.sqrt(fitted.people_.loc[0, "scale"] * fitted.people_.loc[0, ["weight_1", "weight_2"]])
    np.testing.assert_allclose(places, fitted.embedding_ * root.to_numpy(float))


def test_someone_new_has_the_common_map(fitted):
    new = Answers(ANSWERS.comparisons[:9], participant=["new"] * 9)
    np.testing.assert_array_equal(fitted.embedding_of("new"), fitted.embedding_)
    common = fitted.predict_proba(ANSWERS.comparisons[:9])
    np.testing.assert_array_equal(fitted.predict_proba(new), common)


def test_any_number_of_threads_gives_the_same_numbers(fitted):
    again = PeopleEmbedding(random_state=0, n_jobs=3).fit(ANSWERS)
    np.testing.assert_array_equal(again.embedding_, fitted.embedding_)
    pd.testing.assert_frame_equal(again.people_, fitted.people_)


def test_people_without_differences_share_the_map():
    _, _, answers = simulate(1, width=0.0, scale=0.0)
    model = PeopleEmbedding(random_state=0).fit(answers)
    assert model.width_ <= 0.1
    weights = model.people_[["weight_1", "weight_2"]]
    assert np.abs(np.log(weights)).max().max() < 0.2


def test_a_width_of_zero_gives_everyone_the_same_map():
    model = PeopleEmbedding(width=0.0, random_state=0).fit(ANSWERS)
    for person in range(30):
        np.testing.assert_array_equal(model.embedding_of(person), model.embedding_)
    assert model.choice_ is None
    assert not model.people_["own"].any()
    assert model.people_["weight_1_low"].isna().all()


def test_a_guesser_has_a_high_lapse_rate():
    _, _, answers = simulate(2, scale=0.0)
    comparisons = answers.comparisons.copy()
    guesses = answers.participant == 7
    rng = np.random.default_rng(0)
    turned = guesses & (rng.random(len(comparisons)) < 0.5)
    comparisons[turned] = comparisons[turned][:, [0, 2, 1]]
    guessed = Answers(comparisons, participant=answers.participant)
    people = PeopleEmbedding(random_state=0).fit(guessed).people_
    # A guesser lapses, or has a tiny scale: the answers cannot tell which.
    sure = people["scale"] * (1 - people["lapse"])
    assert sure.idxmin() == 7
    assert sure[7] < 0.5 * sure.drop(7).min()


def test_intervals_hold_rates_scales_and_weights_of_people_who_lapse():
    """Half of the people lapse in three of ten answers; 120 people in four surveys."""
    rates, held = np.tile([0.0, 0.3], 15), []
    for seed in range(4):
        points, logs, answers = simulate(seed, n_answers=400, width=0.8, lapses=rates)
        model = PeopleEmbedding(loss="ste", random_state=0).fit(answers)
        people, (weights, scales) = model.people_, centered(logs)
        first = axes_of(points, model.embedding_)[0] + 1
        for name, true in [
            ("lapse", rates),
            ("scale", np.exp(scales)),
            (f"weight_{first}", np.exp(weights[:, 0])),
        ]:
            held.append((people[f"{name}_low"] <= true) & (true <= people[f"{name}_high"]))
        by_rate = people["lapse"].groupby(rates).mean()
        np.testing.assert_allclose(by_rate, [0, 0.3], atol=0.06)
    shares = np.reshape(held, (4, 3, 30)).mean(axis=(0, 2))
    assert (shares > 0.85).all(), shares


def test_who_answered_questions_alone_may_share_weights(monkeypatch):
    """The first fits after the common map give own weights to people with shared questions only."""
    rng = np.random.default_rng(3)
    same = np.tile(rng.random((60, 90)).argsort(axis=1)[:, :3], (10, 1))
    asked = np.concatenate([same, rng.random((600, 90)).argsort(axis=1)[:, :3]])
    asked[:, 1:] = rng.permuted(asked[:, 1:], axis=1)  # guesses
    answers = Answers(asked, participant=np.repeat(np.arange(20), 60))
    monkeypatch.setattr(
        "closerthan_lab.people.people_embedding._widest_good", lambda *tried: len(WIDTHS)
    )
    model = PeopleEmbedding(random_state=0).fit(answers)
    assert model.choice_["people"].tolist() == [0, *[10] * len(WIDTHS), *[20] * len(WIDTHS)]
    people = model.people_
    assert people["own"].tolist() == [True] * 10 + [False] * 10
    assert people["weight_1_low"].isna().equals(~people["own"])
    assert people["weight_1"][:10].nunique() == 10
    np.testing.assert_allclose(people["weight_1"][10:], 1)  # the map is that of these people
    np.testing.assert_array_equal(model.embedding_of(15), model.embedding_)


def test_the_widest_good_fit_is_taken():
    losses = np.tile([[1.0], [0.9], [0.5], [0.501], [0.6], [0.4]], 100)
    losses[3] += np.tile([0.1, -0.1], 50)  # not significantly worse than fit 2
    right = np.full((6, 100), 1)
    n_own = [0, 30, 30, 30, 30, 60]
    right[5, :3] = 0  # the best log loss, but fewer hits than the common map
    assert _widest_good(losses, right, n_own) == 3
    assert _widest_good(losses[[0, 0]], right[:2], [0, 30]) == 0


def copies(answers, n, weight=None):
    """Return answers of which each is n comparisons of one screen."""
    rows, screen = np.repeat(answers.comparisons, n, axis=0), np.repeat(np.arange(len(answers)), n)
    return Answers(rows, screen=screen, participant=answers.participant, weight=weight)


def with_ends(width, *answers):
    """Return the table of people for each set of answers, with the ends of their intervals."""
    models = [PeopleEmbedding(loss="ste", width=width, random_state=0).fit(a) for a in answers]
    tables = [model.people_ for model in models]
    return [table.assign(end=np.log(table.weight_1_high / table.weight_1)) for table in tables]


def test_screens_of_odd_ones_out_count_once():
    """Two comparisons follow from one odd one out, so the intervals must not be narrower."""
    _, _, answers = simulate(4, n_people=10)
    one, two = with_ends(0.4, answers, copies(answers, 2))
    assert 0.9 < (two["end"] / one["end"]).median() < 1.3


def test_rows_of_weight_zero_change_nothing():
    turned = ANSWERS.comparisons[:, [0, 2, 1]]
    both = Answers(
        np.stack([ANSWERS.comparisons, turned], axis=1).reshape(-1, 3),
        participant=np.repeat(ANSWERS.participant, 2),
        weight=np.tile([1.0, 0.0], len(ANSWERS)),
    )
    one, two = (PeopleEmbedding(random_state=0).fit(given) for given in (ANSWERS, both))
    assert two.width_ == one.width_
    pd.testing.assert_frame_equal(two.choice_, one.choice_, rtol=0.02)


def test_a_weight_of_a_fifth_for_each_of_five_copies_is_one_answer():
    one, five = with_ends(0.8, ANSWERS, copies(ANSWERS, 5, np.full(len(ANSWERS), 0.2)))
    np.testing.assert_allclose(five["end"], one["end"], rtol=0.05)
    np.testing.assert_allclose(five["lapse"], one["lapse"], atol=0.02)


def test_answers_without_errors_are_fitted_with_a_weak_penalty():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(20, 2))
    asked = rng.random((8000, 20)).argsort(axis=1)[:, :3]
    i, j, k = points[asked].transpose(1, 0, 2)
    far = ((i - j) ** 2).sum(axis=1) > ((i - k) ** 2).sum(axis=1)
    asked[far] = asked[far][:, [0, 2, 1]]
    answers = Answers(asked, participant=np.arange(8000) % 10)
    alone = OrdinalEmbedding(random_state=0).fit(answers)
    model = PeopleEmbedding(random_state=0).fit(answers)
    prior = 20 / (2 * 8000)
    assert max(model.common_.strength_, alone.strength_) < prior / 4


def test_names_may_be_numbers_or_text(fitted):
    np.testing.assert_array_equal(fitted.embedding_of("3"), fitted.embedding_of(3))
    assert (fitted.embedding_of(3) != fitted.embedding_).any()


TRIPLETS = ANSWERS.comparisons[:40]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (TRIPLETS, "X: give Answers with participants"),
        (Answers(TRIPLETS), "participants of these answers are unknown"),
        (
            Answers(TRIPLETS, participant=["ann", "Ann "] * 20),
            "'Ann ' and 'ann' differ only by blanks or case",
        ),
    ],
)
def test_refuses_people_that_cannot_be_compared(answers, message):
    with pytest.raises(ValueError, match=message):
        PeopleEmbedding().fit(answers)


@pytest.mark.parametrize("width", [-1, "wide", None, True])
def test_refuses_widths(width):
    with pytest.raises(ValueError, match="width="):
        PeopleEmbedding(width=width).fit(ANSWERS)


@pytest.mark.parametrize("loss", ["gnmds", "soe"])
def test_refuses_losses_without_probabilities(loss):
    with pytest.raises(ValueError, match="has no probabilities"):
        PeopleEmbedding(loss=loss).fit(ANSWERS)


def test_odd_ones_out_and_few_answers_are_accepted():
    answers = from_odd_one_out([[0, 1, 2], [1, 2, 3], [0, 2, 3]], [2, 3, 0], participant=[0, 1, 1])
    model = PeopleEmbedding(random_state=0).fit(answers)
    assert model.width_ == 0
    assert model.people_["accuracy"].isna().all()


def test_real_people_answer_the_rest_by_their_own_weights(mirror):
    from closerthan_lab.datasets import load

    answers = load("cfd36").answers
    train = np.random.default_rng(0).random(answers.n_screens) < 0.8
    common = OrdinalEmbedding(random_state=0).fit(answers.take(train))
    own = PeopleEmbedding(random_state=0, n_jobs=-1).fit(answers.take(train))
    rest = answers.take(~train)
    assert own.score(rest) > common.score(rest) + 0.01
