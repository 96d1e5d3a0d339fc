"""Check that a name means one thing in this package and the one it builds on."""

from pathlib import Path

from names import shared_names

LAB = Path(__file__).resolve().parents[1]
PLACES = (LAB.parent / "src" / "closerthan", LAB / "src" / "closerthan_lab")


def test_a_name_means_one_thing_in_the_package_and_the_lab():
    assert shared_names(*PLACES) == {}
