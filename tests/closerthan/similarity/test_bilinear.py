"""Check OASIS and SDCA against slow references, closed forms and a general minimizer."""

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone

from closerthan.similarity import OASIS, SDCA
from closerthan.similarity.accumulator import nearest_psd

MODELS = {
    "oasis": OASIS(C=0.3, n_epochs=3, random_state=0),
    "sdca": SDCA(0.02, n_epochs=3, random_state=0),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def _data(n_triplets=60, n_rows=25, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, d))
    return X, np.array([rng.choice(n_rows, 3, replace=False) for _ in range(n_triplets)])


def _sparse_data(n_triplets=80, n_rows=30, d=21, seed=0):
    """Return sparse rows as an array; some are empty or share entries, so x+ - x- has zeros."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, d)) * (rng.random((n_rows, d)) < 0.25)
    X[X > 0.5] = 1.0
    X[3] = 0.0
    return X, np.array([rng.choice(n_rows, 3, replace=False) for _ in range(n_triplets)])


def _matrices(X, triplets):
    """Return X_i of each triplet, shape (n, d, d); x'My is linear in M."""
    i, j, k = np.asarray(triplets).T
    return X[i][:, :, None] * (X[j] - X[k])[:, None, :]


def _dual(alphas, matrices, reg):
    M = np.tensordot(alphas, matrices, 1) / (reg * len(alphas))
    return np.mean(alphas - alphas**2 / 4) - reg / 2 * np.sum(M**2)


def _slow_oasis(matrices, order, C, start):
    M, losses = start.copy(), []
    for t in order:
        V = matrices[t]
        loss = max(0.0, 1.0 - np.sum(M * V))
        losses.append((loss, loss**2, np.sum(M * V) <= 0))
        M += min(C, loss / np.sum(V**2)) * V
    return M, np.array(losses)


def _best_alpha(alphas, t, matrices, reg):
    """Search numerically for the alpha of triplet t that maximizes the dual."""

    def loss(alpha):
        trial = alphas.copy()
        trial[t] = alpha
        return -_dual(trial, matrices, reg)

    options = {"xatol": 1e-12}
    return minimize_scalar(loss, bounds=(0.0, 3.0), options=options, method="bounded").x


def _draws(model, n):
    rng = np.random.default_rng(model.random_state)
    return np.concatenate([rng.integers(n, size=n) for _ in range(model.n_epochs)])


@pytest.mark.parametrize("C", [0.01, 10.0])
@pytest.mark.parametrize("d", [5, 33])  # a tile has 16 columns
def test_oasis_is_the_slow_algorithm(C, d):
    X, triplets = _data(d=d)
    model = OASIS(C, n_epochs=2, random_state=3).fit(X, triplets)
    order = _draws(model, 60)
    M, losses = _slow_oasis(_matrices(X, triplets), order, C, np.eye(d))
    np.testing.assert_allclose(model.similarity_, M, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.progress_.iloc[-1, 1:], losses.mean(axis=0), rtol=1e-10)
    for steps, *means in model.progress_.to_numpy():
        np.testing.assert_allclose(means, losses[: int(steps)].mean(axis=0), rtol=1e-10)


@pytest.mark.parametrize("reg", [0.005, 1.0])
def test_sdca_steps_maximize_the_dual(reg):
    X, triplets = _data()
    model = SDCA(reg, n_epochs=2, random_state=1).fit(X, triplets)
    matrices, order = _matrices(X, triplets), _draws(model, 60)
    alphas = np.zeros(60)
    for t in order:
        alphas[t] = _best_alpha(alphas, t, matrices, reg)
    assert (alphas[order] < 1e-6).any()  # the bound of the alphas, 0, is met
    np.testing.assert_allclose(model.dual_coef_, alphas, atol=1e-6)
    M = np.tensordot(model.dual_coef_, matrices, 1) / (reg * 60)
    np.testing.assert_allclose(model.similarity_, M, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("project", [False, True])
def test_sdca_history_is_primal_and_dual_of_problem_4(project):
    X, triplets = _data()
    reg = 0.02
    for n_epochs in (1, 4):
        model = SDCA(reg, n_epochs=n_epochs, project=project, random_state=0)
        model.fit(X, triplets)
        matrices, M = _matrices(X, triplets), model.similarity_
        margins = (matrices * M).sum(axis=(1, 2))
        primal = np.mean(np.maximum(0, 1 - margins) ** 2) + reg / 2 * np.sum(M**2)
        raw = np.tensordot(model.dual_coef_, matrices, 1) / (reg * len(triplets))
        if project:
            raw = nearest_psd(raw)
        np.testing.assert_allclose(M, raw, rtol=1e-9, atol=1e-11)
        alphas = model.dual_coef_
        dual = np.mean(alphas - alphas**2 / 4) - reg / 2 * np.sum(raw**2)
        last = model.history_.iloc[-1]
        np.testing.assert_allclose([last["primal"], last["dual"]], [primal, dual], rtol=1e-10)
        assert last["gap"] == last["primal"] - last["dual"]
        assert last["iterations"] == n_epochs * len(triplets) == model.n_iter_


def test_sdca_converges_linearly_to_the_minimizer_of_the_primal():
    X, triplets = _data()
    reg, n = 1.0, len(triplets)
    model = SDCA(reg, n_epochs=400, random_state=0).fit(X, triplets)
    gaps = model.history_["gap"].to_numpy()
    assert (gaps >= -1e-14).all()
    assert gaps[-1] < 1e-10 * model.history_["primal"].iloc[-1]
    # Theorem 1: the expected dual error shrinks by a factor 1 - s / n at each step. The gap is at
    # most n / s times this error.
    matrices = _matrices(X, triplets)
    gamma = 1 / (2 * np.max((matrices**2).sum(axis=(1, 2))))
    s = reg * n * gamma / (1 + reg * n * gamma)
    steps = model.history_["iterations"].to_numpy()
    assert (gaps <= n / s * np.exp(-s / n * steps) + 1e-14).all()
    assert (np.diff(model.history_["dual"]) >= -1e-14).all()

    def primal(m):
        hinges = np.maximum(0, 1 - matrices.reshape(n, -1) @ m)
        gradient = reg * m - 2 / n * hinges @ matrices.reshape(n, -1)
        return np.mean(hinges**2) + reg / 2 * m @ m, gradient

    options = {"maxiter": 5000, "ftol": 1e-16, "gtol": 1e-10}
    start = np.zeros(matrices[0].size)
    best = minimize(primal, start, jac=True, method="L-BFGS-B", options=options)
    np.testing.assert_allclose(best.fun, model.history_["primal"].iloc[-1], rtol=1e-9)
    np.testing.assert_allclose(model.similarity_.ravel(), best.x, atol=1e-5)


def test_projected_sdca_solves_the_constrained_problem():
    X, triplets = _data(d=4)
    reg, n = 1.0, len(triplets)
    model = SDCA(reg, n_epochs=600, project=True, random_state=0).fit(X, triplets)
    history = model.history_
    assert (history["gap"] >= -1e-14).all()
    assert (np.diff(history["dual"]) >= -1e-14).all()
    assert history["gap"].iloc[-1] < 1e-10
    matrices = _matrices(X, triplets)
    M = model.similarity_
    hinges = np.maximum(0, 1 - (matrices * M).sum(axis=(1, 2)))
    gradient = reg * M - 2 / n * np.tensordot(hinges, matrices, 1)
    # A minimum over the cone has <gradient, K - M> >= 0 for all K in the cone.
    assert np.linalg.eigvalsh(M)[0] > -1e-12
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(gradient + gradient.T)[0] > -1e-5
    free = SDCA(reg, n_epochs=600, random_state=0).fit(X, triplets)
    assert np.linalg.eigvalsh(free.similarity_ + free.similarity_.T)[0] < -0.001
    assert abs(np.sum(gradient * M)) < 1e-5


@every_model
def test_sparse_and_dense_features_agree(model):
    """In single precision, too, which holds these features."""
    X, triplets = _sparse_data()
    X = X.astype(np.float32).astype(float)
    dense = clone(model).fit(X, triplets)
    scale = np.abs(dense.similarity_).max()
    unsorted = csr_array(X)
    start, end = unsorted.indptr[:2]
    for numbers in (unsorted.indices, unsorted.data):
        numbers[start:end] = numbers[start:end][::-1].copy()
    unsorted.has_canonical_format = unsorted.has_sorted_indices = False
    single = X.astype(np.float32)
    for kind in (single, csr_array(single), csr_matrix(X).tocsc(), unsorted):
        other = clone(model).fit(kind, triplets)
        np.testing.assert_allclose(other.similarity_, dense.similarity_, atol=1e-12 * scale)
        np.testing.assert_allclose(other.progress_, dense.progress_, rtol=1e-9)
        np.testing.assert_allclose(other.history_, dense.history_, rtol=1e-9, atol=1e-13)
        np.testing.assert_allclose(
            other.similarity(kind[:4], kind), dense.similarity(X[:4], X), atol=1e-11 * scale
        )
        assert abs(other.score(kind, triplets) - dense.score(X, triplets)) < 0.02


@every_model
def test_parts_sparse_and_dense_are_the_same_as_the_whole(model):
    X, triplets = _sparse_data(n_triplets=100)
    one, parts = clone(model).partial_fit(X, triplets), clone(model)
    for number, chunk in enumerate(np.split(triplets, [1, 4, 37])):
        parts.partial_fit(csr_array(X) if number % 2 else X, chunk)
    np.testing.assert_allclose(parts.similarity_, one.similarity_, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(parts.progress_.iloc[-1], one.progress_.iloc[-1], rtol=1e-10)
    assert parts.n_iter_ == one.n_iter_ == 100
    assert len(parts.progress_) == 4
    assert len(one.history_) == 0


def test_online_sdca_maximizes_the_dual_of_the_triplets_so_far():
    X, triplets = _data(n_triplets=15)
    reg = 0.05
    model = SDCA(reg)
    matrices, alphas = _matrices(X, triplets), np.zeros(0)
    for t in range(15):
        alphas = np.append(alphas, 0.0)
        alphas[t] = _best_alpha(alphas, t, matrices[: t + 1], reg)
        model.partial_fit(X, triplets[t : t + 1])
        M = np.tensordot(alphas, matrices[: t + 1], 1) / (reg * (t + 1))
        np.testing.assert_allclose(model.similarity_, M, atol=1e-5)


@every_model
def test_fit_begins_anew_and_partial_fit_goes_on(model):
    X, triplets = _data()
    once = clone(model).fit(X, triplets)
    again = clone(model).partial_fit(X, triplets[:20]).fit(X, triplets)
    assert again.similarity_.tobytes() == once.similarity_.tobytes()
    before = again.similarity_.copy()
    again.partial_fit(X, triplets[:1])
    assert again.n_iter_ == once.n_iter_ + 1
    assert np.linalg.norm(again.similarity_ - before) < 0.3 * np.linalg.norm(before)
    assert len(again.history_) == len(once.history_)


@every_model
def test_similarities_rankings_and_scores_are_those_of_the_matrix(model):
    X, triplets = _data()
    model = clone(model).fit(X, triplets)
    S = X @ model.similarity_ @ X.T
    np.testing.assert_allclose(model.similarity(X[:3], X), S[:3], atol=1e-12 * np.abs(S).max())
    i, j, k = triplets.T
    assert model.score(X, triplets) == np.mean(S[i, j] > S[i, k]) > 0.5
    order = model.rank(X[:3], X)
    sorted_scores = np.take_along_axis(model.similarity(X[:3], X), order, axis=1)
    assert (np.diff(sorted_scores, axis=1) <= 0).all()
    np.testing.assert_array_equal(np.sort(order, axis=1), np.tile(np.arange(25), (3, 1)))


def test_ties_do_not_hold_and_keep_their_order():
    X = np.array([[1.0, 0.0], [1.0, 2.0], [1.0, 2.0]])
    model = OASIS().fit(X, [[0, 1, 2]])
    assert model.score(X, [[0, 1, 2]]) == 0.0
    assert model.rank(X[:1], X).tolist() == [[0, 1, 2]]
    assert model.progress_["mistake_rate"].tolist() == [1.0]


def test_inner_products_of_transformed_rows_are_the_similarities():
    X, triplets = _data()
    model = SDCA(project=True, random_state=0).fit(X, triplets)
    for kind in (X, csr_array(X)):
        Z = model.transform(kind)
        assert Z.shape == (25, 5)
        np.testing.assert_allclose(Z @ Z.T, model.similarity(X, X), atol=1e-9)


def test_no_map_gives_what_is_no_inner_product():
    X, triplets = _data()
    with pytest.raises(ValueError, match="not symmetric"):
        SDCA(random_state=0).fit(X, triplets).transform(X)
    with pytest.raises(ValueError, match=r"eigenvalue -.*positive semidefinite"):
        OASIS(C=1e-9, init=np.diag([1.0, 1, 1, 1, -1])).fit(X * 0, triplets).transform(X)


@every_model
def test_the_progress_has_about_two_hundred_points(model, capsys):
    X, triplets = _data(n_triplets=997)
    progress = clone(model).set_params(verbose=1).fit(X, triplets).progress_
    assert "triplet" in capsys.readouterr().err
    assert 190 < len(progress) < 210
    assert (np.diff(progress["iterations"]) > 0).all()
    assert progress["iterations"].iloc[-1] == 3 * 997
    assert {997, 1994} <= set(progress["iterations"])
    assert (progress["hinge"] ** 2 <= progress["squared_hinge"] + 1e-12).all()


def test_features_are_neither_changed_nor_read_where_no_triplet_names_them():
    X, triplets = _data(n_rows=30)
    keep = X.copy()
    triplets = triplets % 20
    triplets = triplets[(np.diff(np.sort(triplets), axis=1) > 0).all(axis=1)]
    X[20:] = np.nan
    wanted = SDCA(random_state=0).fit(keep[:20], triplets).similarity_
    np.testing.assert_array_equal(SDCA(random_state=0).fit(X, triplets).similarity_, wanted)
    np.testing.assert_array_equal(X[:20], keep[:20])


_X, _T = _data()


def _spoiled(row, column, value):
    X = _X.copy()
    X[row, column] = value
    return X


@pytest.mark.parametrize(
    ("X", "triplets", "message"),
    [
        (csr_array(_spoiled(_T[4, 1], 2, -np.inf)), _T, rf"row {_T[4, 1]}, column 2: -inf"),
        (_X, [[0, 1, 2], [3, 4, 25]], r"triplets, row 1: \(3, 4, 25\) .*allowed are 0 to 24"),
        (_X, [[0, 1, 2, 3]], r"triplets: shape \(1, 4\).*: x'My needs triplets"),
        (_X, np.empty((0, 3)), "triplets: empty"),
    ],
)
@every_model
def test_bad_input_is_named(model, X, triplets, message):
    for fit in (clone(model).fit, clone(model).partial_fit):
        with pytest.raises(ValueError, match=message):
            fit(X, triplets)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (OASIS(C=0.0), "C=0.0.*finite and positive"),
        (OASIS(init="zero"), "init='zero'"),
        (OASIS(init=np.eye(3)), r"init has shape \(3, 3\).*\(5, 5\)"),
        (OASIS(n_epochs=0), "n_epochs=0"),
        (SDCA(reg=-1.0), "reg=-1.0.*finite and positive"),
    ],
)
def test_bad_parameters_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(_X, _T)
