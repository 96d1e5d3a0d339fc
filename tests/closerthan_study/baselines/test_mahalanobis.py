"""Learned Mahalanobis metrics: what all share, and RCA."""

import numpy as np
import pytest

from class_pairs import BOUNDS, PAIRS, SIDES, TARGETS, matrix_of
from class_points import D, X, Y
from closerthan_study.baselines import ITML, LEGO, LMNN, RCA

FITS = {
    "RCA": lambda X=X: RCA().fit(X, Y),
    "LMNN": lambda X=X: LMNN(tol=1e-6).fit(X, Y),
    "ITML": lambda X=X: ITML(bounds=BOUNDS, tol=1e-6).fit(X, PAIRS, SIDES),
    "LEGO": lambda X=X: LEGO().fit(X, PAIRS, TARGETS),
}
every_metric = pytest.mark.parametrize("fit", FITS.values(), ids=FITS)


@every_metric
def test_the_metric_and_its_uses_agree(fit):
    model = fit()
    assert np.linalg.eigvalsh(matrix_of(model))[0] >= 0
    np.testing.assert_allclose(model.transform(X), X @ model.components_.T)


@every_metric
def test_the_fit_does_not_depend_on_the_origin_or_the_axes(fit):
    M = matrix_of(fit())
    Q = np.linalg.qr(np.random.default_rng(1).normal(size=(D, D)))[0]
    moved = matrix_of(fit(X @ Q.T + 7.0))
    np.testing.assert_allclose(Q.T @ moved @ Q, M, rtol=1e-3, atol=1e-3 * np.abs(M).max())


def _within(Z, chunklets):
    """Covariance within chunklets, one by one."""
    parts = [Z[chunklets == c] for c in np.unique(chunklets) if c != -1]
    return sum((part - part.mean(axis=0)).T @ (part - part.mean(axis=0)) for part in parts) / sum(
        map(len, parts)
    )


def test_rca_whitens_what_varies_within_chunklets():
    chunklets = np.where(np.arange(len(X)) % 4 == 0, -1, Y)
    model = RCA().fit(X, chunklets)
    np.testing.assert_allclose(_within(model.transform(X), chunklets), np.eye(D), atol=1e-12)
    inverse = np.linalg.inv(_within(X, chunklets))
    np.testing.assert_allclose(matrix_of(model), inverse, rtol=1e-9, atol=1e-12)


def test_the_first_directions_of_rca_are_those_of_the_fisher_discriminant():
    first = RCA().fit(X, Y).components_[:2]
    total, within = np.cov(X.T, bias=True), _within(X, Y)

    def criterion(A):
        return np.linalg.det(A @ total @ A.T) / np.linalg.det(A @ within @ A.T)

    best = criterion(first)
    rng = np.random.default_rng(2)
    for scale in (1e-3, 0.1, 10.0):
        for _ in range(50):
            assert criterion(first + scale * rng.normal(size=(2, D))) < best


def test_the_ridge_of_rca_adds_to_the_covariance():
    within = _within(X, Y)
    ridged = np.linalg.inv(within + 0.1 * np.trace(within) / D * np.eye(D))
    M = matrix_of(RCA(ridge=0.1).fit(X, Y))
    np.testing.assert_allclose(M, ridged, rtol=1e-9)
    assert np.isfinite(RCA(ridge=0.1).fit(X[:4], [0, 0, 1, 1]).components_).all()


@pytest.mark.parametrize("kind", [list, np.array, lambda names: np.array(names, dtype=object)])
def test_points_in_no_chunklet_are_left_out_among_names_too(kind):
    chunklets = np.where(np.arange(len(X)) % 4 == 0, -1, Y)
    names = [-1 if label == -1 else "abc"[label] for label in chunklets.tolist()]
    expected = RCA().fit(X, chunklets).components_
    np.testing.assert_array_equal(RCA().fit(X, kind(names)).components_, expected)


def test_rca_refuses_what_it_cannot_whiten():
    with pytest.raises(ValueError, match="rank 2, less than the 5 features; set ridge"):
        RCA().fit(X[:4], [0, 0, 1, 1])
    with pytest.raises(ValueError, match="column 3: this feature varies within no chunklet"):
        RCA().fit(np.where(np.arange(D) == 3, Y[:, None], X), Y)
    with pytest.raises(ValueError, match="all are -1"):
        RCA().fit(X, np.full(len(X), -1))
    with pytest.raises(ValueError, match="ridge=-1"):
        RCA(ridge=-1).fit(X, Y)
    with pytest.raises(ValueError, match="59 labels; it must have 60"):
        RCA().fit(X, Y[:-1])
    with pytest.raises(ValueError, match="y, row 4: nan; every point needs a label"):
        RCA().fit(X, np.where(np.arange(len(Y)) == 4, np.nan, Y))
