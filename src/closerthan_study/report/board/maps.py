"""Maps for the board, of objects that have a name, a class or a color."""

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from closerthan.scores.procrustes import procrustes_align
from closerthan_study.reading import coordinates, read_made, read_table
from closerthan_study.report.board.curves import name_run

_MOST = 400  # objects shown in a map
_POINTS = 200_000  # of all maps together: two megabytes
_FRAME = 1.5  # times the size of the first map; points outside are drawn at the border
LARGEST = 9999  # coordinates are whole numbers from 0 to this one
_RUN = ["variant", "batch_size", "sweep", "noise", "loss"]


def maps_of(page):
    """Return the maps of the first trial of a study, a mapping for each experiment and data set.

    A map of more than two dimensions shows its two principal axes. All maps of an experiment are
    aligned with the first, a control that knows the map; random points come last.
    """
    groups = (_group(page, *place) for place in page.places)
    return [group for group in groups if group]


def fitting(groups, points=_POINTS):
    """Return groups of maps, thinned until all of them together are small.

    >>> maps = [{"label": "STE", "xy": [0, 0, 1, 1, 2, 2, 3, 3]}]
    >>> (group,) = fitting([{"names": ["a", "b", "c", "d"], "maps": maps, "objects": 4}], 2)
    >>> group["names"], group["maps"][0]["xy"], group["objects"]
    (['a', 'd'], [0, 0, 3, 3], 4)
    """

    def total(most):
        return sum(min(_shown(group), most) * len(group["maps"]) for group in groups)

    most = next(n for n in range(_MOST, 0, -1) if n == 1 or total(n) <= points)
    return [_thin(group, most) for group in groups]


def _shown(group):
    return len(group["maps"][0]["xy"]) // 2


def _thin(group, most):
    n = _shown(group)
    kept = np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))
    of_objects = {
        key: [group[key][i] for i in kept]
        for key in ("names", "classes", "shades")
        if group.get(key)
    }
    maps = [
        {**one, "xy": np.reshape(one["xy"], (-1, 2))[kept].ravel().tolist()}
        for one in group["maps"]
    ]
    return {**group, **of_objects, "maps": maps}


def _group(page, name, dataset):
    """Return the maps of an experiment on a data set, or None if their objects are anonymous."""
    tables = _read(page, name, dataset)
    if not tables:
        return None
    known = describe_objects(page.trial(name, dataset), page.arrays(dataset))
    if known is None:
        return None
    methods = page.experiments[name].methods
    known_first = sorted(tables, key=lambda key: _merit(methods[key]))
    runs = [
        (methods[key], run, points)
        for key in known_first
        for run, points in _points_of(tables[key], len(known["order"]))
    ]
    if not runs:
        return None
    target = runs[0][2]
    placed = [_aligned(target, points) for *_, points in runs]
    order = known.pop("order")
    maps = [
        {
            "label": name_run(page, method, run["variant"], run["batch_size"], run["sweep"]),
            "loss": run["loss"],
            "noise": float(run["noise"]),
            "xy": encode(points[order], target),
        }
        for (method, run, _), points in zip(runs, placed, strict=True)
    ]
    return page.heading(name, dataset) | {
        "data": page.record(dataset)["title"],
        "objects": len(order),
        "losses": {loss: page.label(loss) for loss in dict.fromkeys(m["loss"] for m in maps)},
        **known,
        "maps": maps,
    }


def _merit(method):
    """Return the order of a method: a control that knows the map, learners, random points."""
    return 2 if method.control == "random" else 0 if method.control else 1


def _read(page, name, dataset):
    """Return the first trial's points by method, for methods whose fits are points of objects."""
    experiment, found = page.experiments[name], {}
    for method in experiment.methods:
        paths = page.spec.fits(experiment, dataset, method, "embedding.parquet")
        schemas = {path: read_made(pq.read_schema, path) for path in paths}
        paths = [path for path in paths if {"object", "x1"} <= set(schemas[path].names)]
        tables = [read_table(path, filters=[("trial", "==", 0)]) for path in paths]
        if tables:
            found[method] = pd.concat(tables, ignore_index=True)
    return found


def describe_objects(objects, arrays):
    """Return names, classes and shades of the objects of a trial, or None if it has none.

    >>> objects = pd.DataFrame({"object": [0, 1], "part": "item", "row": [5, 7], "label": -1})
    >>> describe_objects(objects, {"object_names": np.array(list("abcdefgh"))})
    {'order': [0, 1], 'names': ['f', 'h']}
    >>> describe_objects(objects, {"points": np.zeros((8, 2))}) is None
    True
    """
    items = objects[objects.part == "item"].sort_values("object").reset_index(drop=True)
    rows, found = items.row.to_numpy(), {}
    if not len(rows):
        return None
    names = _names(arrays, rows)
    if names is not None:
        found["names"] = names
    labels = items.label.to_numpy()
    if (labels < 0).all() and "labels" in arrays and (rows >= 0).all():
        labels = arrays["labels"][rows]
    if "color" in items:
        shades = items.color.to_numpy(float)
        found["shades"] = (shades - shades.min()) / (np.ptp(shades) or 1)
    elif (labels >= 0).any():
        found["classes"] = labels
    if not found:
        return None
    order = (
        np.argsort(found["classes"], kind="stable") if "classes" in found else np.arange(len(items))
    )
    found = {key: np.asarray(values)[order].tolist() for key, values in found.items()}
    if "shades" in found:
        found["shades"] = [round(shade, 2) for shade in found["shades"]]
    if "classes" in found:
        known = arrays.get("class_names", np.arange(max(labels) + 1))
        found["class_names"] = [str(word) for word in known]
    return {"order": order.tolist(), **found}


def _names(arrays, rows):
    for key, array in arrays.items():
        is_text = array.dtype.kind == "U" and array.ndim == 1 and key != "class_names"
        if is_text and rows.min() >= 0 and rows.max() < len(array):
            return array[rows]
    return None


def _points_of(table, n_objects):
    """Yield each run of a method with its map in the plane, at its last epoch."""
    keys = [key for key in _RUN if key in table]
    for key, run in table.groupby(keys, dropna=False, sort=False):
        if "epoch" in run:
            run = run[run.epoch == run.epoch.max()]
        points = coordinates(run.sort_values("object").dropna(axis="columns", how="all"))
        placed = np.isfinite(points).all(axis=1)
        if len(points) == n_objects and points.shape[1] > 1 and placed.any():
            plane = np.full((n_objects, 2), np.nan)
            plane[placed] = _in_the_plane(points[placed])
            if np.ptp(plane[placed], axis=0).any():
                yield dict(zip(keys, key, strict=True)), plane


def _in_the_plane(points):
    """Return points in two dimensions: along their two principal axes, if they have more."""
    if points.shape[1] == 2:
        return points
    centered = points - points.mean(axis=0)
    axes = np.linalg.svd(centered, full_matrices=False)[2][:2]
    return centered @ axes.T


def _aligned(target, points):
    """Rotate, mirror and shift a map onto another, and give it the same size, by common points.

    With the scale of Procrustes analysis, a map unlike the other would shrink to a dot.
    """
    both = np.isfinite(target).all(axis=1) & np.isfinite(points).all(axis=1)
    sizes = [_size(of_map[both]) for of_map in (target, points)]
    if not all(sizes):
        return points
    moved = np.full_like(points, np.nan)
    moved[both] = procrustes_align(target[both], points[both] * sizes[0] / sizes[1], scale=False)
    return moved


def _size(points):
    """Return the root mean square distance from the center; 0 if there are no points."""
    return (
        float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))
        if len(points)
        else 0.0
    )


def encode(points, frame):
    """Return coordinates as whole numbers in a square around `frame`; -1 if one is missing.

    >>> square = np.array([[0.0, 0.0], [1.0, 1.0]])
    >>> encode(np.array([[0.5, 0.5], [9.0, np.nan]]), square)
    [5000, 5000, -1, -1]
    """
    low, high = np.nanmin(frame, axis=0), np.nanmax(frame, axis=0)
    half = _FRAME * (high - low).max() / 2
    share = (points - (low + high) / 2 + half) / (2 * half)
    placed = np.isfinite(share).all(axis=1)
    whole = np.where(placed[:, None], np.clip(share, 0, 1), 0)
    return np.where(placed[:, None], (LARGEST * whole).round(), -1).astype(int).ravel().tolist()
