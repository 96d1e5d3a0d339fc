"""Check the loader: a data set is a module with a YAML file beside it."""

import inspect
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import closerthan.datasets
from closerthan.datasets import (
    Dataset,
    DataUnavailable,
    find_files,
    load,
    load_libsvm,
    load_mlds,
    load_perceptual_kernels,
    registry,
)
from closerthan.datasets.loader import find_loader, loader
from closerthan.datasets.registry import modules

NAMES = sorted(registry())
OF_FILES = [name for name in NAMES if find_loader(name).takes_files]


def function_of(name):
    found = find_loader(name).load
    return getattr(found, "func", found)  # a shared function gets the name


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_has_a_loader_in_the_module_beside_it(name):
    function = function_of(name)
    assert function.__module__ == f"closerthan.datasets.{modules()[name]}"
    assert getattr(closerthan.datasets, function.__name__) is function
    assert function.__name__ in dir(closerthan.datasets)


@pytest.mark.parametrize("name", OF_FILES)
def test_what_loaders_of_files_share_is_in_their_signature_and_docstring(name):
    function = function_of(name)
    places = list(inspect.signature(function).parameters.values())[-3:]
    assert [p.name for p in places] == ["mirror", "cache", "offline"]
    assert [p.default for p in places] == [None, None, False]
    doc = function.__doc__
    assert sum(line.startswith("---") for line in doc.splitlines()) == 4
    parts = ["Parameters\n---", "mirror, cache, offline", "Returns\n---", "Raises\n---", "Refer"]
    assert [doc.index(part) for part in parts] == sorted(doc.index(part) for part in parts)


def _wine(n_objects=178, n_features=13):
    features = np.zeros((n_objects, n_features))
    return Dataset("wine", features=features, info={"n_objects": n_objects})


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"n_features": 12}, "wine: n_features is 12, expected 13, as the registry says"),
        ({"n_objects": 177}, "wine: n_objects is 177, expected 178, as the registry says"),
    ],
)
def test_data_of_another_size_than_registered_are_refused(sizes, message, monkeypatch):
    monkeypatch.setattr(import_module("closerthan.datasets.loader"), "_LOADERS", {})
    with pytest.raises(ValueError, match=message):
        loader("wine")(lambda: _wine(**sizes))()
    assert loader("wine")(_wine)().name == "wine"


def test_a_loader_of_files_is_given_their_verified_content(tmp_path):
    (tmp_path / "vehicle").mkdir()
    (tmp_path / "vehicle" / "vehicle.scale").write_bytes(b"another file")
    with pytest.raises(ValueError, match="is not the registered file"):
        load_libsvm("vehicle", mirror=tmp_path, cache=tmp_path / "cache", offline=True)


@pytest.mark.parametrize(
    ("load_one", "name", "first"),
    [
        (load_libsvm, "vowels", "vehicle, v"),
        (load_mlds, "kk1", "mlds_autumn_lab"),
        (load_perceptual_kernels, "size", "perceptual_color"),
    ],
)
def test_a_loader_of_several_sets_names_them(load_one, name, first):
    with pytest.raises(ValueError, match=f"unknown data set '{name}', expected one of {first}"):
        load_one(name)


def test_a_loader_refuses_options_that_it_has_not():
    with pytest.raises(TypeError, match=r"load_music\(\).*'n_samples'"):
        load("music", n_samples=3)
    with pytest.raises(TypeError, match=r"make_answers\(\).*'n_samples'"):
        load("simulated", n_samples=3)
    with pytest.raises(TypeError, match=r"load_libsvm\(\).*'name'"):
        load_libsvm()
    with pytest.raises(TypeError, match=r"make_gaussian\(\).*'n_samples'"):
        load("synthetic", n_samples=3)


def test_a_loader_reads_the_files_itself():
    with pytest.raises(TypeError, match=r"load_music\(\).*'read'"):
        load("music", read=open)


def test_an_entry_without_a_loader_is_named(monkeypatch):
    module = import_module("closerthan.datasets.loader")
    monkeypatch.setattr(module, "modules", lambda: {"coins": "digits"})
    with pytest.raises(ValueError, match=r"digits\.py has no loader of 'coins'"):
        load("coins")


def test_the_package_shows_its_loaders_and_not_their_helpers():
    assert {"load_music", "make_shape", "load"} <= set(dir(closerthan.datasets))
    assert not hasattr(closerthan.datasets, "parse_labels")
    assert not {"lazy_face", "parse_labels"} & set(dir(closerthan.datasets))
    assert closerthan.datasets.music.parse_labels.__module__ == "closerthan.datasets.music"


def test_a_star_gives_all_loaders():
    names = {}
    exec("from closerthan.datasets import *", names)
    functions = {function_of(name).__name__ for name in NAMES}
    others = {"DataUnavailable", "Dataset"}
    others |= {"fetch", "find_files", "list_datasets", "load", "registry"}
    assert names.keys() - {"__builtins__"} == functions | others
    assert all(callable(names[name]) for name in functions | others)


COINS = {
    "coins.yaml": """
coins:
  title: Coins
  description: Two coins.
  citation: none
  license: none needed
  open_license: true
  homepage: https://example.org
  n_objects: 2
  n_features: 1
""",
    "coins.py": """
import numpy as np
from closerthan.datasets.dataset import describe
from closerthan.datasets.loader import loader

@loader("coins")
def load_coins():
    return describe("coins", 2, features=np.array([[1.0], [2.0]]))
""",
}


def test_a_data_set_is_added_by_its_two_files(tmp_path):
    package = shutil.copytree(Path(closerthan.__file__).parent, tmp_path / "closerthan")
    for name, content in COINS.items():
        (package / "datasets" / name).write_text(content, encoding="utf-8")
    code = """
from closerthan.datasets import find_files, load, load_coins, registry
assert load("coins").info["title"] == "Coins" == registry()["coins"]["title"]
assert load_coins().features.shape == (2, 1)
assert find_files("coins") == {}
"""
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


# The files


def test_embedded_data_need_no_files():
    assert find_files("swissroll") == find_files("eurodist") == {}
    for find in (find_files, load):
        with pytest.raises(ValueError, match="unknown data set 'shoes'") as error:
            find("shoes")
        assert str(error.value).endswith(f"expected one of {', '.join(NAMES)}")


def test_a_missing_file_is_told_as_when_loading(tmp_path):
    places = {"mirror": tmp_path, "cache": tmp_path / "cache", "offline": True}
    for find in (find_files, load):
        with pytest.raises(DataUnavailable, match=r"music/music_triplets\.mat is not to be had"):
            find("music", **places)


def assert_saved(data, folder):
    """The facts are JSON, and the arrays are stored without pickle."""
    assert json.loads(json.dumps(data.info)) == data.info
    assert {"title", "source", "license", "open_license", "citation", "files"} <= set(data.info)
    np.savez(folder / "data.npz", **data.arrays())
    with np.load(folder / "data.npz", allow_pickle=False) as saved:
        assert set(saved) == set(data.arrays()) == set(data.info["shape"])
        for key, value in data.arrays().items():
            np.testing.assert_array_equal(saved[key], value)
            assert data.info["shape"][key] == list(value.shape)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_FILES])
def test_data_that_need_no_file_can_be_saved(name, tmp_path):
    assert_saved(load(name), tmp_path)


@pytest.mark.parametrize("name", [name for name in OF_FILES if name != "sun397"])
def test_the_files_found_are_those_that_the_loader_reads(name, places, tmp_path, monkeypatch):
    module, seen = import_module("closerthan.datasets.loader"), set()
    read = module.read

    def note(dataset, file, **options):
        seen.add(file)
        return read(dataset, file, **options)

    monkeypatch.setattr(module, "read", note)
    assert_saved(load(name, **places), tmp_path)
    found = find_files(name, **places)
    assert found.keys() == seen
    assert all(path.is_file() for path in found.values())


def test_an_option_stands_instead_of_a_file(places):
    registered = find_files("words", **places)
    others = find_files("words", vectors="glove.txt", **places)
    assert registered.keys() - others.keys() == {"glove6B_300d_men_simlex.npz"}
