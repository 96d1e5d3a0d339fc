"""Check that a name means one thing in all four packages."""

from pathlib import Path

from names import shared_names

SURVEY = Path(__file__).resolve().parents[1]
CLONE = SURVEY.parent
PLACES = (
    CLONE / "src" / "closerthan",
    CLONE / "src" / "closerthan_study",
    CLONE / "lab" / "src" / "closerthan_lab",
    SURVEY / "src" / "closerthan_survey",
)


def test_a_name_means_one_thing_everywhere():
    assert shared_names(*PLACES) == {}
