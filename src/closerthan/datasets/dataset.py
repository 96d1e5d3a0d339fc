"""Hold the arrays of a data set, and where they come from."""

from dataclasses import dataclass, field, replace
from textwrap import shorten

import numpy as np

from closerthan.comparisons.answers import Answers
from closerthan.datasets.registry import registry


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Hold the arrays of a data set of n objects; arrays that it lacks are None.

    Attributes
    ----------
    name : str
    points : ndarray of shape (n, p), optional
        True positions of the objects.
    features : ndarray of shape (n, d), optional
        Measurements of the objects.
    labels : ndarray of int, shape (n,), optional
        The class of each object, an index into `class_names`.
    distances : ndarray of shape (n, n), optional
    answers : Answers, optional
        People's answers on the similarity of the objects, or simulated ones; see
        `closerthan.comparisons.Answers`.
    ratings : dict of str to ndarray of shape (m, 3) or (m, 4), optional
        By name, rows (i, j, score): how similar or different people find the objects i and j. A
        fourth column, if any, tells who said so.
    parameters : ndarray of shape (n, 1) or (n, 2), optional
        True coordinates of the objects within the curve or surface on which `points` lie.
    color : ndarray of shape (n,), optional
        A number for each object, to color it by. It varies along the curve or surface.
    object_names, class_names : ndarray of str, optional
    info : dict
        Facts that can be written as JSON: ``n_objects``, the ``shape`` of each array, and
        ``dropped`` (what was left out of the source, and why). From the registry: ``title``,
        ``description``, ``source`` (an address), ``citation``, ``license``, ``open_license``,
        ``files`` (url, size, checksum) and often ``form``. With answers also ``n_answers`` and
        ``n_people`` (None if unknown). `load_words` adds ``coverage`` and ``vectors``.
        A data set that needs no file can be loaded without PyYAML. Its `info` then lacks the
        registry's part.

    Examples
    --------
    >>> from closerthan.datasets import load_digits
    >>> load_digits()
    Dataset 'digits': 1,797 objects
      arrays: features (1797, 64), labels (1797,), class_names (10,)
      license: CC BY 4.0
    """

    name: str
    points: np.ndarray | None = None
    features: np.ndarray | None = None
    labels: np.ndarray | None = None
    distances: np.ndarray | None = None
    answers: Answers | None = None
    ratings: dict | None = None
    parameters: np.ndarray | None = None
    color: np.ndarray | None = None
    object_names: np.ndarray | None = None
    class_names: np.ndarray | None = None
    info: dict = field(default_factory=dict)

    def __repr__(self):
        arrays = self.arrays()
        shown = ", ".join(f"{name} {value.shape}" for name, value in arrays.items())
        lines = [
            f"Dataset {self.name!r}: {self._form()}",
            f"  arrays: {shown or 'none'}",
            f"  license: {shorten(self.info.get('license', 'unknown'), 90)}",
        ]
        return "\n".join(lines)

    def _form(self):
        """Return the numbers of objects and of answers, such as "9,090 triplets of 400 objects"."""
        own = (self.features, self.points, self.labels, self.distances, self.object_names)
        sizes = [len(array) for array in own if array is not None]
        n = self.info.get("n_objects", sizes[0] if sizes else None)
        text = "objects" if n is None else f"{n:,} objects"
        if self.answers is None:
            return text
        kind = "triplets" if self.comparisons.shape[1] == 3 else "quadruplets"
        return f"{len(self.answers):,} {kind} of {text}"

    @property
    def comparisons(self) -> np.ndarray | None:
        """The array of comparisons in `answers`; None if there are no answers."""
        return None if self.answers is None else self.answers.comparisons

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all arrays by name, for `numpy.savez`; no array is of Python objects.

        Answers give ``comparisons``, ``screen``, ``weight`` and, if they are known,
        ``participant`` and ``time``. Ratings give ``ratings_<name>``.
        """
        arrays = {key: value for key, value in vars(self).items() if isinstance(value, np.ndarray)}
        if self.answers is not None:
            arrays |= self.answers.arrays()
        return arrays | {f"ratings_{name}": rows for name, rows in (self.ratings or {}).items()}


def describe(name, n_objects, *, dropped=(), folders=(), **content):
    """Return a `Dataset` with an `info` of the registry's facts and the sizes of its arrays."""
    data = Dataset(name, **content)
    info = {
        "n_objects": n_objects,
        "shape": {key: list(value.shape) for key, value in data.arrays().items()},
        "dropped": list(dropped),
    }
    if data.answers is not None:
        info |= {"n_answers": data.answers.n_screens, "n_people": data.answers.n_people}
    return replace(data, info=_registered(name, folders) | info)


def describe_classes(name, features, classes, class_names=None):
    """Return a `Dataset` of features in classes; without names, the numbers name the classes."""
    numbers, labels = np.unique(classes, return_inverse=True)
    names = [f"{number:g}" for number in numbers] if class_names is None else class_names
    return describe(
        name,
        len(features),
        features=features.astype(float),
        labels=labels.ravel().astype(np.int64),
        class_names=np.array(names),
    )


def _registered(name, folders):
    try:
        facts = registry(folders)[name]
    except ImportError:
        return {}
    keys = ("title", "description", "citation", "license", "open_license", "files", "form")
    return {"source": facts["homepage"]} | {key: facts[key] for key in keys if key in facts}
