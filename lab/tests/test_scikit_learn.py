"""Check the search for a dimension with the rest of scikit-learn: responses, weights, requests."""

import pytest
import sklearn

from closerthan import OrdinalEmbedding
from closerthan_lab.dimension import DimensionSearch
from sklearn_checks import (
    AS_RESPONSES,
    NO_RESPONSES,
    check_answers,
    check_refusal,
    check_requests,
    check_responses,
    check_score,
)

SMALL = OrdinalEmbedding(2, loss="ste", max_iter=20, random_state=0)
SEARCH = DimensionSearch(SMALL, [1, 2], cv=2, n_repeats=1, random_state=0)


@pytest.mark.parametrize("as_responses", AS_RESPONSES)
def test_y_are_responses_to_questions(as_responses):
    check_responses(SEARCH, as_responses)


@pytest.mark.parametrize(("y", "message"), NO_RESPONSES)
def test_anything_else_is_refused_for_y(y, message):
    check_refusal(SEARCH, y, message)


def test_answers_have_their_responses():
    check_answers(SEARCH)


def test_a_score_counts_by_weight():
    check_score(SEARCH)


def test_what_is_requested_are_weights_and_nothing_else():
    with sklearn.config_context(enable_metadata_routing=True):
        check_requests(SEARCH, {"sample_weight"})
