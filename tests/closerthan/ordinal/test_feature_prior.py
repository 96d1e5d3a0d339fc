"""Features of objects: points are a linear map of them plus a free part."""

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize

from closerthan import OrdinalEmbedding
from closerthan._core.vectors import pad
from closerthan.comparisons import sample_from_points, swap_answers
from closerthan.losses import STE
from closerthan.ordinal.feature_prior import FeaturePrior
from closerthan.ordinal.problem import Problem, descend
from closerthan.ordinal.search import SHARES
from closerthan.penalties import Ridge

N, Q, P = 60, 8, 2
RNG = np.random.default_rng(0)
FEATURES = RNG.normal(size=(N, Q)) + 3.0
POINTS = FEATURES @ RNG.normal(size=(Q, P)) * 0.4 + RNG.normal(scale=0.2, size=(N, P))
TRIPLETS = swap_answers(sample_from_points(POINTS, 4000, random_state=0), 0.05, random_state=1)[0]
OLD = TRIPLETS[(TRIPLETS < 50).all(axis=1)]  # none names the last ten objects
TEST = sample_from_points(POINTS, 5000, random_state=2)


def scaled(features):
    """Return features as the prior takes them."""
    centered = features - features.mean(axis=0)
    return centered / np.sqrt((centered**2).sum(axis=1).mean())


def covariance(features, share):
    return (1 - share) * np.eye(len(features)) + share * scaled(features) @ scaled(features).T


@pytest.mark.parametrize("features", [FEATURES, FEATURES[:5], np.ones((5, 2))])
def test_the_prior_is_a_root_of_the_covariance_and_its_inverse(features):
    prior, V = FeaturePrior(features, 0.7), RNG.normal(size=(len(features), 3))
    says = np.ptp(features, axis=0).any()
    expected = covariance(features, 0.7) @ V if says else 0.3 * V
    np.testing.assert_allclose(prior.spread(prior.spread(V)), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(prior.gather(prior.spread(V)), V, rtol=1e-9, atol=1e-12)


def test_the_map_is_the_conditional_mean():
    prior = FeaturePrior(FEATURES, 0.7)
    coefficients, intercept = prior.linear_function(POINTS)
    center = POINTS.mean(axis=0)
    weights = np.linalg.solve(covariance(FEATURES, 0.7), POINTS - center)
    expected = center + 0.7 * scaled(FEATURES) @ scaled(FEATURES).T @ weights
    np.testing.assert_allclose(FEATURES @ coefficients + intercept, expected, atol=1e-9)


def objective_of(triplets, share, strength):
    problem = Problem(triplets.astype(np.uint32), (N, P)).with_features(FEATURES, share)
    return problem, problem.objective(STE(), penalty=Ridge(), strength=strength)


def test_the_gradient_is_that_of_the_value():
    _, objective = objective_of(TRIPLETS[:300], 0.6, 0.05)

    def gradient(flat):
        out = np.empty((N, 4))
        return objective.gradient(pad(flat.reshape(N, P)), out)[:, :P].ravel()

    start = RNG.normal(size=N * P)
    difference = check_grad(lambda x: objective.value(pad(x.reshape(N, P))), gradient, start)
    assert difference < 1e-5 * np.linalg.norm(gradient(start))


def test_the_minimum_is_that_over_the_map_and_the_free_part():
    triplets, share, strength = TRIPLETS[:1000], 0.6, 0.02
    problem, objective = objective_of(triplets, share, strength)
    V = descend(objective, RNG.normal(scale=0.1, size=(N, P)), 5000, 0.0)
    plain = Problem(triplets.astype(np.uint32), (N, P)).objective(STE())
    F = np.sqrt(share) * scaled(FEATURES)

    def both(flat):
        free, linear = flat[: N * P].reshape(N, P), flat[N * P :].reshape(Q, P)
        points = np.sqrt(1 - share) * free + F @ linear
        value, G = plain.value_and_gradient(pad(points), np.empty((N, 4)))
        slopes = np.sqrt(1 - share) * G[:, :P], F.T @ G[:, :P]
        ridge = strength / N
        value += ridge * (flat**2).sum()
        return value, np.concatenate([part.ravel() for part in slopes]) + 2 * ridge * flat

    flat = np.concatenate([np.sqrt(1 - share) * problem.prior.gather(problem.points(V)).ravel()])
    start = np.concatenate([flat, np.zeros(Q * P)])
    found = minimize(both, start, jac=True, method="L-BFGS-B", options={"maxiter": 5000})
    assert objective.value(pad(V)) == pytest.approx(found.fun, rel=1e-4)


def test_features_help_if_answers_are_few():
    few = TRIPLETS[:150]
    plain = OrdinalEmbedding(P, n_objects=N, random_state=0).fit(few)
    helped = OrdinalEmbedding(P, random_state=0).fit(few, features=FEATURES)
    assert helped.feature_share_ in SHARES[1:]
    assert helped.score(TEST) > plain.score(TEST) + 0.05


def test_useless_features_get_no_share_and_leave_the_fit_as_it_is():
    noise = np.random.default_rng(3).normal(size=(N, 30))
    with_noise = OrdinalEmbedding(P, random_state=0).fit(TRIPLETS, features=noise)
    plain = OrdinalEmbedding(P, random_state=0).fit(TRIPLETS)
    assert with_noise.feature_share_ == 0.0
    assert abs(with_noise.score(TEST) - plain.score(TEST)) < 0.01
    np.testing.assert_array_equal(with_noise.coef_, np.zeros((30, P)))


def test_objects_that_no_answer_names_are_placed_by_their_features():
    model = OrdinalEmbedding(P, random_state=0).fit(OLD, features=FEATURES)
    assert model.embedding_.shape == (N, P) and np.isfinite(model.embedding_).all()
    new = (TEST >= 50).any(axis=1)
    assert new.sum() > 1000 and model.score(TEST[new]) > 0.85
    fewer = OrdinalEmbedding(P, random_state=0).fit(OLD, features=FEATURES[:50])
    both = np.vstack([fewer.embedding_, fewer.transform(features=FEATURES[50:])])
    near, far = (np.linalg.norm(both[TEST[:, 0]] - both[TEST[:, c]], axis=1) for c in (1, 2))
    assert (near < far)[new].mean() > 0.85


@pytest.mark.parametrize("n_components", [P, 12])
@pytest.mark.parametrize("options", [{}, {"strength": "auto"}, {"lapse": 0.05, "loss": "ste"}])
def test_features_go_with_other_settings_and_any_number_of_threads(n_components, options):
    fits = [
        OrdinalEmbedding(n_components, n_jobs=n_jobs, random_state=0, **options)
        .fit(TRIPLETS, features=FEATURES)
        .embedding_.tobytes()
        for n_jobs in (1, 3)
    ]
    assert fits[0] == fits[1]
    model = OrdinalEmbedding(n_components, random_state=0, **options)
    assert model.fit(TRIPLETS, features=FEATURES).score(TEST) > 0.9


def test_given_points_are_the_start():
    seen = []
    model = OrdinalEmbedding(
        P, loss="ste", init=POINTS, feature_share=0.5, max_iter=2, tol=0.0, random_state=0,
        callback=lambda points, row: seen.append(points.copy()),
    )  # fmt: skip
    model.fit(TRIPLETS, features=FEATURES)
    distance = np.linalg.norm(seen[0] - POINTS) / np.linalg.norm(POINTS)
    assert distance < 0.5 and model.feature_share_ == 0.5


def test_useless_features_leave_objects_without_answers_at_the_mean():
    noise = np.random.default_rng(3).normal(size=(N, 30))
    with pytest.warns(UserWarning, match="10 objects that occur in no comparison get the mean"):
        model = OrdinalEmbedding(P, feature_share=0.0, random_state=0).fit(OLD, features=noise)
    center = model.embedding_[:50].mean(axis=0)
    np.testing.assert_allclose(model.embedding_[50:], np.tile(center, (10, 1)))


@pytest.mark.parametrize(
    ("features", "options", "message"),
    [
        (FEATURES[:40], {}, "features: 40 rows; there must be one for each of the 60 objects"),
        (FEATURES, {"n_objects": 61}, "features: 60 rows; there must be one for each of the 61"),
        (FEATURES, {"strength": 0.0}, "strength=0.0; with features it must be positive"),
        (FEATURES[:, 0], {}, "features: the shape is"),
        (FEATURES, {"solver": "sgd"}, "solver='sgd'; with features"),
        (FEATURES, {"penalty": "low-rank"}, "penalty='low-rank'; with features"),
        (FEATURES, {"feature_share": 1.0}, "feature_share=1.0"),
    ],
)
def test_wrong_features_are_refused(features, options, message):
    with pytest.raises(ValueError, match=message):
        OrdinalEmbedding(P, random_state=0, **options).fit(TRIPLETS, features=features)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (FEATURES[:3, :4], r"features: shape \(3, 4\); it must be \(n, 8\)"),
        (None, "either comparisons X or features"),
    ],
)
def test_wrong_features_of_new_objects_are_refused(features, message):
    model = OrdinalEmbedding(P, random_state=0).fit(OLD, features=FEATURES)
    with pytest.raises(ValueError, match=message):
        model.transform(features=features)


def test_a_model_without_features_maps_none():
    model = OrdinalEmbedding(P, random_state=0).fit(TRIPLETS)
    assert model.coef_ is None and model.feature_share_ is None
    with pytest.raises(ValueError, match="fitted without features"):
        model.transform(features=FEATURES)
