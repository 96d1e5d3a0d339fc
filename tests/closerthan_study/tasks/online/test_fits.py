"""Check that scores use only what was learned from so many triplets, and nothing later."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from closerthan.kernels.batch import BatchKernel
from closerthan.kernels.online import OnlineKernel
from closerthan.losses import STE
from closerthan_study.seeds import seed_sequence
from closerthan_study.tasks.online.fits import (
    compare_projections,
    gradient_errors,
    passive_aggressive,
    rank,
)
from toy_study import pick

REFIT = {"model": "BatchKernel", "losses": ["ste"]}
TAU = {"tau": [0.01, 3.0, 1000.0]}


def error_of(kernel, triplets):
    """Count the errors of a kernel by hand; what differs by rounding is a tie."""
    distances = np.diag(kernel)[:, None] - 2 * kernel + np.diag(kernel)
    least = 1e-9 * distances.max()
    return np.mean([not distances[i, k] - distances[i, j] > least for i, j, k in triplets])


def check_row(row, kernel, train, test):
    assert row.test_error == pytest.approx(error_of(kernel, test))
    assert row.train_error == pytest.approx(error_of(kernel, train))
    assert row.trace == pytest.approx(np.trace(kernel))
    assert row["rank"] == np.linalg.matrix_rank(kernel, tol=1e-6 * np.linalg.norm(kernel, 2))


def test_an_online_kernel_is_scored_as_if_the_stream_had_ended_there(stream):
    toy = stream()
    curves = toy.make_fits("online").curves
    assert len(curves) == 2 * 2 * 2 * 3, "variants, swept values, trials, checkpoints"
    assert set(curves.variant) == {"paper", "default"} and set(curves.loss) == {"gnmds"}
    for revisits, trial, stop in ((0, 0, 30), (2, 1, 60), (2, 1, 90)):
        train, test = toy.setup.comparisons(trial)
        words = ("papers", "toy", "synthetic", "online", "default", "gnmds", trial)
        model = OnlineKernel(n_objects=12, revisits=revisits, random_state=seed_sequence(7, *words))
        with threadpool_limits(1):  # the last digit can decide if an eigenpair is needed
            model.fit(train[:stop])
        keys = {"variant": "default", "sweep": revisits, "trial": trial, "triplets": stop}
        (row,) = pick(curves, **keys).iloc
        check_row(row, model.kernel_, train[:stop], test)
        assert row.epoch == model.n_updates_ / 90
        assert row.eigenpairs == model.n_eigenpairs_
        history = model.history_
        assert row.removed == (history.eigenvalue < 0).sum()
        assert row.removed_share == row.removed / (history.step_size > 0).sum()
    removed = pick(curves, triplets=90).removed
    assert removed.between(1, pick(curves, triplets=90).eigenpairs).all()


def test_a_tie_can_count_half(stream):
    """After four triplets, most distances are those of the identity."""
    toy = stream(ties=True, sizes={"checkpoints": [4, 90]})
    curves = toy.make_fits("online").curves
    train, test = toy.setup.comparisons(0)
    kernel = OnlineKernel(n_objects=12, gradient="paper").fit(train[:4]).kernel_
    d2 = np.diag(kernel)[:, None] - 2 * kernel + np.diag(kernel)
    i, j, k = test.T
    lead = d2[i, k] - d2[i, j]
    ties = abs(lead) < 1e-9
    assert 0.2 < ties.mean() < 0.9
    (row,) = pick(curves, variant="paper", sweep=0, trial=0, triplets=4).iloc
    assert row.half_tied_error == pytest.approx(np.mean(~ties & (lead < 0)) + 0.5 * ties.mean())
    assert row.test_error == pytest.approx(row.half_tied_error + 0.5 * ties.mean())


def test_a_batch_kernel_is_fitted_again_on_all_triplets_so_far(stream):
    variant = {"parameters": {"tol": 0.01}}
    toy = stream(methods={"refit": {**REFIT, "variants": {"default": variant}}})
    curves = toy.make_fits("refit").curves
    assert "eigenpairs" not in curves and curves.sweep.isna().all()
    train, test = toy.setup.comparisons(1)
    evaluations = 0
    for stop in (30, 60, 90):
        model = BatchKernel(STE(), n_objects=12, max_iter=20, tol=0.01)
        kernel = model.fit(train[:stop]).kernel_
        evaluations += model.history_.evaluations.iloc[-1]
        (row,) = pick(curves, trial=1, triplets=stop).iloc
        check_row(row, kernel, train[:stop], test)
        assert row.epoch == evaluations / 90


@pytest.mark.parametrize("part", ["validation", "test"])
def test_tuning_takes_the_best_value_on_its_part_of_the_first_trials(stream, part):
    variant = {"parameters": {"tol": 0.01}, "tune": TAU, "tune_on": part}
    toy = stream(
        methods={"refit": {**REFIT, "variants": {"tuned": variant}}},
        tuning_trials=2,
        sizes={"trials": 3},
    )
    assert set(toy.make_trials()[0].trial) == {0, 1, 2}
    errors = []
    for tau in TAU["tau"]:
        model = BatchKernel(STE(), n_objects=12, max_iter=20, tol=0.01, tau=tau)
        errors.append(0.0)
        for trial in (0, 1):
            train, others = toy.setup.comparisons(trial, parts=("train", part))
            errors[-1] += error_of(model.fit(train).kernel_, others)
    assert len(set(errors)) == 3
    curves = toy.make_fits("refit").curves
    assert set(curves.tau) == {TAU["tau"][int(np.argmin(errors))]}
    assert set(curves.trial) == {0, 1, 2}


def test_a_parameter_can_be_tuned_for_each_number_of_triplets(stream):
    values = [0.03, 0.1, 0.3, 1.0]
    tune = {"tune": {"tau": values}, "tune_on": "test", "tune_each": True}
    variant = {"parameters": {"tol": 0.01}, **tune}
    methods = {"refit": {**REFIT, "variants": {"tuned": variant}}}
    toy = stream(methods=methods, tuning_trials=1, sizes={"checkpoints": [20, 90]})
    curves = toy.make_fits("refit").curves
    train, test = toy.setup.comparisons(0)
    found = {}
    for stop in (20, 90):
        errors = []
        for tau in values:
            model = BatchKernel(STE(), n_objects=12, max_iter=20, tol=0.01, tau=tau)
            errors.append(error_of(model.fit(train[:stop]).kernel_, test))
        (row,) = pick(curves, trial=0, triplets=stop).iloc
        assert (row.tau, row.test_error) == (values[np.argmin(errors)], min(errors))
        found[stop] = row.tau
    assert found[20] != found[90]
    scores = pick(toy.make_scores(), measure="tau", trial=1)
    assert dict(zip(scores.triplets, scores.value, strict=True)) == found


def test_costs_are_of_as_many_triplets_as_objects(stream):
    toy = stream(sizes={"sizes": [4, 8, 12]})
    toy.make_all()
    keys = ["method", "variant", "sweep", "trial", "triplets"]
    seconds = toy.seconds.set_index(["measure", *keys]).value
    share = (seconds["seconds"] / seconds["step_seconds"]).groupby(["method", "triplets"]).mean()
    assert share["online"].to_dict() == pytest.approx({4: 4, 8: 8, 12: 12})
    assert share["refit"].to_dict() == {4: 1, 8: 1, 12: 1}


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
        """A kernel that leaves the negative eigenvalues unchanged."""

        def partial_fit(self, triplets):
            start = getattr(self, "_own", self.initial_scale * np.eye(self.n_objects))
            self._own = passive_aggressive(start, triplets[0], self)
            return self

        kernel_ = property(lambda self: self._own)

    model = Unprojected(n_objects=8, gradient=gradient, initial_scale=0.01)
    wrong = compare_projections(model, train)
    assert wrong.projection_distance.iloc[-1] > 1e-3
    assert wrong.negative_eigenvalues.iloc[-1] > 1


@pytest.mark.parametrize("loss", ["gnmds", "ste"])
def test_gradients_are_the_printed_ones_once_an_inequality_is_turned_round(loss):
    """With two equal entries as one variable, the entries of (4.10) are derivatives."""
    points = np.random.default_rng(0).normal(size=(5, 3))
    kernel = points @ points.T
    for triplet in ((0, 1, 2), (3, 4, 1), (2, 0, 4)):
        found = gradient_errors(loss, kernel, np.array(triplet))
        a, b, c = points[list(triplet)]
        held = ((a - c) ** 2).sum() - ((a - b) ** 2).sum()
        factor = float(held < 1) if loss == "gnmds" else 1 / (1 + np.exp(held))
        assert found["mended_gradient_error"] < 1e-8
        assert found["entrywise_gradient_error"] == pytest.approx(factor, abs=1e-8)
        wrong = 2.0 if loss == "gnmds" else 0.0
        assert found["gradient_error"] == pytest.approx(wrong, abs=1e-8)


def test_an_experiment_on_gradients_keeps_the_largest_errors(stream):
    toy = stream(gradients=True, rank=False)
    scores = toy.make_all()
    assert pick(scores, measure="gradient_error").value.max() == pytest.approx(2.0)
    assert pick(scores, measure="mended_gradient_error").value.max() < 1e-8


def test_rank_counts_what_is_left_of_the_largest_eigenvalue():
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(6, 6)))[0]
    kernel = (basis * [5.0, 1.0, 1e-5, 1e-7, 0.0, 0.0]) @ basis.T
    assert rank(kernel) == 3
    assert np.isnan(rank(np.full((3, 3), np.nan)))
