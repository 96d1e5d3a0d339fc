"""Give every array that comes in in every container: it is read as the plain array is, or refused.

Functions, estimators and their arrays are found by introspection. `GIVEN` has an array and its kind
for each name of an argument, and the tables below say what becomes of each kind in each container.
"""

import inspect
import re
from functools import partial
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from closerthan.comparisons import Answers
from closerthan.losses import STE
from closerthan.mds import SMACOF, PatternSearchMDS

RNG = np.random.default_rng(0)
N = 8
POINTS = RNG.permuted(np.arange(2.0 * N)).reshape(N, 2)  # float16 holds their squares
D = np.abs(POINTS[:, None] - POINTS).sum(axis=2)
T = np.array([RNG.permutation(N)[:3] for _ in range(60)])
LABELS = np.array(list("ab" * 4))
SCREENS = np.arange(len(T))

# Kinds: ids, rows (ids, or a bool for each row), signs (numbers or bools), numbers, holes (numbers
# that may be missing), names, features (scikit-learn reads them), sparse (features, also sparse).
GIVEN = {
    **dict.fromkeys(["comparisons", "triplets", "questions", "objects", "answers"], (T, "ids")),
    **dict.fromkeys(["odd", "central"], (T[:, 1], "ids")),
    **dict.fromkeys(["responses", "y"], (np.where(SCREENS % 3, 1, -1), "signs")),
    **dict.fromkeys(["weight", "sample_weight"], (SCREENS % 5 + 1.0, "numbers")),
    **dict.fromkeys(["query_labels", "item_labels", "labels"], (LABELS, "names")),
    **dict.fromkeys(["distances", "scores"], (D, "numbers")),
    **dict.fromkeys(["dissimilarities", "weights"], (D, "holes")),
    **dict.fromkeys(["points", "embedding", "queries", "features"], (POINTS, "numbers")),
    **dict.fromkeys(["truth", "items"], (POINTS[::-1], "numbers")),
    **dict.fromkeys(["a", "b"], (np.arange(3.0), "holes")),
    "screen": (SCREENS, "ids"),
    "participant": (np.array(["ann", "bo", "cy"])[SCREENS % 3], "names"),
    "time": (SCREENS + 1.0, "holes"),
    "screens": (np.array([0, 2]), "rows"),
    "sources": (np.array([0, 2]), "rows"),
    "anchors": (T[:, 0], "ids"),
    "candidates": (T[:, 1:], "ids"),
    "chosen": (T[:, 1:2], "ids"),
    "rankings": (T[:, 1:], "ids"),
    "pairs": (np.array([[[0, 1], [2, 3]], [[1, 2], [0, 4]]]), "ids"),
    "best": (np.array([0, 1]), "ids"),
    "worst": (np.array([1, 0]), "ids"),
    "probability": (SCREENS % 5 / 4.0, "numbers"),
    "kernel": (POINTS @ POINTS.T, "numbers"),
}
OF_COMPARISONS = {"X": (T, "ids")}
OF_POINTS = {"X": (POINTS, "features"), "init": (POINTS, "numbers")}
OF_FEATURES = {name: (POINTS, "sparse") for name in ("X", "Y", "queries", "database")}
OWN = {  # arrays of some functions and estimators
    "Answers": {n: GIVEN[n] for n in ("comparisons", "screen", "participant", "time", "weight")},
    "Answers.take": {"screens": GIVEN["screens"]},
    "from_best_worst": {
        "participant": (np.array(["ann", "bo"]), "names"),
        "time": (np.array([1.0, 2.0]), "holes"),
    },
    "classical_mds": {"dissimilarities": (D, "numbers")},
    "from_responses": {"responses": (np.arange(60) % 3 - 1, "ids")},
    "from_query_response": {"queries": (T, "ids")},
    "average_precision": {"scores": (D[0], "numbers"), "relevant": (np.arange(N) % 2, "signs")},
    "geodesic_distances": {"X": (POINTS, "numbers")},
    "triplet_error": {"embedding": (POINTS, "holes")},
    "kernel_error": {"kernel": (POINTS @ POINTS.T, "holes")},
    "OrdinalEmbedding": {**OF_COMPARISONS, "init": (POINTS, "numbers")},
    "BatchKernel": {**OF_COMPARISONS, "init": (np.eye(N), "numbers")},
    "OnlineKernel": OF_COMPARISONS,
    "SMACOF": OF_POINTS,
    "PatternSearchMDS": OF_POINTS,
    "OASIS": {**OF_FEATURES, "pairs": (T[:, :2], "ids"), "init": (np.eye(2), "numbers")},
    "SDCA": {**OF_FEATURES, "pairs": (T[:, :2], "ids")},
}
SETTINGS = {
    **{"n_comparisons": 5, "fraction": 0.5, "n_train": 0.5, "k": 2, "n_components": 2},
    **{"random_state": 0, "n_neighbors": 5, "max_iter": 3, "n_epochs": 1, "loss": "ste"},
    **{"project": True},
}
# What takes what others have checked, or answers of one form, or a symmetric matrix.
LEFT_OUT = {"KernelObjective", "to_odd_one_out", "OASIS.transform"}
SAID = {"X": "X|comparisons|triplets|dissimilarities", "queries": "queries|X"}
SAID |= {
    "answers": "answers|comparisons",
    "Y": "X",
    "database": "X",
    "scores": "scores|a number",
    "objects": "objects|odd|central",
}


def parameters_of(function):
    return inspect.signature(function).parameters


def arrays_of(function, own):
    """Return the parameters that are arrays, each with its value and kind."""
    annotations = {name: str(p.annotation) for name, p in parameters_of(function).items()}
    marks = "_SupportsArray", "numpy.ndarray", "Answers"
    names = [name for name, text in annotations.items() if any(mark in text for mark in marks)]
    return {name: own.get(name) or GIVEN[name] for name in names}


def settings_of(function):
    return {n: v for n, v in SETTINGS.items() if n in parameters_of(function)}


def needed_by(function):
    return {n for n, p in parameters_of(function).items() if p.default is p.empty}


def methods_of(cls, own, **options):
    """Yield the methods of an estimator that take arrays; each call is on a new model."""
    for method, function in inspect.getmembers(cls, inspect.isfunction):
        if method.startswith("_") or not function.__module__.startswith("closerthan"):
            continue
        arrays = arrays_of(function, own)

        def call(init=None, method=method, function=function, **given):
            start = {} if init is None else {"init": init}
            model = cls(**settings_of(cls), **options, **start)
            if "fit" not in method:
                more = {"features": POINTS} if "features" in parameters_of(cls.fit) else {}
                more |= {"triplets": T} if "triplets" in parameters_of(cls.fit) else {}
                model.fit(own["X"][0], **more)
            return getattr(model, method)(**given, **settings_of(function))

        if method == "transform" and "features" in arrays:
            arrays = {"features": arrays["features"]}
        if arrays and f"{cls.__name__}.{method}" not in LEFT_OUT:
            more = {"init": own["init"]} if "fit" in method and "init" in own else {}
            yield f"{cls.__name__}.{method}", call, arrays | more, needed_by(function)


def found_calls():
    """Yield each public function and method: its name, a function to call, and its arrays."""
    yield "Loss.values", STE().values, arrays_of(STE().values, {}), {"a", "b"}
    yield "Answers.take", Answers(T).take, OWN["Answers.take"], {"screens"}
    for package in ("comparisons", "scores", "mds", "similarity", "kernels", "ordinal"):
        module = import_module(f"closerthan.{package}")
        for name in sorted({*module.__all__} - LEFT_OUT):
            thing, own = getattr(module, name), OWN.get(name, {})
            if inspect.isclass(thing) and issubclass(thing, BaseEstimator):
                yield from methods_of(thing, own)
            else:
                arrays = own if thing is Answers else arrays_of(thing, own)
                needed = arrays if name == "retrieval_scores" else needed_by(thing)
                yield name, partial(thing, **settings_of(thing)), arrays, needed
    for cls in (SMACOF, PatternSearchMDS):
        own = {"X": (D, "holes"), "init": (POINTS, "numbers"), "weights": GIVEN["weights"]}
        yield from methods_of(cls, own, metric="precomputed")


# --- containers -----------------------------------------------------------------------------------


def table(a):
    """Return a Series or a DataFrame whose index is not the number of a row."""
    if a.ndim == 3:
        return a.tolist()
    rows = np.arange(len(a))[::-1]
    return pd.Series(a, rows) if a.ndim == 1 else pd.DataFrame(a, rows)


def place(a):
    """Return where an array gets a gap: one entry, or two of a symmetric array."""
    square = a.ndim == 2 and a.shape[0] == a.shape[1]
    return ([0, 1], [1, 0]) if square else (0,) * a.ndim


def masked(a):
    """Return a masked array with a wild value below its mask."""
    gap = np.zeros(a.shape, bool)
    gap[place(a)] = True
    return np.ma.masked_array(np.where(gap, np.full_like(a, 7), a), gap)


def with_gap(a, gap=np.nan):
    a = a.astype(float if gap is np.nan and a.dtype.kind != "U" else object)
    a[place(a)] = gap
    return a


def nullable(a, **options):
    return a.tolist() if a.ndim == 3 else table(a).convert_dtypes(**options)


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


class COO:
    """Stand in for the arrays of the package sparse."""

    def __init__(self, a):
        self.shape, self.dtype, self.todense = a.shape, a.dtype, lambda: a

    def __array__(self, *args, **kwargs):
        raise RuntimeError("cannot convert a sparse array")


SAME = {
    "list": np.ndarray.tolist,
    "tuple": lambda a: tuple(a.tolist()),
    "float32": lambda a: a.astype(np.float32),
    "float16": lambda a: a.astype(np.float16),
    "big endian": lambda a: a.astype(">f8"),
    "Fortran": np.asfortranarray,
    "read-only": read_only,
    "every second": lambda a: np.repeat(a, 2, axis=0)[::2],
    "pandas": table,
    "nullable": nullable,
    "without a mask": np.ma.masked_array,
}
MISSING = {
    "NaN": with_gap,
    "mask": masked,
    "rows with masks": lambda a: [*masked(a)] if a.ndim > 1 else masked(a),
    "None": lambda a: with_gap(a, None).tolist(),
    "NA": lambda a: nullable(with_gap(a, None)),
    "arrow": lambda a: nullable(with_gap(a, None), dtype_backend="pyarrow"),
}
REFUSED = {
    "sparse matrix": sp.csr_matrix,
    "sparse array": lambda a: sp.coo_array(np.atleast_2d(a)),
    "COO": COO,
    "complex": lambda a: a + 0j,
    "text": lambda a: a.astype(str).tolist(),
    "seconds": lambda a: a.astype("timedelta64[s]"),
    "rounded": lambda a: (a % 2 + 2.0**11).astype(np.float16),
    "bool": lambda a: a > 0,
}
# What is read, or has no meaning, of what other kinds refuse. Text is no number, so of names only
# containers that keep text are tried.
TAKEN = {
    "names": {*REFUSED} - {"COO"},
    "features": {"text", "seconds", "rounded", "bool", "complex"},
    "sparse": {*REFUSED} - {"COO"},
    "numbers": {"bool", "rounded"},
    "holes": {"bool", "rounded"},
    "signs": {"bool"},
}
OF_NUMBERS = {"float32", "float16", "big endian"}


def facts(result):
    """Return what a call returned as a list of arrays."""
    if isinstance(result, BaseEstimator):
        names = ("embedding_", "kernel_", "similarity_")
        return [getattr(result, name) for name in names if hasattr(result, name)]
    if isinstance(result, Answers):
        return [*result.arrays().values()]
    return list(result) if isinstance(result, tuple) else [result]


CALLS = [
    pytest.param(
        call,
        {n: array for n, (array, _) in arrays.items() if n == name or n in needed},
        name,
        arrays[name][1],
        id=f"{function}-{name}",
    )
    for function, call, arrays, needed in found_calls()
    for name in arrays
    if name != "y" or not function.startswith(("SMACOF", "Pattern"))  # which ignore it
    if name != "comparisons" or "probability" not in arrays  # whose number counts
]
every_array = pytest.mark.parametrize(("call", "given", "name", "kind"), CALLS)


@every_array
def test_a_container_is_read_as_the_array_in_it(call, given, name, kind):
    is_text = given[name].dtype.kind == "U"
    expected = facts(call(**given))
    for container in {*SAME} - (OF_NUMBERS if is_text else set()):
        equal(call, given | {name: SAME[container](given[name])}, expected, container)


@every_array
def test_what_is_missing_counts_as_nan_or_is_refused(call, given, name, kind):
    if kind == "holes":
        expected = facts(call(**given | {name: with_gap(given[name])}))
    for container, gap in MISSING.items():
        if kind == "holes":
            equal(call, given | {name: gap(given[name])}, expected, container)
        else:
            refused(call, given | {name: gap(given[name])}, name, container)


@every_array
def test_what_is_no_array_of_its_kind_is_refused(call, given, name, kind):
    for container in {*REFUSED} - TAKEN.get(kind, set()):
        if given[name].ndim < 3 or "sparse" not in container:
            refused(call, given | {name: REFUSED[container](given[name])}, name, container)


def equal(call, given, expected, container):
    for one, other in zip(facts(call(**given)), expected, strict=True):
        np.testing.assert_array_equal(one, other, err_msg=container)


def refused(call, given, name, container):
    try:
        call(**given)
    except (TypeError, ValueError) as error:
        assert re.search(rf"\b({SAID.get(name, name)})\b", str(error)), container
    else:
        pytest.fail(f"{container} was taken")
