"""What every loader returns: the arrays of a data set, and where they come from."""

from dataclasses import dataclass, field, fields, replace

import numpy as np

from closerthan.comparisons.answers import Answers
from closerthan.datasets.registry import registry


@dataclass(frozen=True, eq=False)
class Dataset:
    """The arrays of a data set of n objects; those that it lacks are None.

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
        What people said of how close the objects are, or what is simulated of it; see
        `closerthan.comparisons.Answers`.
    ratings : dict of str to ndarray of shape (m, 3) or (m, 4), optional
        By name, rows (i, j, score): how alike or different people find the objects i and j; and,
        where it is known, who said so.
    parameters : ndarray of shape (n, 1) or (n, 2), optional
        True coordinates of the objects within the curve or surface on which `points` lie.
    color : ndarray of shape (n,), optional
        A number to color each object by, that varies along the curve or surface.
    object_names, class_names : ndarray of str, optional
    info : dict
        Ready for JSON: ``n_objects``, ``shape`` of each array, ``dropped`` (what was left out of
        the source and why) and, from the registry, ``title``, ``description``, ``source`` (an
        address), ``citation``, ``license``, ``open_license``, ``files`` (url, size, checksum) and,
        of answers, ``form``, ``n_answers`` and ``n_people`` (None where it is unknown).
        `load_words` adds ``coverage`` and ``vectors``.
        A data set that needs no file can be loaded without PyYAML; the registry's part of `info`
        is then left out.

    Examples
    --------
    >>> from closerthan.datasets import load_eurodist
    >>> sorted(load_eurodist().arrays())
    ['distances', 'object_names']
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

    @property
    def comparisons(self) -> np.ndarray | None:
        """The array of the comparisons that the answers imply, None where there are none."""
        return None if self.answers is None else self.answers.comparisons

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays that there are by name, ready for `numpy.savez`; none holds objects.

        Those of the answers are ``comparisons``, ``screen``, ``weight`` and, where they are known,
        ``participant`` and ``time``; those of the ratings ``ratings_<name>``.
        """
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        if self.answers is not None:
            arrays |= self.answers.arrays()
        return arrays | {f"ratings_{name}": rows for name, rows in (self.ratings or {}).items()}


def describe(name, n_objects, *, dropped=(), **content):
    """Make a `Dataset` whose `info` joins the registry's facts with those measured here."""
    data = Dataset(name, **content)
    info = {
        "n_objects": n_objects,
        "shape": {key: list(value.shape) for key, value in data.arrays().items()},
        "dropped": list(dropped),
    }
    if data.answers is not None:
        info |= {"n_answers": data.answers.n_screens, "n_people": data.answers.n_people}
    return replace(data, info=_registered(name) | info)


def _registered(name):
    try:
        facts = registry()[name]
    except ImportError:
        return {}
    keys = ("title", "description", "citation", "license", "open_license", "files", "form")
    return {"source": facts["homepage"]} | {key: facts[key] for key in keys if key in facts}
