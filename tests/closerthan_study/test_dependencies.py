"""Check that an edit changes the digests of results that depend on it, and no others."""

import copy
import hashlib
from itertools import product
from pathlib import Path

import pytest

from closerthan.datasets.registry import modules
from closerthan_study import dependencies, tasks
from closerthan_study.dependencies import digest
from closerthan_study.origin import LIBRARIES
from closerthan_study.spec import ROOT
from digests import changes, digests, list_remade, loaded_by, of, of_all
from import_faces import hidden_imports, imports_through_a_face

EVERY = of_all(*tasks.names())
REMADE = Path(__file__).with_name("remade.txt")
SOURCE = '''"""A module."""


def double(x):
    """Twice x."""
    return 2 * x  # a comment


class Number:
    """A number."""

    def half(self):
        """Half of it."""
'''


@pytest.fixture(scope="module")
def changed_by():
    """Return the results whose digests an edit of a module would change."""
    return changes(tasks.names())


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("closerthan.similarity.sdca", of("fits", "similarity")),
        ("closerthan_study.baselines.lmnn", of("fits", "similarity")),
        ("closerthan.mds.geodesic", of_all("mds")),
        (
            "closerthan.losses",
            of("fits", "ordinal", "online") | of("scores", "ordinal"),
        ),
        ("closerthan.kernels.online", of("fits", "online")),
        (
            "closerthan.scores.retrieval",
            of("fits", "similarity") | of("scores", "ordinal", "similarity"),
        ),
        ("closerthan_study.tasks.comparisons", of("trials", "ordinal", "online")),
        ("closerthan_study.tasks.scoring", of("scores", *tasks.names())),
        ("closerthan_study.tasks.base", EVERY - of("trials", *tasks.names())),
        ("closerthan_study.tasks.setup", EVERY),
        *(
            (f"closerthan_study.tasks.{task}.{name}", of(name, task))
            for task, name in product(tasks.names(), ("fits", "scores"))
        ),
        *((f"closerthan_study.tasks.{task}.settings", of_all(task)) for task in tasks.names()),
        ("closerthan.discovery", set()),
        ("closerthan.datasets.loader", {*modules()}),
    ],
)
def test_an_edit_makes_again_what_depends_on_it_and_nothing_else(changed_by, module, expected):
    assert changed_by(module) == expected


def test_an_edit_of_each_module_makes_again_what_a_readable_list_says(shipped):
    """A removed list is written anew."""
    found = list_remade(shipped["paper"])
    lines = "".join(f"{module:45} {said}\n" for module, said in found.items())
    if not REMADE.exists():
        REMADE.write_text(lines)
    assert REMADE.read_text() == lines


def test_the_loader_of_one_data_set_is_not_behind_another(changed_by):
    assert changed_by("closerthan.datasets.music") == {"music"}
    of_libsvm = loaded_by("libsvm")
    assert len(of_libsvm) > 1 and changed_by("closerthan.datasets.libsvm") == of_libsvm
    assert "music" in changed_by("closerthan.datasets.matlab"), "which its loader reads with"
    assert set(modules()) <= changed_by("closerthan_study.data")


def test_nor_is_its_entry_in_the_registry(monkeypatch):
    before = digests(tasks.names())
    entries = copy.deepcopy(dependencies.facts())
    entries["vowel"]["license"] = "another"
    monkeypatch.setattr(dependencies, "facts", lambda: entries)
    found = digests(tasks.names())
    assert {key for key in found if found[key] != before[key]} == {"vowel"}
    assert modules()["vehicle"] == modules()["vowel"], "whose entry is in the same file"


def test_what_makes_the_data_of_trials_counts_there_too(changed_by):
    """Every trial draws its own points, so these come from no data set."""
    found = changed_by("closerthan.datasets.synthetic")
    assert found == {"synthetic", *of("trials", "online"), *of("fits", "online")}


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ('"""A module."""', '"""Another\nmodule."""', True),
        ('"""Twice x."""', '"""Two times x."""', True),
        ('"""Half of it."""', '"""Its half."""', True),
        ("# a comment", "# another", True),
        ("\n\n\nclass", "\n\n\n\nclass", True),
        ("2 * x", "3 * x", False),
        ("def double(x)", "def double(x, y=1)", False),
        ("class Number", "class Numeral", False),
    ],
)
def test_words_are_no_code(tmp_path, old, new, same):
    assert SOURCE.count(old) == 1
    found = []
    for name, text in (("before", SOURCE), ("after", SOURCE.replace(old, new))):
        (tmp_path / f"{name}.py").write_text(text)
        found.append(dependencies._content(tmp_path / f"{name}.py"))
    assert (found[0] == found[1]) is same


@pytest.mark.parametrize("file", ["index.py", "index.html.j2", "index.css"])
def test_what_a_package_has_counts_with_it_code_or_not(monkeypatch, file):
    names = "closerthan_study.report", "closerthan_study.report.index", "closerthan_study.figures"
    path, content = ROOT / "src/closerthan_study/report" / file, dependencies._content
    before = [digest(name) for name in names]
    monkeypatch.setattr(dependencies, "_content", lambda p: b"new" if p == path else content(p))
    digest.cache_clear()
    changed = [digest(name) != old for name, old in zip(names, before, strict=True)]
    digest.cache_clear()
    assert changed == [True, file != "index.css", False], "a template counts with its module"


@pytest.mark.parametrize("library", LIBRARIES)
def test_fits_of_other_versions_of_a_library_are_other_fits(monkeypatch, library):
    monkeypatch.setattr(dependencies, "version", lambda name: "1.0")
    before = digests(tasks.names())
    monkeypatch.setattr(dependencies, "version", lambda name: "1.1" if name == library else "1.0")
    after = digests(tasks.names())
    assert {key for key in after if after[key] != before[key]} == of("fits", *tasks.names())


def test_a_digest_is_the_same_in_every_version_of_python(tmp_path):
    """Python 3.12 added empty fields and empty parts of strings; 3.13 shows no empty field."""
    path = tmp_path / "module.py"
    path.write_text(SOURCE + 'words = f"{x!r:>{width}}" f"{x:.{n}}" "a", None, (), [], 1.5, b""\n')
    found = hashlib.sha256(dependencies._content(path)).hexdigest()
    assert found.startswith("ac73ec4a5809ad41")


@pytest.mark.parametrize("package", ["closerthan", "closerthan_study.baselines"])
def test_every_module_imports_a_name_from_where_it_is_defined(package):
    assert hidden_imports(package) == []


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("def f():\n    from closerthan.mds import SMACOF", True),
        ("from . import SMACOF", True),
        ("from ..optimize import SVRG", True),
        ("from closerthan import optimize", True),
        ("import closerthan.optimize", True),
        ("from closerthan.mds.smacof import SMACOF", False),
        ("from closerthan.mds import smacof", False),
        ("from .smacof import SMACOF", False),
        ("from ..optimize.svrg import SVRG", False),
        ("from closerthan_study import tasks", False),
        ("from closerthan_study.tasks import module", False),
        ("from closerthan_study.spec import ROOT", False),
        ("import numpy.linalg", False),
    ],
)
def test_an_import_that_hides_where_a_name_is_from_is_found(text, hidden):
    found = list(imports_through_a_face(text, "closerthan.mds"))
    assert bool(found) is hidden
