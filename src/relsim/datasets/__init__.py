"""Data sets: real ones, fetched and verified, and generated ones, all as arrays.

`list_datasets` is a table of all. The loader of each, such as `load_music` or `make_shape`, is
imported from its module when it is asked for; see `relsim.datasets.loader` for how to add one.
"""

from relsim._discovery import lazy_face as _lazy_face
from relsim.datasets.dataset import Dataset as Dataset
from relsim.datasets.fetch import DataUnavailable as DataUnavailable
from relsim.datasets.fetch import fetch as fetch
from relsim.datasets.loader import find_files as find_files
from relsim.datasets.loader import load as load
from relsim.datasets.registry import list_datasets as list_datasets
from relsim.datasets.registry import registry as registry

__getattr__, __dir__ = _lazy_face(__name__, r"(load|make)_\w+")
