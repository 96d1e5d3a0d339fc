"""Classes are found by name where they are defined, and no more is imported than needed."""

import py_compile
import subprocess
import sys
from types import ModuleType

import pytest

import closerthan.optimize
from closerthan.discovery import class_names, find_by_short_name, find_class, short_names
from closerthan.losses import STE, find_loss, make_loss
from slow_reference import LOSSES


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("BatchKernel", "closerthan.kernels"),
        ("OASIS", "closerthan.bilinear"),
        ("LMNN", "closerthan.mahalanobis"),
        ("SMACOF", "closerthan.mds"),
        ("STE", "closerthan.losses"),
        ("PCA", "sklearn.decomposition"),
        ("TSNE", "sklearn.manifold"),
    ],
)
def test_a_class_is_found_where_it_is_defined(name, package):
    found = find_class(name, "closerthan.optimize", package)
    assert found.__name__ == name
    assert found.__module__.startswith(package)


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("Nothing", "closerthan.mds"),
        ("MetricMDS", "closerthan.mds"),  # the base of the others
        ("MahalanobisMetric", "closerthan.mahalanobis"),
        ("KernelModel", "closerthan.kernels"),
        ("BilinearModel", "closerthan.bilinear"),
        ("Problem", "closerthan.mds"),  # no estimator
        ("classical_mds", "closerthan.mds"),
        ("Loss", "closerthan.losses"),
        ("svrg", "closerthan.optimize"),
    ],
)
def test_anything_else_is_refused_with_what_there_is(name, package):
    known = ", ".join(class_names(package))
    with pytest.raises(ValueError, match=f"no class '{name}' in {package}; there are {known}$"):
        find_class(name, package)


def test_class_names_are_those_of_the_estimators():
    assert class_names("closerthan.optimize") == [
        "Auto",
        "Batch",
        "LBFGS",
        "MiniBatchSGD",
        "SGD",
        "SVRG",
    ]
    assert class_names("closerthan.bilinear", "closerthan.losses")[:3] == ["OASIS", "SDCA", "GNMDS"]


def test_every_loss_has_a_slow_reference():
    assert [type(make_loss(name)).__name__ for name in LOSSES] == class_names("closerthan.losses")
    assert find_loss("STE") is STE


@pytest.mark.parametrize("package", ["closerthan.losses", "closerthan.optimize"])
def test_a_class_has_a_short_name_whose_hyphens_and_case_do_not_matter(package):
    for short_name, class_name in zip(short_names(package), class_names(package), strict=True):
        for name in (short_name, short_name.replace("-", ""), short_name.upper()):
            assert find_by_short_name(name, package).__name__ == class_name
    assert find_by_short_name("loss", package) is None


def test_messages_write_short_names_as_the_documentation_does():
    with pytest.raises(ValueError, match=r"one of gnmds, ckl, ste, t-ste, soe$"):
        make_loss("hinge")
    with pytest.raises(ValueError, match=r"one of auto, batch, l-bfgs, minibatch-sgd, sgd, svrg$"):
        closerthan.optimize.make_solver("adam")


def test_a_new_class_is_found_without_being_listed(tmp_path, monkeypatch):
    package = tmp_path / "toys"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.py").write_text("raise ImportError('nobody asked for this module')")
    (package / "spring.py").write_text(
        "from sklearn.base import BaseEstimator\n\nclass Spring(BaseEstimator):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert find_class("Spring", "toys").__module__ == "toys.spring"


TOY = """
from sklearn.base import BaseEstimator as Base

class {name}(Base):
    short_name = "leaf-spring"

Alias = {name}
"""


def test_a_module_without_source_is_imported_to_see_its_classes(tmp_path, monkeypatch):
    path = tmp_path / "compiled_toys.py"
    path.write_text(TOY.format(name="Spring"))
    py_compile.compile(path, tmp_path / "compiled_toys.pyc")
    path.unlink()
    monkeypatch.syspath_prepend(tmp_path)
    assert find_class("Spring", "compiled_toys").__name__ == "Spring"
    assert find_by_short_name("leafspring", "compiled_toys").__name__ == "Spring"
    assert class_names("compiled_toys") == ["Spring"]


def test_a_module_that_has_no_file_is_searched_in_memory(monkeypatch):
    module = ModuleType("toys_in_memory")
    exec(TOY.format(name="Wheel"), vars(module))
    monkeypatch.setitem(sys.modules, "toys_in_memory", module)
    assert find_class("Wheel", "toys_in_memory") is module.Wheel
    assert class_names("toys_in_memory") == ["Wheel"]


def test_a_lazy_face_shows_what_its_modules_define():
    assert {"SVRG", "Trace", "make_solver"} <= set(dir(closerthan.optimize))
    with pytest.raises(AttributeError, match=r"'closerthan\.optimize' has no attribute 'Adam'"):
        closerthan.optimize.Adam  # noqa: B018
    with pytest.raises(ImportError, match="Adam"):
        from closerthan.optimize import Adam  # noqa: F401


def test_a_lazy_face_shows_nothing_else():
    solvers = {"Auto", "Batch", "LBFGS", "MiniBatchSGD", "SGD", "SVRG"}
    public = solvers | {"LapsingObjective", "Objective", "Trace", "find_solver", "make_solver"}
    assert set(closerthan.optimize.__all__) == public
    modules = {"auto", "batch", "by_name", "lapse", "lbfgs", "low_rank", "minibatch"}
    modules |= {"objective", "sgd", "svrg", "trace"}
    assert set(dir(closerthan.optimize)) == public | modules


def test_a_star_gives_what_a_lazy_face_shows():
    names = {}
    exec("from closerthan.optimize import *", names)
    assert {"SVRG", "Trace", "make_solver"} <= names.keys() and "lazy_face" not in names


def test_asking_for_one_solver_imports_no_other():
    code = """
import sys
from closerthan.optimize import find_solver
find_solver("SGD")
assert "closerthan.optimize.sgd" in sys.modules
assert not {"closerthan.optimize.svrg", "closerthan.optimize.batch"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
