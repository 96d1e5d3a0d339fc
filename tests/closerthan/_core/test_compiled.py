"""Check that compiled code is used again only if all its sources are the same."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from types import ModuleType

import pytest

import closerthan
from closerthan._core.compiled import compiled
from closerthan._core.writing import locked
from compiled_sources import check_digests, with_own_cache

SOURCE = Path(closerthan.__file__).parents[1]
COMPILED = "from closerthan._core.compiled import compiled\n"
FILES = {
    "__init__.py": "",
    "far.py": "FAR = 1.0\n",
    "deep.py": COMPILED + "from near import (\n    far,\n)\n"
    "@compiled\ndef add(x):\n    return x + far.FAR\n",
    "top.py": COMPILED
    + "from .deep import add\n@compiled\ndef twice(x):\n    return add(add(x))\n",
}
PRINT = "from near.top import twice; print(twice(0.0), sum(twice.stats.cache_hits.values()))"


def run(code, folder, **environment):
    """Return what a new process prints, which finds modules in a folder and in closerthan."""
    path = os.pathsep.join([str(folder), str(SOURCE)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.split() if not done.stderr else (done.stdout.split(), done.stderr)


@pytest.fixture
def package(tmp_path):
    """Return a folder with a package whose function calls one that uses another file's number."""
    (tmp_path / "near").mkdir()
    for name, text in FILES.items():
        (tmp_path / "near" / name).write_text(text)
    return tmp_path


def test_an_edit_of_any_file_behind_a_function_compiles_it_anew_and_back(package):
    assert run(PRINT, package) == ["2.0", "0"]
    assert run(PRINT, package) == ["2.0", "1"]
    for file, old, new, value in (
        ("near/far.py", "1.0", "3.0", "6.0"),
        ("near/deep.py", "x + far", "x - far", "-2.0"),
    ):
        path = package / file
        before, status = path.read_text(), path.stat()
        path.write_text(before.replace(old, new))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # neither time nor size tells
        assert run(PRINT, package) == [value, "0"]
        path.write_text(before)
        assert run(PRINT, package)[0] == "2.0"
        assert run(PRINT, package) == ["2.0", "1"]


def test_code_of_older_sources_is_removed_and_that_of_other_functions_stays(package):
    kept = package / "near" / "__pycache__"
    run(PRINT, package)
    (kept / "top.twice-4.py311.nbi").touch()  # as numba alone names it
    (kept / "top.twice_as_much-4.py311-0123456789abcdef.nbi").touch()
    before = {path.name for path in kept.glob("*.nb?")}
    (package / "near" / "far.py").write_text("FAR = 4.0\n")
    run(PRINT, package)
    after = {path.name for path in kept.glob("*.nb?")}
    assert len(before) == len(after) + 1 == 6
    assert before & after == {"top.twice_as_much-4.py311-0123456789abcdef.nbi"}


def test_a_module_that_is_loaded_counts_as_it_was_loaded(package):
    """Between the two imports the first file is edited; the process has the old function."""
    first = "import near.deep as deep; import importlib;"
    edit = "f = open(deep.__file__, 'r+'); text = f.read().replace('x + far', 'x + 5 * far');"
    edit += "f.seek(0); f.write(text); f.close();"
    assert run(first + edit + PRINT, package) == ["2.0", "0"]
    assert run(PRINT, package) == ["10.0", "0"]
    deep = package / "near" / "deep.py"
    deep.write_text(FILES["deep.py"])
    assert run(PRINT, package) == ["2.0", "0"]
    again = "importlib.reload(deep); importlib.reload(near.top);"
    assert run(first + "import near.top;" + edit + again + PRINT, package) == ["10.0", "0"]
    deep.write_text(FILES["deep.py"])
    assert run(PRINT, package)[0] == "2.0"


def test_without_a_folder_that_can_be_written_each_process_compiles_and_says_so_once(package):
    for folder in ("near", "home"):
        shutil.rmtree(package / folder / "__pycache__", ignore_errors=True)
    (package / "near" / "__pycache__").touch()  # root may write every folder
    (package / "home").touch()
    places = {"HOME": str(package / "home"), "XDG_CACHE_HOME": str(package / "home" / "cache")}
    printed, said = run(PRINT, package, **places)
    assert printed == ["2.0", "0"]
    assert said.count("set NUMBA_CACHE_DIR to a folder that can be written") == 1
    elsewhere = {**places, "NUMBA_CACHE_DIR": str(package / "elsewhere")}
    assert run(PRINT, package, **elsewhere) == ["2.0", "0"]
    assert run(PRINT, package, **elsewhere) == ["2.0", "1"]


def test_two_processes_do_not_add_to_a_cache_at_once(package, monkeypatch):
    monkeypatch.syspath_prepend(package)
    add = importlib.import_module("near.deep").add
    saved = Event()
    with locked(add._cache.cache_path):
        other = Thread(target=lambda: (add(1.0), saved.set()))
        other.start()
        assert not saved.wait(0.5)
    assert saved.wait(60)
    other.join()


@pytest.mark.parametrize("known", [True, False])
def test_a_function_without_a_file_is_compiled(known, monkeypatch):
    made = ModuleType("made")
    if known:
        monkeypatch.setitem(sys.modules, "made", made)
    exec("def double(x):\n    return 2 * x", made.__dict__)
    assert compiled(made.double)(2) == 4


# All modules of the package


def test_the_digest_of_each_module_is_of_all_that_it_imports(monkeypatch):
    assert len(check_digests(monkeypatch, closerthan)) > 14


def test_no_function_is_compiled_with_a_cache_of_numba_alone():
    assert with_own_cache(closerthan) == set()
