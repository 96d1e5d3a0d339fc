"""Check, sample, split and convert triplets and quadruplets, and add noise to them.

A triplet ``(i, j, k)`` says that object i is closer to j than to k. A quadruplet ``(i, j, l, k)``
says that d(i, j) < d(l, k). Comparisons are the rows of an integer array of shape (n, 3) or (n, 4)
of object ids from 0. `Answers` adds who gave which comparisons, when, and which belong together.
"""

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.check import check_comparisons
from closerthan.comparisons.convert import from_query_response, to_quadruplets, to_query_response
from closerthan.comparisons.forms.alternatives import from_responses, to_responses
from closerthan.comparisons.forms.lists import from_choices, from_rankings, to_rankings
from closerthan.comparisons.forms.pairs import from_best_worst
from closerthan.comparisons.forms.three import from_most_central, from_odd_one_out, to_odd_one_out
from closerthan.comparisons.noise import bradley_terry_luce, swap_answers
from closerthan.comparisons.sample import (
    all_triplets,
    sample_from_distances,
    sample_from_labels,
    sample_from_points,
    split,
)

__all__ = [
    "Answers",
    "all_triplets",
    "bradley_terry_luce",
    "check_comparisons",
    "from_best_worst",
    "from_choices",
    "from_most_central",
    "from_odd_one_out",
    "from_query_response",
    "from_rankings",
    "from_responses",
    "sample_from_distances",
    "sample_from_labels",
    "sample_from_points",
    "split",
    "swap_answers",
    "to_odd_one_out",
    "to_quadruplets",
    "to_query_response",
    "to_rankings",
    "to_responses",
]
