"""Data sets: real ones, fetched and verified, and generated ones, all as arrays."""

from functools import partial

from relsim.datasets.caltech10 import load_caltech10
from relsim.datasets.dataset import Dataset
from relsim.datasets.digits import load_digits
from relsim.datasets.eurodist import load_eurodist
from relsim.datasets.fetch import DataUnavailable, fetch
from relsim.datasets.landuse21 import load_landuse21
from relsim.datasets.libsvm import SETS as _LIBSVM
from relsim.datasets.libsvm import load_libsvm
from relsim.datasets.mnist import load_mnist
from relsim.datasets.music import load_music
from relsim.datasets.registry import registry
from relsim.datasets.scene15 import load_scene15
from relsim.datasets.shapes import SHAPES as _SHAPES
from relsim.datasets.shapes import make_shape
from relsim.datasets.sun397 import load_sun397
from relsim.datasets.synthetic import make_gaussian
from relsim.datasets.tabular import load_breast_cancer, load_wine
from relsim.datasets.words import load_words
from relsim.datasets.zappos import load_zappos

__all__ = [
    "DataUnavailable",
    "Dataset",
    "fetch",
    "load",
    "load_breast_cancer",
    "load_caltech10",
    "load_digits",
    "load_eurodist",
    "load_landuse21",
    "load_libsvm",
    "load_mnist",
    "load_music",
    "load_scene15",
    "load_sun397",
    "load_wine",
    "load_words",
    "load_zappos",
    "make_gaussian",
    "make_shape",
    "registry",
]

_EMBEDDED = {
    "breast_cancer": load_breast_cancer,
    "digits": load_digits,
    "eurodist": load_eurodist,
    "synthetic": make_gaussian,
    "wine": load_wine,
    **{name: partial(make_shape, name) for name in _SHAPES},
}
_FETCHED = {
    "caltech10": load_caltech10,
    "landuse21": load_landuse21,
    "mnist": load_mnist,
    "music": load_music,
    "scene15": load_scene15,
    "sun397": load_sun397,
    "words": load_words,
    "zappos": load_zappos,
    **{name: partial(load_libsvm, name) for name in _LIBSVM},
}


def load(name, *, mirror=None, cache=None, offline=False, **options):
    """Load a data set by name.

    Parameters
    ----------
    name : str
        A key of `registry`.
    mirror, cache, offline
        Where to look for files, as in `fetch`; a data set that needs none takes no notice.
    **options
        Passed on to the loader, such as ``n_objects`` of `make_gaussian` for ``"synthetic"``.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        If there is no such data set, or its content is wrong.
    DataUnavailable
        If a file is nowhere to be had.

    Examples
    --------
    >>> from relsim.datasets import load
    >>> load("synthetic", n_objects=5, random_state=0).points.shape
    (5, 10)
    >>> load("shoes")
    Traceback (most recent call last):
    ...
    ValueError: unknown data set 'shoes', expected one of ...
    """
    if name in _FETCHED:
        return _FETCHED[name](mirror=mirror, cache=cache, offline=offline, **options)
    if name in _EMBEDDED:
        return _EMBEDDED[name](**options)
    known = ", ".join(sorted(_FETCHED | _EMBEDDED))
    raise ValueError(f"unknown data set {name!r}, expected one of {known}")
