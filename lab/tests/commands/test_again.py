"""A map can be made again from its record, which says what a paper has to say."""

import json
import shlex
import subprocess
from shutil import which

import numpy as np
import pandas as pd
import pytest

from closerthan_lab.commands.again import sha256_of
from commands.line import refused, run, said
from commands.planted import write_answers


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A folder with answers by three people, and with a map of them."""
    monkeypatch.chdir(tmp_path)
    write_answers(tmp_path / "answers.csv", people="abc")
    words = "--refits 10 --seed 3 --without c --columns participant=user -o map -j 1"
    said("embed", "answers.csv", *words.split())
    return tmp_path


def facts_of(folder):
    return json.loads((folder / "embed.json").read_text())


@pytest.mark.parametrize("words", ["--again map/embed.json", "--again=map/embed.json"])
def test_the_same_options_give_the_same_files(made, words):
    said("embed", *words.split(), "-o", "again")
    names = {path.name for path in (made / "map").iterdir()}
    assert names >= {"embed.json", "embedding.csv", "methods.txt", "map.svg", "index.html"}
    for name in names:
        assert (made / "again" / name).read_bytes() == (made / "map" / name).read_bytes(), name


def test_the_recorded_command_is_one_that_can_be_typed(made):
    command = facts_of(made / "map")["command"]
    assert "-o" not in command and "--without=c" in command
    said(*shlex.split(command)[1:], "-o", "typed")
    coordinates = [made / folder / "embedding.csv" for folder in ("typed", "map")]
    assert coordinates[0].read_bytes() == coordinates[1].read_bytes()


def test_an_option_replaces_a_recorded_one(made):
    said("embed", "--again", "map/embed.json", "--level", "0.95", "-o", "wide")
    assert [facts_of(made / folder)["level"] for folder in ("map", "wide")] == [0.9, 0.95]
    assert "95% confidence ellipses" in (made / "wide" / "methods.txt").read_text()
    tables = [made / folder / "embedding.csv" for folder in ("map", "wide")]
    assert tables[0].read_bytes() == tables[1].read_bytes()
    assert (made / "wide/map.svg").read_bytes() != (made / "map/map.svg").read_bytes()


def test_a_file_that_has_changed_is_refused(made):
    (made / "answers.csv").write_bytes((made / "answers.csv").read_bytes() + b"\n")
    message = refused("embed", "--again", "map/embed.json")
    assert message == (
        "closerthan: answers.csv: the file has changed since; restore it, or omit --again\n"
    )


@pytest.mark.parametrize("record", ["not JSON", "[]", "{}"])
def test_a_file_without_a_record_is_refused(made, record):
    (made / "other.json").write_text(record)
    assert "other.json: no command is recorded" in refused("embed", "--again", "other.json")
    assert run("embed", "--again").exit_code == 2


def test_another_version_is_told(made):
    facts = facts_of(made / "map") | {"version": "0.0.1"}
    (made / "old.json").write_text(json.dumps(facts))
    with pytest.warns(UserWarning, match=r"old.json: made by closerthan 0\.0\.1"):
        run("embed", "--again", "old.json", "--refits", "0")


def test_the_methods_say_what_the_facts_say(made):
    facts, text = facts_of(made / "map"), (made / "map" / "methods.txt").read_text()
    kept = 1000 - len(range(2, 1000, 3))
    assert f"Answers used: {kept} about 20 objects" in text
    assert f"Left out: {1000 - kept} rows (by --where or --without)" in text
    digest = facts["files"]["answers.csv"]
    assert f"Command: {facts['command']}\n" in text and f"answers.csv (SHA-256 {digest})" in text
    low, high = facts["accuracy_interval"]
    assert np.mean([low, high]) == pytest.approx(1 - facts["error_held_out"])
    *_, paragraph = text.strip().split("\n\n")
    assert f"from {kept} answers of 2 participants, with closerthan {facts['version']}" in paragraph
    assert f"predicted {1 - facts['error_held_out']:.1%} (95% CI {low:.1%} to" in paragraph
    assert "is unknown, because too few questions were asked twice." in paragraph
    assert "from 10 bootstrap refits to resampled questions." in paragraph


@pytest.mark.skipif(which("sha256sum") is None, reason="there is no sha256sum")
def test_digests_are_those_of_sha256sum(tmp_path):
    (tmp_path / "b").mkdir()
    pd.DataFrame({"a": [1]}).to_csv(tmp_path / "b" / "x.csv")
    (tmp_path / "a.txt").write_text("a")
    line = subprocess.run(["sha256sum", "a.txt", "b/x.csv"], cwd=tmp_path, capture_output=True)
    assert line.stdout.split()[0].decode() == sha256_of(tmp_path / "a.txt")
    whole = subprocess.run(["sha256sum"], input=line.stdout, capture_output=True)
    assert whole.stdout.split()[0].decode() == sha256_of(tmp_path)
