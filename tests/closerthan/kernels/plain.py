"""Compute ERKLE slowly in plain numpy, as the reference for the compiled kernel."""

import numpy as np
from scipy.special import expit

TRUTH = np.random.default_rng(0).normal(size=(300, 10))


def gradient_of(triplet, n_objects, gradient):
    """Return the gradient of d^2(i, j) - d^2(i, k): the symmetric one, or the one of (4.10)."""
    i, j, k = triplet
    e = np.eye(n_objects)
    G = np.outer(e[i] - e[j], e[i] - e[j]) - np.outer(e[i] - e[k], e[i] - e[k])
    return G if gradient == "symmetric" else 2 * G - np.diag(np.diag(G))


def margin_of(triplet, K):
    """Return d^2(i, k) - d^2(i, j)."""
    i, j, k = triplet
    return (K[k, k] - 2 * K[i, k]) - (K[j, j] - 2 * K[i, j])


def clip_eigenvalues(K):
    """Return the positive semidefinite matrix nearest to K."""
    values, vectors = np.linalg.eigh(K)
    return (vectors * np.maximum(values, 0)) @ vectors.T


def step_size(rule, held, delta, margin, gradient):
    """Return the step size if d^2(i, k) - d^2(i, j) is `held`: (4.11)-(4.13), (4.18), (4.20)."""
    if rule == "ste":
        return delta * expit(-held)
    if rule == "gnmds":
        return delta if held < margin else 0.0
    return delta * max(0.0, margin - held) / {"symmetric": 6, "paper": 10}[gradient]


def follow(K, triplets, gradient="symmetric", rule="passive-aggressive", deltas=None, margin=1.0):
    """Take all steps; return the last kernel and the paper's number of eigenpairs (sec. 4.2)."""
    deltas = np.ones(len(triplets)) if deltas is None else deltas
    bound, n_eigenpairs = K.diagonal().min(), 0
    for triplet, delta in zip(triplets, deltas, strict=True):
        size = step_size(rule, margin_of(triplet, K), delta, margin, gradient)
        K = K - size * gradient_of(triplet, len(K), gradient)
        bound -= size * {"symmetric": np.sqrt(3), "paper": 3.0}[gradient]
        if bound < 0:
            n_eigenpairs += 1
            bound = max(0.0, np.linalg.eigvalsh(K)[0])
            K = clip_eigenvalues(K)
    return K, n_eigenpairs


def random_triplets(n_objects, n_triplets, seed, noise=0.0):
    """Return answers to random questions about points, with a share of them wrong."""
    rng = np.random.default_rng(seed)
    triplets = np.array([rng.choice(n_objects, 3, replace=False) for _ in range(n_triplets)])
    i, j, k = TRUTH[triplets.T]
    wrong = ((i - j) ** 2).sum(axis=1) > ((i - k) ** 2).sum(axis=1)
    wrong ^= rng.random(n_triplets) < noise
    triplets[wrong] = triplets[wrong][:, [0, 2, 1]]
    return triplets
