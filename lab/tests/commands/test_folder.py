"""Folders are written completely or not at all, and other files stay."""

import errno
import os
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from closerthan_lab.commands.folder import check_free, filling


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


def test_a_folder_with_files_and_a_file_are_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match=r"the folder has files; .* with overwrite=True"):
        fill(tmp_path, "map.csv")
    with pytest.raises(ValueError, match="this is a file; name a folder"):
        fill(tmp_path / "thesis.txt", "map.csv")
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


def test_a_forged_list_removes_nothing_outside(tmp_path):
    out = tmp_path / "out"
    fill(out, "map.csv")
    (tmp_path / "thesis.txt").write_text("mine")
    (out / "made.json").write_text('["../thesis.txt", 3]')
    fill(out, "map.csv", overwrite=True)
    assert (tmp_path / "thesis.txt").exists()


def test_a_folder_that_is_there_is_filled_from_inside(tmp_path, monkeypatch):
    """The folder may be a separate disk, in a parent that is not writable."""
    out = tmp_path / "out"
    out.mkdir()
    with filling(out) as here:
        assert here.parent == out
        (here / "map.csv").write_text("map.csv")
    assert names_in(out) == ["made.json", "map.csv"] and names_in(tmp_path) == ["out"]


def test_what_a_killed_command_left_is_no_result(tmp_path):
    out = tmp_path / "out"
    (out / ".out-x1y2.part").mkdir(parents=True)
    fill(out, "map.csv")
    assert (out / "map.csv").exists()


def test_of_two_commands_at_once_the_second_is_refused(tmp_path):
    out = tmp_path / "out"
    with pytest.raises(ValueError, match="the folder has files"), filling(out) as here:
        (here / "map.csv").write_text("second")
        fill(out, "map.csv", "map.png")
    assert names_in(out) == ["made.json", "map.csv", "map.png"]
    assert (out / "map.csv").read_text() == "map.csv"


def test_what_may_not_be_written_to_is_refused_before_any_work(tmp_path, monkeypatch):
    def refuse(**_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("closerthan_lab.commands.folder.mkdtemp", refuse)
    with pytest.raises(ValueError, match=r"nothing can be written here \(Permission denied\)"):
        check_free(tmp_path / "new" / "out")


def test_a_full_disk_is_named_and_nothing_is_left(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(OSError, match=f"No space left on device: '{tmp_path / 'out'}'"):
        fill(tmp_path / "out", "map.csv")
    assert names_in(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no folder can be locked there")
def test_of_two_commands_at_once_one_comes_after_the_other(tmp_path, monkeypatch):
    replace = os.replace

    def slowly(source, target):
        if Path(source).read_text() == "slow":
            time.sleep(0.05)
        replace(source, target)

    monkeypatch.setattr(os, "replace", slowly)

    def write(who):
        with filling(tmp_path / "out", overwrite=True) as here:
            for name in "abcdef":
                (here / name).write_text(who)

    threads = [Thread(target=write, args=(who,)) for who in ("slow", "fast")]
    for thread in threads:
        thread.start()
        time.sleep(0.08)  # the second comes while the first moves its files
    for thread in threads:
        thread.join()
    assert len({(tmp_path / "out" / name).read_text() for name in "abcdef"}) == 1
    assert not list(tmp_path.rglob("*.part"))
