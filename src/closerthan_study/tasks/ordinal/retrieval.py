"""Score image retrieval by the protocol of Ma et al. (2019) and by a stricter one."""

from functools import cache

import numpy as np
import pandas as pd
from scipy import linalg
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.preprocessing import StandardScaler

from closerthan.scores.retrieval import retrieval_scores


class Retrieval:
    """Image retrieval by learned points, scored by two protocols.

    *Held-out*: kernel ridge regression on the features (RBF kernel) maps queries into the
    embedding. The queries were not embedded. Items are ranked by their distance to the query, and
    MAP is taken over the whole ranking.

    *Printed*, the protocol that fits the numbers of Ma et al. (2019): each item searches all items
    and finds itself first. Average precision is a sum over the first R ranks, divided by R. R is
    the number of items in a class. Recall is that of each K.
    """

    def __init__(self, setup, raw):
        self.setup = setup
        self.settings = setup.experiment.retrieval
        self.raw = raw  # whether the features themselves are ranked, a control
        self.features_of = cache(self._features_of)

    def score(self, points, trial):
        """Return the scores of the points of a trial as tidy rows."""
        objects = self.setup.objects_of(trial)
        labels = [objects.label[objects.part == part].to_numpy() for part in ("query", "item")]
        n_items = int(np.bincount(labels[1]).max())
        finite = np.isfinite(points).all()
        points = points if finite else np.zeros_like(points)
        items, queries, smoother = self.features_of(trial)
        if self.raw:
            points, places = items, queries
        else:
            center = points.mean(axis=0)
            places = smoother @ (points - center) + center
        held_out = retrieval_scores(places, points, *labels, k=self.settings.k)
        held_out["k"] = held_out.k.where(held_out.measure != "MAP")
        k = sorted({*self.settings.k, n_items})
        printed = retrieval_scores(
            points, points, labels[1], labels[1], k=k, ap_k=n_items, n_relevant=n_items
        )
        printed = printed.replace(
            {"measure": {"MAP": "MAP@R", "precision": "P@R", "recall": "R@K"}}
        )
        printed = printed[(printed.measure == "R@K") | (printed.k == n_items)]
        printed["k"] = printed.k.where(printed.measure == "R@K")
        scores = pd.concat([held_out, printed])
        return scores if finite else scores.assign(value=np.nan)

    def _features_of(self, trial):
        """Return standardized features of items and queries, and the matrix of `ridge_smoother`."""
        objects, features = self.setup.objects_of(trial), self.setup.data["features"]
        rows = [objects.row[objects.part == part] for part in ("item", "query")]
        scaler = StandardScaler().fit(features[rows[0]])
        items, queries = (scaler.transform(features[some]) for some in rows)
        smoother = None if self.raw else ridge_smoother(items, queries, self.settings.ridge)
        return items, queries, smoother


def ridge_smoother(features, new_features, ridge):
    """Return the matrix that maps points to points of new features, by kernel ridge regression.

    The kernel is exp(-||x - y||^2 / (2 s^2)); s^2 is the mean squared distance of the features.
    """
    variance = (euclidean_distances(features) ** 2).mean()
    gamma = 1 / (2 * variance)
    kernel = rbf_kernel(features, gamma=gamma)
    kernel[np.diag_indices_from(kernel)] += ridge
    return linalg.solve(kernel, rbf_kernel(features, new_features, gamma=gamma), assume_a="pos").T
