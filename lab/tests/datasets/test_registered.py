"""The data sets of the lab are registered like those of closerthan, which are found beside them."""

import inspect

import pytest

import closerthan_lab.datasets
from closerthan.datasets import find_files, registry
from closerthan.datasets.fetch import fetch
from closerthan.datasets.loader import find_loader, takes_files
from closerthan_lab.datasets import list_datasets, load
from closerthan_lab.datasets.registered import FOLDERS, modules
from registries import check_entries, check_folder

OWN = sorted(modules().keys() - registry().keys())


def test_every_entry_is_whole_and_beside_its_module():
    check_entries(closerthan_lab.datasets.registry())
    check_folder(FOLDERS[0], "closerthan_lab.datasets", modules())


def test_the_data_sets_of_closerthan_are_there_too():
    assert registry().keys() < set(list_datasets().index)
    assert load("eurodist").info["n_objects"] == 21


def test_without_its_folder_a_data_set_is_unknown():
    with pytest.raises(ValueError, match="unknown data set 'cars60', expected one of breast"):
        find_files("cars60", offline=True)


@pytest.mark.parametrize("name", OWN)
def test_every_entry_has_a_loader_that_looks_for_files_as_fetch_does(name):
    found = find_loader(name, FOLDERS)
    function = getattr(found, "func", found)  # a shared function gets the name
    assert getattr(closerthan_lab.datasets, function.__name__) is function
    if takes_files(function):
        places = list(inspect.signature(function).parameters.values())[-3:]
        assert places == list(inspect.signature(fetch).parameters.values())[-3:]
