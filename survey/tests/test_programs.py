"""Run programs that end well, late, badly or with the wrong files."""

import subprocess
import time

import numpy as np
import pandas as pd
import pytest

from closerthan_survey import programs
from closerthan_survey.programs import FULL, LATE, OK, Unusable

ALL = np.array([True, True, True])
LIMITS = {"seconds": 20, "megabytes": 500}
BEATS = "(while :; do echo >> beats; sleep 0.05; done)"


def run(folder, script, **limits):
    return programs.run_program(["sh", "-c", script], folder, **LIMITS | limits)


def is_still(folder):
    """Return whether `BEATS` no longer runs there; a killed process may end a little later."""
    beats = folder / "beats"
    for _ in range(60):
        size = beats.exists() and beats.stat().st_size
        time.sleep(0.5)
        if size == (beats.exists() and beats.stat().st_size):
            return True
    return False


def test_a_program_that_waits_ends_with_all_that_it_started(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "_PATIENCE", 1)
    assert run(tmp_path, f"{BEATS} & sleep 3000", seconds=1).outcome == LATE
    assert is_still(tmp_path)


def test_a_program_has_so_many_seconds_of_the_processor(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "_PATIENCE", 600)
    ended = run(tmp_path, "awk 'BEGIN { while (1) i++ }'", seconds=1)
    assert ended.outcome == LATE and 0.5 < ended.seconds < 10


def test_what_a_program_leaves_running_ends_with_it(tmp_path):
    assert run(tmp_path, f"{BEATS} & until [ -s beats ]; do :; done").outcome == OK
    assert is_still(tmp_path)


def test_a_crash_shows_the_last_line_without_the_folder(tmp_path):
    ended = run(tmp_path, 'echo begun; echo "no such file: $PWD/x" >&2; exit 3')
    assert ended.outcome == "crashed: no such file: ./x"
    assert run(tmp_path, "exit 3").outcome == "crashed: exit status 3"


@pytest.mark.skipif(not hasattr(programs.os, "sched_getaffinity"), reason="Linux limits memory")
def test_a_full_memory_is_told_from_a_crash(tmp_path):
    script = tmp_path / "contend.py"
    script.write_text("x = bytearray(10**9)")
    ended = programs.run_program(programs.command_of(tmp_path, tmp_path), tmp_path, **LIMITS)
    assert ended.outcome == FULL
    script.write_text("x = bytearray(10**6)")
    ended = programs.run_program(programs.command_of(tmp_path, tmp_path), tmp_path, **LIMITS)
    assert ended.outcome == OK


def test_a_program_gets_no_more_than_its_files_and_one_thread(tmp_path):
    questions = pd.DataFrame([[0, 1, 2]], columns=["i", "j", "k"])
    programs.give(tmp_path, questions, questions, {"seed": 3})
    assert run(tmp_path, 'echo "$HOME $OMP_NUM_THREADS"; cat settings.json; cat >x').outcome == OK
    said = (tmp_path / "log.txt").read_text()
    assert said.startswith(f"{tmp_path} 1\n") and '\n"seed": 3\n' in said
    assert (tmp_path / "train.csv").read_text() == "i,j,k\n0,1,2\n"
    assert (tmp_path / "x").read_text() == ""


def test_points_and_probabilities_are_taken(tmp_path):
    (tmp_path / "points.csv").write_text("1,2\n3,4\n5,6\n")
    points, shares = programs.take(tmp_path, ALL, 2, 2)
    assert shares is None and (points == [[1, 2], [3, 4], [5, 6]]).all()
    (tmp_path / "points.csv").write_text("1,2\nnan,nan\n5,6\n")
    points, _ = programs.take(tmp_path, np.array([True, False, False]), 2, 2)
    assert np.isnan(points[1:]).all() and (points[0] == [1, 2]).all()
    (tmp_path / "points.csv").unlink()
    (tmp_path / "probabilities.csv").write_text("0.25\n1\n")
    assert (programs.take(tmp_path, ALL, 2, 2)[1] == [0.25, 1]).all()


@pytest.mark.parametrize(
    "file, content, why",
    [
        ("other.csv", "1,2\n", "neither points.csv nor probabilities.csv"),
        ("points.csv", "1,2\n3,4\n", "points.csv has 2 x 2 numbers, not 3 x 2"),
        ("points.csv", "1\n2\n3\n", "points.csv has 3 x 1 numbers, not 3 x 2"),
        ("points.csv", "1,2\n3,nan\n5,6\n", "not finite"),
        ("points.csv", "1,2\n3,none\n5,6\n", "points.csv: could not convert"),
        ("probabilities.csv", "0.5\n1.5\n", "outside 0 to 1"),
        ("probabilities.csv", "0.5\n", "has 1 x 1 numbers, not 2 x 1"),
    ],
)
def test_wrong_files_are_no_result(tmp_path, file, content, why):
    (tmp_path / file).write_text(content)
    with pytest.raises(Unusable, match=why):
        programs.take(tmp_path, ALL, 2, 2)


def test_an_environment_is_made_once_from_its_lock_and_again_after_a_change(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: asked.append(command))
    peer, made = tmp_path / "peer", tmp_path / "environments"
    (peer).mkdir()
    assert programs.python_of(peer, made) == programs.sys.executable and not asked
    (peer / "requirements.lock").write_text("toy==1")
    (made / "peer").mkdir(parents=True)
    with monkeypatch.context() as patch:  # as the stubbed venv makes no folder
        patch.setattr(programs.shutil, "rmtree", lambda *_, **__: None)
        python = programs.python_of(peer, made)
        assert python == str(made / "peer/bin/python") and "--require-hashes" in asked[1]
        assert programs.python_of(peer, made) == python and len(asked) == 2
        (peer / "requirements.lock").write_text("toy==2")
        programs.python_of(peer, made)
    assert len(asked) == 4


def test_the_words_of_an_outcome_fit_on_a_line():
    assert programs.crash("a\nb " + 300 * "c") == "crashed: a b " + 116 * "c"
