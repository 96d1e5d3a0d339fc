"""Refits of a map to other answers, which start from its points, and the bias that they show."""

import numpy as np
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression

from closerthan.comparisons.check import pair_columns
from closerthan_lab.fit_many import fit_many

_CORRECTIONS = 4  # more of them, or more fits in each, change the coverage of ellipses by .01
_FITS = 10


def like(fit):
    """Return an unfitted copy of a fitted estimator that starts from its points."""
    start = np.nan_to_num(fit.embedding_)
    return clone(fit).set_params(
        init=start,
        loss=fit.loss_,
        strength=fit.strength_,
        lapse=fit.lapse_,
        feature_share=fit.feature_share_ or 0.0,
        solver="l-bfgs",  # from a good start it converges fastest
        n_objects=len(start),
        n_jobs=None,
        callback=None,
        verbose=0,
        random_state=0,
    )


def align(onto, refits, which):
    """Align refits with a map by the objects `which`, like `closerthan.scores.procrustes_align`."""
    center = onto[which].mean(axis=0)
    moved = refits - refits[:, which].mean(axis=1, keepdims=True)
    here = moved[:, which]
    products = np.einsum("bni,nj->bij", here, onto[which] - center)
    left, values, right = np.linalg.svd(products)
    squares = np.einsum("bni,bni->b", here, here)
    size = np.divide(values.sum(axis=1), squares, out=np.zeros(len(refits)), where=squares > 0)
    return (moved @ (left @ right)) * size[:, None, None] + center


def pair_distances(points, comparisons):
    """Return the squared distances of the nearer and of the farther pair of each comparison."""
    i, j, l, k = pair_columns(comparisons)
    near, far = points[i] - points[j], points[l] - points[k]
    return np.einsum("nc,nc->n", near, near), np.einsum("nc,nc->n", far, far)


def estimate_bias(fit, answers, features, which, rng, n_jobs, progress):
    """Return how far the points of a fit lie from a map that, on average, is fitted so.

    A map is fitted to simulated answers to the same questions. They agree with that map as often as
    the given answers do where its pairs differ as much. The map is then moved by the difference
    between the fit and the mean of these fits, and so on (indirect inference). `which` are the
    objects that align the maps.
    """
    again, comparisons, weights = like(fit), answers.comparisons, answers.sample_weight
    other = comparisons[:, [0, 2, 1] if comparisons.shape[1] == 3 else [2, 3, 0, 1]]
    points, fits = again.init, np.empty((_FITS, *again.init.shape))

    def refit(number):
        agree = np.random.default_rng(seeds[number]).random(len(holds)) < likely
        simulated = np.where((agree == holds)[:, None], comparisons, other)
        model = clone(again).fit(simulated, sample_weight=weights, features=features)
        fits[number] = model.embedding_

    for _ in range(_CORRECTIONS):
        seeds = rng.integers(2**63, size=_FITS)
        holds, likely = _agreement(points, comparisons, weights)
        fit_many(refit, _FITS, n_jobs, "simulated fits", progress)
        mean = align(points, fits, which).mean(axis=0)
        points = points + align(points, again.init[None], which)[0] - mean
        points = align(again.init, points[None], which)[0]
    return points - fit.embedding_


def _agreement(points, comparisons, weights):
    """Return which comparisons hold on a map, and how often those of the same difference do."""
    near, far = pair_distances(points, comparisons)
    difference = (far - near) / np.maximum(far + near, np.finfo(float).tiny)
    holds, size = difference > 0, np.abs(difference)
    curve = IsotonicRegression(y_min=0.5, y_max=1.0, out_of_bounds="clip")
    return holds, curve.fit(size, holds, weights).predict(size)
