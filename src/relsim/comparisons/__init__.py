"""Triplets and quadruplets: check, sample, add noise, split, read and write, convert.

A triplet ``(i, j, k)`` says that object i is closer to j than to k; a quadruplet ``(i, j, l, k)``
says that d(i, j) < d(l, k). Both are rows of an integer array, (n, 3) or (n, 4), whose entries are
object ids from 0. Everything in relsim that learns takes such an array.
"""

from .answers import Answers
from .check import check_comparisons
from .convert import (
    from_list_order,
    from_most_central,
    from_odd_one_out,
    from_query_response,
    to_list_order,
    to_quadruplets,
    to_query_response,
)
from .files import read_csv, write_csv
from .noise import bradley_terry_luce, swap_answers
from .read import read_comparisons
from .sample import (
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
    "from_list_order",
    "from_most_central",
    "from_odd_one_out",
    "from_query_response",
    "read_comparisons",
    "read_csv",
    "sample_from_distances",
    "sample_from_labels",
    "sample_from_points",
    "split",
    "swap_answers",
    "to_list_order",
    "to_quadruplets",
    "to_query_response",
    "write_csv",
]
