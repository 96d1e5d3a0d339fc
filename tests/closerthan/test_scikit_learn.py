"""Check estimators with the rest of scikit-learn: searches, pipelines and notebooks."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from class_points import X
from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
from closerthan.comparisons import Answers, to_query_response
from closerthan.losses import STE
from closerthan.mds import SMACOF, PatternSearchMDS
from closerthan.optimize import SVRG, Batch
from closerthan.scores import precision_at_k
from closerthan.similarity import OASIS, SDCA
from every_fit import NAMED
from fit_checks import learned
from sklearn_checks import (
    AS_RESPONSES,
    N_OBJECTS,
    NO_RESPONSES,
    OPPOSITE,
    TRIPLETS,
    check_answers,
    check_refusal,
    check_requests,
    check_responses,
    check_score,
    check_table,
)

NEW = [[N_OBJECTS, 0, 1], [N_OBJECTS, 0, 2], [N_OBJECTS + 1, 3, 4]]


def small(**options):
    return OrdinalEmbedding(2, loss="ste", max_iter=20, random_state=0, **options)


MODELS = [small(), BatchKernel(max_iter=20), OnlineKernel()]
OF_POINTS = [
    (SMACOF(random_state=0), ()),
    (PatternSearchMDS(random_state=0), ()),
    (SDCA(project=True, random_state=0), (NAMED,)),
]


every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


# --- seeds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "data"),
    [
        (OrdinalEmbedding(penalty=None, init="random", max_iter=6), (TRIPLETS,)),
        (OnlineKernel(revisits=2), (TRIPLETS,)),
        (OASIS(), (X, NAMED)),
        (SDCA(), (X, NAMED)),
        (SMACOF(init="random"), (X,)),
        (PatternSearchMDS(init="random"), (X,)),
    ],
)
def test_a_fit_depends_on_the_seed_only(model, data):
    def fit(random_state):
        return learned(model.set_params(random_state=random_state), data)

    assert fit(3) == fit(np.random.default_rng(3)) == fit(np.random.SeedSequence(3))
    assert fit(3) != fit(4)


# --- responses and weights ------------------------------------------------------------------------


@every_model
@pytest.mark.parametrize("as_responses", AS_RESPONSES)
def test_y_are_responses_to_questions(model, as_responses):
    check_responses(model, as_responses)


def test_a_stream_may_be_of_questions_and_responses():
    questions, responses = to_query_response(TRIPLETS)
    parts = OnlineKernel()
    for start in range(0, 600, 200):
        rows = slice(start, start + 200)
        parts.partial_fit(questions[rows], responses[rows])
    np.testing.assert_array_equal(parts.kernel_, OnlineKernel().fit(TRIPLETS).kernel_)


@every_model
@pytest.mark.parametrize(("y", "message"), NO_RESPONSES)
def test_anything_else_is_refused_for_y(model, y, message):
    check_refusal(model, y, message)


@every_model
def test_answers_have_their_responses(model):
    check_answers(model)


@every_model
def test_a_score_counts_by_weight(model):
    check_score(model)


def test_so_does_that_of_a_similarity():
    model = SDCA(random_state=0).fit(X, NAMED)
    holds = [model.score(X, [row]) for row in NAMED.tolist()]
    weights = np.random.default_rng(0).random(len(NAMED))
    score = model.score(X, NAMED, sample_weight=weights)
    assert score == pytest.approx(np.average(holds, weights=weights))
    assert score == model.score(X, Answers(NAMED, weight=weights)) != model.score(X, NAMED)


# --- searches and pipelines, with weights routed --------------------------------------------------


@pytest.mark.parametrize("model", MODELS[:2])
def test_cross_validation_routes_weights(routing, model):
    """Half of the answers are reversed, and have no weight in fits and scores."""
    order = np.random.default_rng(0).permutation(600)
    both = np.vstack([TRIPLETS[::2], OPPOSITE[1::2]])[order]
    weights = np.repeat([1.0, 0.0], 300)[order]
    model = clone(model).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    scores = cross_val_score(model, both, cv=2, params={"sample_weight": weights})
    assert scores.min() > 0.85
    assert cross_val_score(model, both, cv=2).max() < 0.7


def test_a_search_sets_parameters_of_parts():
    grid = {"solver__batch_size": [1, 20], "loss": [STE()]}
    search = GridSearchCV(small(solver=SVRG()), grid, cv=2).fit(TRIPLETS)
    assert isinstance(search.best_estimator_.loss_, STE)
    found = search.best_params_["solver__batch_size"]
    assert search.best_estimator_.solver.batch_size == found in (1, 20)


def test_what_is_requested_are_weights_and_features_and_nothing_else(routing):
    for model in MODELS:
        weighed = set() if isinstance(model, OnlineKernel) else {"sample_weight"}
        featured = {"features"} if isinstance(model, OrdinalEmbedding) else set()
        check_requests(model, weighed | featured)


@pytest.mark.parametrize("routed", [False, True])
def test_a_pipeline_hands_comparisons_on(routed):
    with sklearn.config_context(enable_metadata_routing=routed):
        pipeline = make_pipeline(StandardScaler(), SDCA(project=True, random_state=0))
        points = pipeline.fit(X, NAMED).transform(X)
        scaled = StandardScaler().fit_transform(X)
        by_hand = SDCA(project=True, random_state=0).fit(scaled, NAMED)
        np.testing.assert_array_equal(points, by_hand.transform(scaled))
        assert pipeline.score(X, NAMED) == by_hand.score(scaled, NAMED)
        pipeline, alone = make_pipeline("passthrough", small()), small().fit(TRIPLETS)
        np.testing.assert_array_equal(pipeline.fit_transform(TRIPLETS), alone.embedding_)
        assert pipeline.score(TRIPLETS) == alone.score(TRIPLETS)


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "data"), OF_POINTS)
def test_a_table_comes_out_where_one_is_asked_for(model, data):
    check_table(model, data)


@pytest.mark.parametrize("given", [np.asarray, pd.DataFrame, Answers])
def test_rows_of_an_embedding_are_objects_whatever_the_comparisons_are(given):
    model = small().set_output(transform="pandas")
    table = model.fit_transform(given(TRIPLETS))
    assert list(table.index) == list(range(N_OBJECTS))
    assert list(table.columns) == ["ordinalembedding0", "ordinalembedding1"]
    np.testing.assert_array_equal(table.to_numpy(), model.embedding_)
    new = model.transform(given(NEW))
    assert list(new.index) == [N_OBJECTS, N_OBJECTS + 1]
    assert isinstance(small().fit(TRIPLETS).transform(given(NEW)), np.ndarray)


def test_warnings_point_at_the_line_of_the_user():
    """Any number of methods of closerthan and scikit-learn may lie between."""
    named = TRIPLETS[(TRIPLETS != 3).all(axis=1)]
    for warns in (
        lambda: small().fit(named),
        lambda: small().fit_transform(named),
        lambda: make_pipeline("passthrough", small()).fit_transform(named),
        lambda: small().set_params(penalty=None, solver=Batch("fixed", 1e12)).fit(TRIPLETS),
        lambda: BatchKernel("gnmds", step="fixed", step_size=1e12).fit(TRIPLETS),
        lambda: precision_at_k([[1.0, 0.0]] * 2, [0, 1], [1, 1], k=1),
    ):
        with pytest.warns(UserWarning) as caught:
            warns()
        assert {warning.filename for warning in caught} == {__file__}
