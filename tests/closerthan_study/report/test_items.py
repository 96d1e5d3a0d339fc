"""Check which claims are about a figure or table of a paper."""

import pandas as pd
import pytest

from closerthan_study.report.items import is_about, named


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("Fig. 3a, 3b, sec. 5.2", {"Fig. 3a", "Fig. 3b"}),
        ("sec. 5.1, Table 1, sec. 4.1", {"Table 1"}),
        ("Theorem 4.1 and its proof", set()),
    ],
)
def test_a_claim_names_figures_and_tables(where, found):
    assert named(where) == found


def test_a_claim_about_a_whole_figure_is_about_each_part_of_it():
    board = pd.DataFrame({"study": ["a", "a", "b"], "where": ["Fig. 3", "Fig. 3b", "Fig. 3a"]})
    for item, claims in (("Fig. 3a", [0]), ("Fig. 3b", [0, 1]), ("Fig. 4", [])):
        about = is_about(board, "a", item)
        assert [*board.index[about]] == claims
