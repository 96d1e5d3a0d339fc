"""Folders are filled whole or not at all, and what is somebody else's stays."""

import pytest

from relsim.commands.folder import filling


def fill(folder, *names, overwrite=False):
    with filling(folder, overwrite=overwrite) as here:
        for name in names:
            (here / name).write_text(name)


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_is_made_with_all_parents(tmp_path):
    fill(tmp_path / "a" / "b", "map.csv")
    assert names_in(tmp_path / "a" / "b") == ["made.json", "map.csv"]
    assert names_in(tmp_path / "a") == ["b"]


def test_a_folder_with_files_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="holds files already; --overwrite"):
        fill(tmp_path, "map.csv")
    assert names_in(tmp_path) == ["thesis.txt"]


def test_overwriting_replaces_what_was_made_and_nothing_else(tmp_path):
    out = tmp_path / "out"
    fill(out, "map.csv", "ellipses.csv")
    (out / "thesis.txt").write_text("mine")
    (out / "map.csv").write_text("edited")
    fill(out, "map.csv", overwrite=True)
    assert names_in(out) == ["made.json", "map.csv", "thesis.txt"]
    assert (out / "map.csv").read_text() == "map.csv"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_an_error_leaves_all_as_it_was(tmp_path, error):
    out = tmp_path / "out"
    fill(out, "map.csv")
    with pytest.raises(error), filling(out, overwrite=True) as here:
        (here / "map.csv").write_text("half")
        raise error
    assert (out / "map.csv").read_text() == "map.csv"
    assert names_in(tmp_path) == ["out"]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(ValueError, match="is a file; a folder is needed"):
        fill(tmp_path / "out", "map.csv")


def test_a_forged_list_removes_nothing_outside(tmp_path):
    out = tmp_path / "out"
    fill(out, "map.csv")
    (tmp_path / "thesis.txt").write_text("mine")
    (out / "made.json").write_text('["../thesis.txt", 3]')
    fill(out, "map.csv", overwrite=True)
    assert (tmp_path / "thesis.txt").exists()
