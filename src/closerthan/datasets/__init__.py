"""Data sets: real ones, fetched and verified, and generated ones; `list_datasets` has all."""

from closerthan._core.faces import lazy_face as _lazy_face
from closerthan.datasets.dataset import Dataset as Dataset
from closerthan.datasets.fetch import DataUnavailable as DataUnavailable
from closerthan.datasets.fetch import fetch as fetch
from closerthan.datasets.loader import LOADERS as _LOADERS
from closerthan.datasets.loader import find_files as find_files
from closerthan.datasets.loader import load as load
from closerthan.datasets.registry import list_datasets as list_datasets
from closerthan.datasets.registry import registry as registry

__all__ = ["DataUnavailable", "Dataset", "fetch", "find_files", "list_datasets", "load", "registry"]
__all__ += _LOADERS

__getattr__, __dir__ = _lazy_face(__name__, _LOADERS)
