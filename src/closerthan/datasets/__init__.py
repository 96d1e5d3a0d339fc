"""Data sets: real ones, fetched and verified, and generated ones, all as arrays.

`list_datasets` is a table of all. The loader of each, such as `load_music` or `make_shape`, is
imported from its module when it is asked for. The loader of a module has its name, such as
`load_music` in `music`; `_OTHERS` lists the exceptions. See `closerthan.datasets.loader` for how to
add one.
"""

from closerthan._core.faces import lazy_face as _lazy_face
from closerthan.datasets.dataset import Dataset as Dataset
from closerthan.datasets.fetch import DataUnavailable as DataUnavailable
from closerthan.datasets.fetch import fetch as fetch
from closerthan.datasets.loader import find_files as find_files
from closerthan.datasets.loader import load as load
from closerthan.datasets.registry import list_datasets as list_datasets
from closerthan.datasets.registry import modules as _modules
from closerthan.datasets.registry import registry as registry

_OTHERS = {
    "load_breast_cancer": "tabular",
    "load_things_repeated": "things_ooo",
    "load_wine": "tabular",
    "make_answers": "simulated",
    "make_dimensions": "simulated_dimensions",
    "make_gaussian": "synthetic",
    "make_shape": "shapes",
}
_NO_OWN = {*_OTHERS.values()} - {"things_ooo"}  # modules without a loader of their name
_PLACES = _OTHERS | {f"load_{name}": name for name in _modules().values() if name not in _NO_OWN}
__all__ = ["DataUnavailable", "Dataset", "fetch", "find_files", "list_datasets", "load", "registry"]
__all__ += _PLACES

__getattr__, __dir__ = _lazy_face(__name__, _PLACES)
