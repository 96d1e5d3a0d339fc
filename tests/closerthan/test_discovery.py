"""Check that classes are found by their names: in tables, in packages, and by full names."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import closerthan.optimize
from closerthan import discovery
from closerthan.discovery import class_names, find_by_short_name, find_class, short_names
from closerthan.losses import STE, Loss, find_loss, make_loss
from closerthan.penalties import Penalty
from slow_reference import LOSSES


def test_all_that_is_public_is_exported():
    here = discovery.__name__
    own = {n for n, found in vars(discovery).items() if getattr(found, "__module__", "") == here}
    assert {name for name in own if name[0] != "_"} == set(discovery.__all__)


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("BatchKernel", "closerthan.kernels"),
        ("OASIS", "closerthan.similarity"),
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
        ("KernelModel", "closerthan.kernels"),
        ("Dissimilarities", "closerthan.mds"),  # no estimator
        ("classical_mds", "closerthan.mds"),
        ("Loss", "closerthan.losses"),
        ("svrg", "closerthan.optimize"),
    ],
)
def test_anything_else_is_refused_with_what_there_is(name, package):
    known = ", ".join(class_names(package))
    with pytest.raises(ValueError, match=f"no class '{name}' in {package}; there are {known}$"):
        find_class(name, package)


def test_every_loss_has_a_slow_reference():
    assert [type(make_loss(name)).__name__ for name in LOSSES] == class_names("closerthan.losses")
    assert find_loss("STE") is STE


@pytest.mark.parametrize(
    "package", ["closerthan.losses", "closerthan.optimize", "closerthan.penalties"]
)
def test_a_class_has_a_short_name_whose_hyphens_and_case_do_not_matter(package):
    for short_name, class_name in zip(short_names(package), class_names(package), strict=True):
        for name in (short_name, short_name.replace("-", ""), short_name.upper()):
            assert find_by_short_name(name, package).__name__ == class_name
    assert find_by_short_name("loss", package) is None


def test_messages_write_short_names_as_the_documentation_does():
    with pytest.raises(ValueError, match=r"one of gnmds, ckl, ste, t-ste, soe, smooth-soe$"):
        make_loss("hinge")
    with pytest.raises(ValueError, match=r"one of auto, batch, l-bfgs, minibatch-sgd, sgd, svrg$"):
        closerthan.optimize.make_solver("adam")


def test_a_class_that_no_table_lists_is_found_by_its_full_name(monkeypatch):
    """In its module, bases and imported classes do not count."""
    module = ModuleType("toys.wheels")
    code = "from sklearn.base import BaseEstimator as Base\nfrom sklearn.decomposition import PCA\n"
    code += "class Wheel(Base): pass\nclass _Axle(Base): pass\n"
    monkeypatch.setitem(sys.modules, "toys", ModuleType("toys"))
    monkeypatch.setitem(sys.modules, "toys.wheels", module)
    exec(code, vars(module))
    assert find_class("toys.wheels.Wheel", "sklearn.manifold", "toys") is module.Wheel
    with pytest.raises(ValueError, match=r"no class 'toys\.wheels\.PCA' in toys\.wheels; .* Wheel"):
        find_class("toys.wheels.PCA", "toys")
    with pytest.raises(ValueError, match=r"no class 'toys\.wheels\.Wheel' in closerthan"):
        find_class("toys.wheels.Wheel", "closerthan.mds")
    with pytest.raises(ValueError, match=r"no class 'closerthan\.mds\.nothing\.Wheel' in"):
        find_class("closerthan.mds.nothing.Wheel", "closerthan.mds")


def test_tables_name_every_class_of_their_kind_and_nothing_else():
    for package, base in (("closerthan.losses", Loss), ("closerthan.penalties", Penalty)):
        module = sys.modules[package]
        own = {name for name, found in vars(module).items() if is_kind(found, base)}
        assert own == set(module.NAMES.values())
    modules = [path.stem for path in Path(closerthan.optimize.__path__[0]).glob("[a-z]*.py")]
    modules = {name: import_module(f"closerthan.optimize.{name}") for name in modules}
    solvers = {
        f"{name}.{solver}"
        for name, module in modules.items()
        for solver, found in vars(module).items()
        if hasattr(found, "minimize") and found.__module__ == module.__name__
    }
    assert solvers == set(closerthan.optimize.NAMES.values())


def is_kind(found, base):
    return isinstance(found, type) and issubclass(found, base) and found is not base
