"""Check the loader: a data set is a module with a YAML file beside it."""

import inspect
import json
from pathlib import Path

import numpy as np
import pytest

import closerthan.datasets
from closerthan.datasets import fetch, find_files, load, registry
from closerthan.datasets.loader import find_loader, takes_files
from closerthan.datasets.registry import modules
from closerthan.datasets.shapes import SHAPES

NAMES = sorted(registry())
OF_FILES = [name for name in NAMES if takes_files(find_loader(name))]
UNSEEN = {  # files that were never at hand, and how their checksums begin
    "sun397": ("sun_split.mat", "git_blob 6d3ed44f"),
    "musicseer": ("musicseer-results-2002-10-15.txt", "sha256 149bc77d"),
}
GENERATED = [
    name for name in NAMES if "random_state" in inspect.signature(find_loader(name)).parameters
]


def function_of(name):
    found = find_loader(name)
    return getattr(found, "func", found)  # a shared function gets the name


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_has_a_loader_in_the_module_beside_it(name):
    function = function_of(name)
    assert function.__module__ == modules()[name]
    assert getattr(closerthan.datasets, function.__name__) is function
    assert function.__name__ in dir(closerthan.datasets)


@pytest.mark.parametrize("name", OF_FILES)
def test_all_loaders_of_files_look_for_them_as_fetch_does(name):
    function = function_of(name)
    places = list(inspect.signature(function).parameters.values())[-3:]
    assert places == list(inspect.signature(fetch).parameters.values())[-3:]
    assert "mirror, cache, offline\n" in function.__doc__


@pytest.mark.parametrize("name", sorted({n for n in NAMES if function_of(n) is not find_loader(n)}))
def test_a_loader_of_several_sets_names_them(name):
    with pytest.raises(ValueError, match=f"name='shoes'; it must be one of .*{name}"):
        function_of(name)("shoes")


@pytest.mark.parametrize("name", GENERATED)
def test_what_is_generated_depends_on_the_seed_only(name):
    options = {"noise": 0.1} if name in SHAPES else {}
    seeds = (3, np.random.SeedSequence(3), np.random.default_rng(3), 4)
    first, *others, last = (load(name, random_state=s, **options).arrays() for s in seeds)
    for other in others:
        assert first.keys() == other.keys()
        assert all(first[key].tobytes() == other[key].tobytes() for key in first)
    for key in {"points", "distances", "comparisons"} & first.keys():
        assert not np.array_equal(first[key], last[key])


# The files


def test_embedded_data_need_no_files():
    assert find_files("swissroll") == find_files("eurodist") == {}
    for find in (find_files, load):
        with pytest.raises(ValueError, match="unknown data set 'shoes'") as error:
            find("shoes")
        assert str(error.value).endswith(f"expected one of {', '.join(NAMES)}")


def assert_registered(data, folder):
    """The counts are those of the registry, the facts are JSON, the arrays need no pickle."""
    known, found = registry()[data.name], dict(data.info)
    if data.features is not None:
        found["n_features"] = data.features.shape[1]
    if data.ratings is not None:
        found["ratings"] = list(data.ratings)
    for key in ("n_objects", "n_answers", "n_people", "n_features", "ratings"):
        if known.get(key) is not None and key in found:
            assert found[key] == known[key], key
    assert json.loads(json.dumps(data.info)) == data.info
    assert {"title", "source", "license", "open_license", "citation", "files"} <= set(data.info)
    np.savez(folder / "data.npz", **data.arrays())
    with np.load(folder / "data.npz", allow_pickle=False) as saved:
        assert set(saved) == set(data.arrays()) == set(data.info["shape"])
        for key, value in data.arrays().items():
            np.testing.assert_array_equal(saved[key], value)
            assert data.info["shape"][key] == list(value.shape)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_FILES])
def test_data_that_need_no_file_are_those_of_the_registry(name, tmp_path):
    assert_registered(load(name), tmp_path)


@pytest.mark.parametrize("name", [name for name in OF_FILES if name not in UNSEEN])
def test_the_files_found_are_those_that_the_loader_reads(name, places, tmp_path, monkeypatch):
    found, seen = find_files(name, **places), set()
    locate = closerthan.datasets.fetch.__globals__["locate"]

    def note(place, *args, **options):
        seen.add(Path(place).name)
        return locate(place, *args, **options)

    monkeypatch.setitem(closerthan.datasets.fetch.__globals__, "locate", note)
    assert_registered(load(name, **places), tmp_path)
    assert found.keys() == seen
    assert all(path.is_file() for path in found.values())


@pytest.mark.parametrize("name", UNSEEN)
def test_another_file_than_the_unseen_one_is_refused(name, tmp_path):
    file, checksum = UNSEEN[name]
    (tmp_path / name).mkdir()
    (tmp_path / name / file).write_text("another file")
    for find in (find_files, load):
        with pytest.raises(ValueError, match=f"expected at most [0-9]+ bytes with {checksum}"):
            find(name, mirror=tmp_path, cache=tmp_path / "cache", offline=True)


def test_an_option_stands_instead_of_a_file(places):
    registered = find_files("words", **places)
    others = find_files("words", vectors="glove.txt", **places)
    assert registered.keys() - others.keys() == {"glove6B_300d_men_simlex.npz"}
