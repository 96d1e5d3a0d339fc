"""Check that an import loads only what its users need."""

import ast
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import closerthan


def run(code):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# Each row imports more in the same process, which none of the rows before it may have loaded.
FIRST = (
    ("import closerthan", {"numpy"}),
    ("import closerthan.comparisons.sample", {"sklearn", "numba", "pandas", "scipy", "tqdm"}),
    ("import closerthan.datasets", {"sklearn", "numba", "pandas", "scipy", "yaml", "pooch"}),
    (
        "from closerthan.datasets import load; load('synthetic', n_objects=3)",
        {*(f"closerthan.datasets.{name}" for name in ("music", "shapes", "matlab"))}
        | {"sklearn", "numba", "scipy"},
    ),
    (
        "from closerthan.datasets import list_datasets; list_datasets()",
        {"pooch", "rdata", "h5py"},
    ),
    (
        "from closerthan.optimize import SGD",
        {"closerthan.optimize.svrg", "closerthan.optimize.batch"},
    ),
    (
        "from closerthan import OrdinalEmbedding",
        {"closerthan.kernels", "closerthan.mds", "closerthan.optimize.svrg", "closerthan.scores"}
        | {"matplotlib"},
    ),
)
SECOND = (
    (
        "from closerthan import BatchKernel",
        {"closerthan.ordinal", "closerthan.mds", "closerthan.similarity"},
    ),
    ("import closerthan.similarity", {"sklearn.neighbors", "sklearn.decomposition"}),
    ("import closerthan\ncloserthan.mds.SMACOF", {"sklearn.neighbors"}),
)


@pytest.mark.parametrize("rows", [FIRST, SECOND])
def test_what_is_not_asked_for_is_not_imported(rows):
    code = "import json, sys\nloaded = []\n"
    code += "".join(f"{statement}\nloaded.append(sorted(sys.modules))\n" for statement, _ in rows)
    for (statement, others), loaded in zip(
        rows, json.loads(run(f"{code}print(json.dumps(loaded))")), strict=True
    ):
        assert not set(loaded) & others, statement


def test_losses_are_compiled_when_they_are_used_and_not_before():
    code = "from closerthan import OrdinalEmbedding, losses\n"
    code += "assert '_loop' not in vars(losses.STE._values)\n"
    code += "losses.STE().values([0.0], [1.0])\n"
    code += "assert '_loop' in vars(losses.STE._values)\n"
    code += "assert '_loop' not in vars(losses.CKL._values)"
    run(code)


@pytest.mark.parametrize("name", ["closerthan", "closerthan.datasets", "closerthan.optimize"])
def test_a_face_shows_its_table_and_its_modules_and_nothing_else(name):
    face, starred = import_module(name), {}
    modules = {module.name for module in iter_modules(face.__path__) if module.name[0] != "_"}
    assert set(dir(face)) == {*face.__all__, *modules}
    exec(f"from {name} import *", starred)
    assert starred.keys() - {"__builtins__"} == set(face.__all__)
    for unknown in ("nothing", "foo.bar", "a b", "", "_discover"):
        message = f"module '{name}' has no attribute '{unknown}'"
        with pytest.raises(AttributeError, match=re.escape(message)):
            getattr(face, unknown)


def test_editors_are_told_of_every_model_of_the_package():
    tree = ast.parse(Path(closerthan.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    assert block.test.id == "TYPE_CHECKING"
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    told = {
        node.names[0].name: node.module.removeprefix("closerthan.")
        for node in imports
        if node.module != "types"
    }
    assert told == closerthan._MODELS and closerthan.__all__ == sorted(told)
