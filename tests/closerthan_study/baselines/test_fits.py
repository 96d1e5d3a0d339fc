"""Check fits of the baselines: interrupts, threads of BLAS, the same bytes in every thread."""

import pytest
from sklearn.base import clone

from class_pairs import PAIRS, SIDES, TARGETS
from class_points import X, Y
from closerthan_study.baselines import ITML, LEGO, LMNN, RCA
from fit_checks import check_interrupted_fit, check_one_blas_thread, check_same_bytes

# Each with a function that the fit calls.
FITS = [
    (RCA(), (X, Y), "closerthan_study.baselines.rca.eigh"),
    (LMNN(), (X, Y), "closerthan_study.baselines.lmnn._evaluate"),
    (ITML(), (X, PAIRS, SIDES), "closerthan_study.baselines.itml._objectives"),
    (LEGO(), (X, PAIRS, TARGETS), "closerthan_study.baselines.lego.components_of"),
]
every_fit = pytest.mark.parametrize(
    ("model", "data", "inner"), FITS, ids=[type(fit[0]).__name__ for fit in FITS]
)


@every_fit
@pytest.mark.parametrize("raises", [True, False], ids=["exception", "signal"])
@pytest.mark.parametrize("fitted", [False, True])
def test_an_interrupted_fit_changes_nothing(model, data, inner, raises, fitted, monkeypatch):
    check_interrupted_fit(model, data, inner, raises, fitted, monkeypatch)


@pytest.mark.parametrize("model", [ITML(), LEGO()])
def test_a_pass_over_pairs_may_be_cut_anywhere(model, monkeypatch):
    data = (X, PAIRS, SIDES) if isinstance(model, ITML) else (X, PAIRS, TARGETS)
    model, cut = clone(model).fit(*data), clone(model)
    monkeypatch.setattr("closerthan_study.baselines.mahalanobis._ENTRIES", 7 * X.shape[1] ** 2)
    cut.fit(*data)
    assert cut.components_.tobytes() == model.components_.tobytes()


@every_fit
def test_fits_of_small_matrices_use_one_blas_thread(model, data, inner, monkeypatch):
    check_one_blas_thread(model, data, inner, monkeypatch)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("n_blas_threads", [1, 2])
def test_fits_are_the_same_in_threads_and_in_children(n_blas_threads):
    check_same_bytes([fit[:2] for fit in FITS], n_blas_threads)
