"""Streams: what is scored is what was learned from so many triplets, whatever was learned later."""

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

from relsim import BatchKernel, OnlineKernel
from relsim.losses import STE
from relsim.study.comparisons import draw_points, read_comparisons
from relsim.study.fits.streams import KEYS, compare_projections, learn, passive_aggressive, rank
from relsim.study.scores import COLUMNS
from relsim.study.seeds import seed_sequence

LOSSES = {"gnmds": {"class": "GNMDS"}, "ste": {"class": "STE"}}
REFIT = {"model": "BatchKernel", "losses": ["ste"]}
TAU = {"tau": [0.01, 3.0, 1000.0]}
METHODS = {
    "online": {
        "model": "OnlineKernel",
        "losses": ["gnmds"],
        "sweep": {"revisits": [0, 2]},
        "variants": {"paper": {"parameters": {"gradient": "paper"}}, "default": {}},
    },
    "refit": {**REFIT, "variants": {"default": {"parameters": {"warm_start": True}}}},
    "random": {"control": "random"},
    "truth": {"control": "truth"},
}
POINTS = {"n_objects": 12, "n_components": 3, "variance": 1.0}
COMPARISONS = {"source": "distances", "n_train": 90, "n_validation": 60}


@pytest.fixture
def stream(study):
    """A study of streams, by default of generated points, with its comparisons made."""

    def make(**changes):
        settings = {"learns": "stream", "points": POINTS, "comparisons": COMPARISONS, "epochs": 20}
        settings |= {"methods": METHODS, "losses": LOSSES, "checkpoints": 3, "rank": True}
        toy = study(**{**settings, **changes})
        toy.make_comparisons()
        return toy

    return make


def error_of(kernel, triplets):
    """Count by hand what a kernel gets wrong."""
    distances = np.diag(kernel)[:, None] - 2 * kernel + np.diag(kernel)
    return np.mean([not distances[i, j] < distances[i, k] for i, j, k in triplets])


def pick(table, **keys):
    for key, value in keys.items():
        table = table[table[key] == value]
    return table


def check_row(row, kernel, train, test):
    assert row.test_error == pytest.approx(error_of(kernel, test))
    assert row.train_error == pytest.approx(error_of(kernel, train))
    assert row.trace == pytest.approx(np.trace(kernel))
    assert row["rank"] == np.linalg.matrix_rank(kernel, tol=1e-6 * np.linalg.norm(kernel, 2))


def test_an_online_kernel_is_scored_as_if_the_stream_had_ended_there(stream):
    toy = stream()
    curves = pd.read_parquet(toy.make_fits("online").curves)
    assert len(curves) == 2 * 2 * 2 * 3, "variants, swept values, trials, checkpoints"
    assert set(curves.variant) == {"paper", "default"} and set(curves.loss) == {"gnmds"}
    for revisits, trial, stop in ((0, 0, 30), (2, 1, 60), (2, 1, 90)):
        train, test = read_comparisons(toy.inputs[1], trial)
        words = ("papers", "toy", "synthetic", "online", "default", "gnmds", trial)
        model = OnlineKernel(n_objects=12, revisits=revisits, random_state=seed_sequence(7, *words))
        with threadpool_limits(1):  # a last digit can decide whether an eigenpair is needed
            model.fit(train[:stop])
        keys = {"variant": "default", "sweep": revisits, "trial": trial, "triplets": stop}
        (row,) = pick(curves, **keys).iloc
        check_row(row, model.kernel_, train[:stop], test)
        assert row.epoch == model.n_updates_ / 90
        assert row.eigenpairs == model.n_eigenpairs_


@pytest.mark.parametrize("warm_start", [True, False])
def test_a_batch_kernel_is_fitted_again_on_all_triplets_so_far(stream, warm_start):
    variant = {"parameters": {"warm_start": warm_start, "tol": 0.01}}
    toy = stream(methods={"refit": {**REFIT, "variants": {"default": variant}}})
    curves = pd.read_parquet(toy.make_fits("refit").curves)
    assert "eigenpairs" not in curves and curves.sweep.isna().all()
    train, test = read_comparisons(toy.inputs[1], 1)
    kernel, evaluations = np.eye(12), 0
    for stop in (30, 60, 90):
        start = kernel if warm_start else np.eye(12)
        model = BatchKernel(STE(), n_objects=12, max_iter=20, tol=0.01, init=start)
        kernel = model.fit(train[:stop]).kernel_
        evaluations += model.history_.evaluations.iloc[-1]
        (row,) = pick(curves, trial=1, triplets=stop).iloc
        check_row(row, kernel, train[:stop], test)
        assert row.epoch == evaluations / 90


def test_a_swept_budget_replaces_that_of_the_scale(stream):
    refit = {**REFIT, "sweep": {"max_iter": [1, 5]}}
    refit["variants"] = {"paper": {"parameters": {"step": "fixed", "step_size": 1.0, "tol": 0}}}
    toy = stream(methods={"refit": refit}, checkpoints=1)
    curves = pd.read_parquet(toy.make_fits("refit").curves)
    assert pick(curves, trial=0)[["sweep", "epoch"]].to_numpy().tolist() == [[1, 1], [5, 5]]


@pytest.mark.parametrize("method", ["online", "refit"])
def test_runs_and_shards_make_no_difference(stream, tmp_path, method):
    toy = stream(trials=3)
    fitted = toy.make_fits(method)
    again = toy.make_fits(method, folder=tmp_path / "again")
    assert fitted.curves.read_bytes() == again.curves.read_bytes()
    whole = pd.read_parquet(fitted.curves)
    shards = [
        pd.read_parquet(toy.make_fits(method, [t], folder=tmp_path / str(t)).curves)
        for t in range(3)
    ]
    order = [*KEYS, "triplets"]
    parts = pd.concat(shards).sort_values(order, ignore_index=True)
    pd.testing.assert_frame_equal(
        whole.sort_values(order, ignore_index=True), parts, check_exact=True
    )
    assert pd.read_parquet(fitted.embeddings).empty


@pytest.mark.parametrize("part", ["validation", "test"])
def test_tuning_takes_the_best_value_on_its_part_of_the_first_trials(stream, part):
    variant = {"parameters": {"tol": 0.01}, "tune": TAU, "tune_on": part}
    toy = stream(
        methods={"refit": {**REFIT, "variants": {"tuned": variant}}}, tuning_trials=2, trials=3
    )
    assert set(pd.read_parquet(toy.inputs[1], columns=["trial"]).trial) == {0, 1, 2}
    errors = []
    for tau in TAU["tau"]:
        model = BatchKernel(STE(), n_objects=12, max_iter=20, tol=0.01, tau=tau)
        errors.append(0.0)
        for trial in (0, 1):
            train, others = read_comparisons(toy.inputs[1], trial, parts=("train", part))
            errors[-1] += error_of(model.fit(train).kernel_, others)
    assert len(set(errors)) == 3
    curves = pd.read_parquet(toy.make_fits("refit").curves)
    assert set(curves.tau) == {TAU["tau"][int(np.argmin(errors))]}
    assert set(curves.trial) == {0, 1, 2}


def test_parameters_are_tuned_one_after_another(stream):
    tune = {"step_size": [1e-9, 3.0], "tau": [1e6, 0.1]}
    variant = {"parameters": {"step": "fixed"}, "tune": tune, "tune_on": "validation"}
    toy = stream(methods={"refit": {**REFIT, "variants": {"tuned": variant}}}, tuning_trials=1)
    curves = pd.read_parquet(toy.make_fits("refit").curves)
    assert set(curves.step_size) == {3.0} and set(curves.tau) == {0.1}


def test_divergence_is_recorded_and_nothing_else_suffers(stream):
    variant = {"parameters": {"step": "fixed", "step_size": 1e200}}
    toy = stream(methods={"refit": {**REFIT, "losses": ["gnmds"], "variants": {"paper": variant}}})
    toy.make_fits("refit")
    (row,) = pick(pd.read_parquet(toy.make_fits("refit").curves), trial=0, triplets=90).iloc
    assert 0 <= row.test_error <= 1 and not row.trace < 1e100


def test_controls_are_what_they_say(stream):
    toy = stream(points={**POINTS, "n_objects": 25})
    truth, random = (pd.read_parquet(toy.make_fits(m).curves) for m in ("truth", "random"))
    assert list(truth.test_error) == list(truth.train_error) == [0.0, 0.0]
    assert random.test_error.between(0.4, 0.6).all() and random.test_error.nunique() == 2
    for table in (truth, random):
        assert set(table.loss) == {"none"} and list(table.triplets) == [90, 90]


def test_every_trial_has_points_of_its_own_that_answer_every_question(stream):
    toy = stream()
    points = [draw_points(toy.spec, toy.experiment, trial) for trial in (0, 1)]
    assert points[0].shape == (12, 3) and not np.isin(*points).any()
    for trial in (0, 1):
        parts = read_comparisons(toy.inputs[1], trial, parts=("train", "validation", "test"))
        assert [len(part) for part in parts] == [90, 60, 12 * 11 * 10 // 2 - 150]
        every = np.concatenate(parts)
        assert len(np.unique(every, axis=0)) == len(every)
        i, j, k = points[trial][every.T]
        assert (((i - j) ** 2).sum(1) < ((i - k) ** 2).sum(1)).all()


def test_people_and_sampled_questions_are_split_in_three(stream):
    rng = np.random.default_rng(0)
    triplets = np.array([rng.choice(9, 3, replace=False) for _ in range(100)])
    arrays = {"triplets": triplets, "features": np.zeros((9, 4))}
    settings = {"source": "people", "n_train": 50, "n_validation": 20}
    toy = stream(arrays=arrays, points=None, comparisons=settings)
    parts = ("train", "validation", "test")
    assert list(map(len, read_comparisons(toy.inputs[1], 0, parts=parts))) == [50, 20, 30]
    assert pd.read_parquet(toy.inputs[2]).object.nunique() == 9
    sampled = {"source": "points", "n_train": 50, "n_validation": 20, "n_test": 10}
    toy = stream(comparisons=sampled)
    assert list(map(len, read_comparisons(toy.inputs[1], 0, parts=parts))) == [50, 20, 10]
    with pytest.raises(ValueError, match=r"n_train=50 and n_validation=50 of 100 .* leave none"):
        stream(arrays=arrays, points=None, comparisons={**settings, "n_validation": 50})


def test_every_row_is_tidy_and_the_file_repeats(stream):
    toy = stream()
    for method in toy.experiment.methods:
        toy.make_fits(method)
    table = toy.make_scores()
    assert list(table.columns) == COLUMNS
    assert not table.duplicated([name for name in COLUMNS if name != "value"]).any()
    assert table[["epoch", "triplets", "noise", "value"]].notna().all(axis=None)
    assert table[["batch_size", "k"]].isna().all(axis=None)
    assert table.sweep.notna().equals(table.method == "online")
    curves = {"test_error", "train_error", "rank", "trace"}
    measures = {"online": {*curves, "eigenpairs", "final_error"}, "refit": {*curves, "final_error"}}
    measures["truth"] = {"test_error", "train_error", "final_error"}
    for method, expected in measures.items():
        assert set(pick(table, method=method).measure) == expected
    words = {"method": "online", "variant": "paper", "sweep": 2.0, "trial": 1}
    of_fit = pick(table, **words)
    assert list(pick(of_fit, measure="rank").triplets) == [30, 60, 90]
    (final,) = pick(of_fit, measure="final_error").iloc
    (last,) = pick(of_fit, measure="test_error", triplets=90).iloc
    assert (final.value, final.epoch, final.triplets) == (last.value, last.epoch, 90)

    folder = toy.folder / "scores"
    seconds = pd.read_parquet(folder / "seconds.parquet")
    assert set(seconds.measure) == {"seconds"} and set(seconds.method) == {"online", "refit"}
    for _, curve in seconds.groupby(["method", *KEYS], dropna=False):
        assert list(curve.triplets) == [30, 60, 90] and curve.value.is_monotonic_increasing
        assert curve.value.iloc[0] > 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    toy.make_scores()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_tuned_values_are_scores_too(stream):
    variant = {"tune": TAU, "tune_on": "test"}
    toy = stream(methods={"refit": {**REFIT, "variants": {"paper": variant}}}, tuning_trials=1)
    toy.make_fits("refit")
    rows = pick(toy.make_scores(), measure="tau")
    assert list(rows.trial) == [0, 1] and set(rows.value) <= set(TAU["tau"])


def test_learning_is_timed_alone_and_counted_from_the_start():
    train = np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0]] * 4)
    seen = []
    for row in learn(OnlineKernel(n_objects=3), train, [5, 12]):
        seen.append((row["triplets"], row["epoch"]))
    assert seen == [(5, 5 / 12), (12, 1.0)]


@pytest.mark.parametrize("gradient", ["paper", "symmetric"])
def test_a_passive_aggressive_step_meets_its_margin_and_no_more(gradient):
    rng = np.random.default_rng(0)
    root = rng.normal(size=(7, 7))
    kernel = root @ root.T
    for margin in (0.5, 2.0):
        model = OnlineKernel(margin=margin, gradient=gradient)
        for triplet in (rng.choice(7, 3, replace=False) for _ in range(20)):
            after = passive_aggressive(kernel, triplet, model)
            a, b, c = triplet
            near, far = (after[a, a] - 2 * after[a, x] + after[x, x] for x in (b, c))
            if np.array_equal(after, kernel):
                assert far - near >= margin - 1e-12
            else:
                assert far - near == pytest.approx(margin)
            entries = {tuple(x) for x in np.argwhere(after != kernel)}
            assert entries <= {(a, b), (b, a), (a, c), (c, a), (b, b), (c, c)}


@pytest.mark.parametrize("gradient", ["paper", "symmetric"])
def test_projections_are_compared_with_those_by_all_eigenvalues(gradient):
    rng = np.random.default_rng(3)
    train = np.array([rng.choice(8, 3, replace=False) for _ in range(120)])
    found = compare_projections(OnlineKernel(n_objects=8, gradient=gradient), train)
    assert list(found.index) == list(range(1, 121))
    assert found.negative_eigenvalues.iloc[-1] == 1 and found.negative_eigenvalues.iloc[0] == 0
    assert found.projection_distance.max() < 1e-10

    class Unprojected(OnlineKernel):
        """One that leaves the negative eigenvalues where they are."""

        def partial_fit(self, triplets):
            start = getattr(self, "_own", self.initial_scale * np.eye(self.n_objects))
            self._own = passive_aggressive(start, triplets[0], self)
            return self

        kernel_ = property(lambda self: self._own)

    model = Unprojected(n_objects=8, gradient=gradient, initial_scale=0.01)
    wrong = compare_projections(model, train)
    assert wrong.projection_distance.iloc[-1] > 1e-3
    assert wrong.negative_eigenvalues.iloc[-1] > 1


def test_the_study_has_a_row_for_every_comparison_of_projections(stream):
    online = {**METHODS["online"], "sweep": {}}
    toy = stream(methods={"online": online}, projection=True, rank=False)
    toy.make_fits("online")
    table = toy.make_scores()
    assert "rank" not in set(table.measure)
    assert pick(table, measure="negative_eigenvalues").value.between(0, 1).all()
    assert pick(table, measure="projection_distance").value.between(0, 1e-10).all()
    assert len(pick(table, measure="projection_distance")) == 2 * 2 * 3


def test_rank_counts_what_is_left_of_the_largest_eigenvalue():
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(6, 6)))[0]
    kernel = (basis * [5.0, 1.0, 1e-5, 1e-7, 0.0, 0.0]) @ basis.T
    assert rank(kernel) == 3
    assert np.isnan(rank(np.full((3, 3), np.nan)))
