"""Check that the data station names unavailable data, and writes available data identically."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from closerthan import datasets
from closerthan_study.configuration import Spec
from closerthan_study.data import (
    fetch_all,
    find_absent,
    list_tried,
    make_data,
    say_missing,
    say_remedy,
)
from closerthan_study.files import write_json
from closerthan_study.reading import read_data, read_json, read_records
from closerthan_study.spec.experiment import Experiment
from toy_study import config, write_study

MIRROR = os.environ.get("CLOSERTHAN_DATA_MIRROR")
EMBEDDED = ["synthetic", "eurodist", "digits"]


@pytest.fixture
def make_spec(tmp_path, monkeypatch):
    """Make a study with data from an empty cache or a mirror; the network is cut off."""
    monkeypatch.delenv("CLOSERTHAN_DATA_MIRROR", raising=False)
    for variable in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(variable, raising=False)

    def make(*wanted, mirror=None, seed=0, vectors=None, strict=False):
        experiments = {
            f"figure-{number}": {
                **{"task": "ordinal", "shows": "Fig. 0", "datasets": names},
                **({"fallback": fallback} if fallback else {}),
                **{"comparisons": {"source": "people", "n_train": 0.8}, "n_components": 2},
                "methods": {"random": {"label": "random", "control": "random"}},
                "scales": {"smoke": {"trials": 1, "epochs": 1}},
            }
            for number, (names, fallback) in enumerate(wanted)
        }
        write_study(tmp_path, experiments or {"none": {}})
        places = {"mirror": mirror, "cache": str(tmp_path / "cache"), "strict": strict}
        changes = {"seed": seed, "data": places, "words": {"vectors": vectors}}
        return Spec(config(tmp_path, **changes), tmp_path)

    return make


def find_missing(spec):
    path = Path(spec.root, "missing.json")
    said = fetch_all(spec, path)
    found = read_json(path)
    assert (f"Missing: {', '.join(found)}." in said) if found else (said == "")
    assert set(found) <= set(find_absent(spec))
    return found


def test_what_cannot_be_had_is_named_with_what_to_do(make_spec, tmp_path):
    spec = make_spec((["eurodist", "music"], None), (["landuse21"], "digits"))
    missing = find_missing(spec)
    assert list(missing) == ["music", "landuse21"]
    some = "2 of 3 data sets could not be had; 2 experiments are incomplete."
    assert say_missing(spec, missing) == some
    for name, why in missing.items():
        assert f"{name}/" in why and "internet: https://" in why
        assert "Set CLOSERTHAN_DATA_MIRROR" in why and str(tmp_path / "cache" / name) in why


def test_an_experiment_without_what_it_also_reads_does_not_run(make_spec, monkeypatch):
    spec = make_spec((["eurodist"], None), (["music"], None))
    also = property(lambda experiment: ["digits"] * (experiment.name == "figure-0"))
    monkeypatch.setattr(Experiment, "also_reads", also)
    assert spec.wanted() == ["eurodist", "digits", "music"]
    assert [name for _, name in spec.pairs({})] == ["eurodist", "music"]
    assert [name for _, name in spec.pairs({"digits": ""})] == ["music"]
    some = "1 of 3 data sets could not be had; 1 experiment is missing."
    assert say_missing(spec, {"digits": ""}) == some


def test_the_remedy_names_the_option_that_replaces_a_file(make_spec):
    missing = find_missing(make_spec((["music"], None)))
    assert say_remedy(missing).endswith("Then run again.")
    missing["words"] = "put the file at x\nor give `vectors`, the path of a text file"
    said = "For words you can instead give `vectors`, the path of a text file, in"
    assert said in say_remedy(missing)


def test_an_empty_mirror_helps_nobody_and_a_corrupt_one_is_missing_data(make_spec, tmp_path):
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    spec = make_spec((["music"], None), mirror=str(mirror))
    assert f"there is no {mirror}/music/" in find_missing(spec)["music"]
    (mirror / "music").mkdir()
    (mirror / "music" / "music_triplets.mat").write_bytes(b"not the triplets")
    missing = find_missing(spec)
    [tried] = list_tried(missing["music"])
    assert "music_triplets.mat is not the registered file" in tried
    assert say_missing(spec, missing).startswith("1 of 1 data sets could not be had")


def test_strict_data_end_with_the_names_and_the_remedy(make_spec, tmp_path):
    spec = make_spec((["music"], None), strict=True)
    said = fetch_all(spec, tmp_path / "missing.json")
    assert "data.strict is set" in said and "music/" in said
    assert "Set CLOSERTHAN_DATA_MIRROR" in said and not (tmp_path / "missing.json").exists()


def test_a_fallback_stands_in_only_where_no_data_set_is_left(make_spec):
    spec = make_spec(
        (["landuse21"], "digits"),
        (["landuse21", "eurodist"], "digits"),
        (["music"], None),
        (["synthetic"], None),
        (["landuse21"], ["digits", "wine"]),
    )
    names = [(experiment.name, name) for experiment, name in spec.pairs({"landuse21", "music"})]
    assert names[:3] == [
        *(("figure-0", "digits"), ("figure-1", "eurodist"), ("figure-3", "synthetic"))
    ]
    assert names[3:] == [("figure-4", "digits"), ("figure-4", "wine")]


def test_a_fallback_that_cannot_be_had_either_is_looked_for_and_left_out(make_spec):
    spec = make_spec((["landuse21"], ["music", "digits"]), (["eurodist"], "words"))
    assert list(find_missing(spec)) == ["landuse21", "music"], "no need to look for words"
    assert [name for _, name in spec.pairs({"landuse21", "music"})] == ["digits", "eurodist"]
    Path(spec.results, "data").mkdir(parents=True)
    Path(spec.results, "data", "music.npz").touch()
    found = find_missing(spec)
    assert list(found) == ["landuse21"], "what is made is had"
    write_json(Path(spec.results, "data", "missing.json"), found)
    names = [name for _, name in spec.pairs()]
    assert names == ["music", "digits", "eurodist"], "as jobs see it"
    Path(spec.results, "data", "music.npz").unlink()
    only = make_spec((["landuse21"], "music"))
    assert only.pairs(find_missing(only)) == []
    some = "2 of 2 data sets could not be had; 1 experiment is missing."
    assert say_missing(only, find_missing(only)) == some


@pytest.mark.parametrize("name", EMBEDDED)
def test_a_data_set_is_written_whole_and_the_same_twice(make_spec, tmp_path, name):
    files = [[tmp_path / f"{copy}.{suffix}" for suffix in ("npz", "json")] for copy in "ab"]
    for npz, record in files:
        make_data(make_spec(([name], None)), name, npz, record)
    for one, other in zip(*files, strict=True):
        assert one.read_bytes() == other.read_bytes()
    arrays = read_data(files[0][0])
    [record] = read_records([files[0][1]])
    assert record["name"] == name and record["license"] and record["citation"]
    assert record["shape"] == {key: list(array.shape) for key, array in arrays.items()}
    assert record == json.loads(files[0][1].read_text())
    if name != "synthetic":
        for key, array in datasets.load(name).arrays().items():
            np.testing.assert_array_equal(arrays[key], array)


@pytest.mark.parametrize(("name", "key"), [("synthetic", "points"), ("swissroll", "parameters")])
def test_what_is_generated_depends_on_the_seed_alone(make_spec, tmp_path, name, key):
    for number, seed in enumerate([0, 0, 1]):
        npz = tmp_path / f"{number}.npz"
        make_data(make_spec(seed=seed), name, npz, tmp_path / f"{number}.json")
    first, second, third = (read_data(tmp_path / f"{n}.npz")[key] for n in range(3))
    np.testing.assert_array_equal(first, second)
    assert not np.isclose(first, third).any()


if MIRROR:

    def test_the_vectors_of_words_come_from_the_file_that_the_configuration_names(
        make_spec, tmp_path
    ):
        glove = tmp_path / "glove.txt"
        glove.write_text("sun 1 2\nsunlight 2 1\nmoon 3 4\n")
        spec = make_spec((["words"], None), mirror=MIRROR, vectors=str(glove))
        make_data(spec, "words", tmp_path / "words.npz", tmp_path / "words.json")
        arrays = read_data(tmp_path / "words.npz")
        assert list(arrays["object_names"]) == ["moon", "sun", "sunlight"]
        assert arrays["features"].tolist() == [[3, 4], [1, 2], [2, 1]]
        assert read_records([tmp_path / "words.json"])[0]["vectors"] == "glove.txt"
        assert find_missing(make_spec((["words"], None), mirror=MIRROR)) == {}


def test_what_is_not_to_be_had_leaves_no_file(make_spec, tmp_path):
    with pytest.raises(datasets.DataUnavailable, match="music"):
        make_data(make_spec(), "music", tmp_path / "out" / "m.npz", tmp_path / "out" / "m.json")
    assert not (tmp_path / "out").exists()
