"""MDS in plain numpy, slowly: what the compiled loops must agree with."""

import numpy as np


def distances(points):
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def stress(points, D, W=None):
    W = np.ones_like(D) if W is None else W
    return np.nansum(W * (D - distances(points)) ** 2) / 2


def random_problem(n, n_components, seed, weighted=False):
    """Points, dissimilarities that no points fit, and weights with zeros where NaN is."""
    rng = np.random.default_rng(seed)
    D = distances(rng.normal(size=(n, 3))) * rng.uniform(0.5, 1.5, size=(n, n))
    D = np.triu(D, 1) + np.triu(D, 1).T
    W = None
    if weighted:
        W = np.triu(rng.uniform(size=(n, n)) * (rng.uniform(size=(n, n)) < 0.7), 1)
        W = W + W.T
        missing = np.triu(rng.uniform(size=(n, n)) < 0.15, 1)
        missing |= missing.T
        D[missing] = np.nan
        W[missing] = 0.0
    return rng.normal(size=(n, n_components)), D, W


def epoch(points, D, W, dims, radius, bad_moves):
    """Algorithm 4 for each point in turn, each candidate's stress computed from scratch."""
    points = points.copy()
    for i in range(len(points)):
        least, best = (np.inf if bad_moves else stress(points, D, W)), points[i].copy()
        here = points[i].copy()
        for c in dims:
            for step in (radius, -radius):
                points[i] = here
                points[i, c] += step
                found = stress(points, D, W)
                if found < least:
                    least, best = found, points[i].copy()
        points[i] = best
    return points
