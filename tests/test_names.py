"""Check that a name means one thing in the package and the study."""

from pathlib import Path

import pytest

from names import shared_names

SOURCES = Path(__file__).resolve().parents[1] / "src"


def test_a_name_means_one_thing_in_the_package_and_the_study():
    assert shared_names(SOURCES / "closerthan", SOURCES / "closerthan_study") == {}


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("def f(): ...", "class f: ...", {"f": ["house.a", "house.rooms.b"]}),
        ("def f(): ...", "def _f(): ...", {}),
        ("def f(): ...", "from house.a import f", {}),
        ("def f(): ...\ndef f(): ...", "", {}),  # overloads
        ("def main(): ...", "def main(): ...", {}),
    ],
)
def test_shared_names_are_found(first, second, found, tmp_path):
    house = tmp_path / "house"
    (house / "rooms").mkdir(parents=True)
    (house / "a.py").write_text(first)
    (house / "rooms" / "b.py").write_text(second)
    assert shared_names(house) == found


@pytest.mark.parametrize(("name", "command"), [("fit", True), ("fits", False)])
def test_a_command_may_have_the_name_of_its_function(name, command, tmp_path):
    house = tmp_path / "house"
    (house / "commands").mkdir(parents=True)
    (house / "cli.py").write_text(f"def {name}(): ...")
    (house / "commands" / "fit.py").write_text(f"def {name}(): ...")
    assert (shared_names(house) == {}) is command
