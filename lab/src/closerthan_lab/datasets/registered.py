"""The functions of `closerthan.datasets`, for the data sets of both packages."""

from functools import partial
from pathlib import Path

from closerthan.datasets import dataset
from closerthan.datasets.fetch import reader as _reader
from closerthan.datasets.loader import load as _load
from closerthan.datasets.registry import list_datasets as _list_datasets
from closerthan.datasets.registry import modules as _modules
from closerthan.datasets.registry import registry as _registry

FOLDERS = (Path(__file__).parent,)

describe = partial(dataset.describe, folders=FOLDERS)
reader = partial(_reader, folders=FOLDERS)
load = partial(_load, folders=FOLDERS)
list_datasets = partial(_list_datasets, FOLDERS)
modules = partial(_modules, FOLDERS)
registry = partial(_registry, FOLDERS)
