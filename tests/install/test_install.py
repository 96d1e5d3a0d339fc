"""Check that the wheel, the pages and each extra work in an environment without anything else.

pip installs the pins of requirements.lock by hash, so its index must be reachable. The dependencies
of closerthan are installed once, and all environments see them. The wheel is that of `make build`.
`make test-install EXTRAS="none study"` names the extras to try.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest

from fenced import blocks, commands
from requirement_closure import closure, locked

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / ".cache" / "install"
NAMED = os.environ.get("CLOSERTHAN_EXTRAS", "").split()
# An unreachable index is reported within a minute.
IMPATIENT = {"PIP_RETRIES": "1", "PIP_DEFAULT_TIMEOUT": "20", "UV_HTTP_TIMEOUT": "20"}

# A user's first call of each extra, in a folder with a file of answers.
USES = {
    "none": """
        python - <<end
        import importlib.util
        import numpy as np
        from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
        from closerthan.comparisons import Answers, sample_from_labels, sample_from_points
        from closerthan.mds import SMACOF, PatternSearchMDS
        from closerthan.similarity import OASIS, SDCA
        from closerthan_lab.dimension import DimensionSearch
        from closerthan_lab.people import PeopleEmbedding
        from closerthan_lab.spose import SPoSE
        for other in ("jinja2", "matplotlib", "typer", "pyarrow", "pooch", "yaml"):
            assert importlib.util.find_spec(other) is None, other
        rng = np.random.default_rng(0)
        labels = np.repeat([0, 1], 30)
        X = rng.normal(size=(60, 3)) + 3 * labels[:, None] - 1.5
        triplets = sample_from_points(X[:12], 600, random_state=0)
        for model in (
            OrdinalEmbedding(2, random_state=0),
            BatchKernel("gnmds", max_iter=20),
            OnlineKernel(random_state=0),
        ):
            assert model.fit(triplets).score(triplets) > 0.7, model
        for model in (SMACOF(2), PatternSearchMDS(2)):
            assert model.fit_transform(X).shape == (60, 2)
        named = sample_from_labels(labels, 200, random_state=0)
        for model in (OASIS(random_state=0), SDCA(random_state=0)):
            assert model.fit(X, named).score(X, named) > 0.7, model
        people = Answers(triplets, participant=np.arange(600) % 4)
        assert PeopleEmbedding(2).fit(people).embedding_.shape == (12, 2)
        search = DimensionSearch(dimensions=[1, 2], cv=2, n_repeats=1).fit(triplets)
        assert search.best_index_ in (0, 1)
        triples = rng.permuted(np.tile(np.arange(12), (300, 1)), axis=1)[:, :3]
        assert len(SPoSE(3, strength=(0.1, 0.0)).fit(triples, triples[:, 0]).embedding_) == 12
        end
        ! closerthan check answers.csv 2> needs && grep -F "pip install '.[lab]'" needs
        """,
    "lab": """
        closerthan check answers.csv | grep "about 3 objects"
        python - <<end
        from closerthan_lab.page import save_map
        save_map(["map.svg"], ["a", "b"], [[0, 0], [1, 2]])
        end
        """,
    "data": """
        python - <<end
        import os, h5py, rdata
        from closerthan.datasets import list_datasets, load
        assert "music" in list_datasets().index
        if "CLOSERTHAN_DATA_MIRROR" in os.environ:
            assert len(load("music").answers) > 1000
        end
        """,
    "study": "snakemake --version && papermill --version",
    "cluster": "snakemake --help | grep slurm",
    "docs": """
        mkdir pages
        echo "extensions, html_theme = ['myst_parser', 'numpydoc'], 'furo'" > pages/conf.py
        echo "# A page" > pages/index.md
        python -m sphinx -q -W pages site
        """,
    "dev": """
        for tool in pytest ruff mypy snakefmt twine check-wheel-contents; do $tool --version; done
        python -c "import hatchling, hypothesis, importlinter"
        """,
}


INSTALLS = re.compile(r"pip install '\.\[(.+)\]'")
RUN = {"python", "console"}

# Runs the code of a page, as a reader does: all Python in one session, the rest in a shell.
READER = """
import json, subprocess
session = {"__name__": "__main__"}
for language, code in json.load(open("page.json")):
    if language == "python":
        exec(code, session)
    else:
        subprocess.run(["bash", "-euc", code], check=True)
"""


def run(command, cwd, **variables):
    """Run a command outside of the checkout and return what it prints; show it if it fails."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env | variables,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{command[-1]}:\n{(done.stdout + done.stderr)[-4000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def wheel():
    [path] = (ROOT / "dist").glob("*.whl")
    return path


def test_every_extra_has_a_use():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*USES} == {"none", *project["optional-dependencies"]}


@pytest.fixture(scope="session")
def bare():
    """Make an environment with the dependencies of closerthan without extras, and keep it."""
    env, needs = HERE / "bare", pins(closure(["closerthan"]))
    if not (env / "made").is_file() or (env / "made").read_text() != needs:
        make(env)
        install(env, env, needs)
        (env / "made").write_text(needs)
    return env


def make(env, *options):
    """Make an empty environment."""
    shutil.rmtree(env, ignore_errors=True)
    env.parent.mkdir(parents=True, exist_ok=True)
    uv = ["uv", "venv", "--quiet", "--python", sys.executable]
    run([*(uv if shutil.which("uv") else [sys.executable, "-m", "venv", *options]), str(env)], ROOT)


def pins(names):
    """Return the lines of requirements.lock for some packages."""
    entries = locked(ROOT / "requirements.lock")
    return "\n".join(line for name in sorted(names - {"closerthan"}) for line in entries[name])


def install(env, bare, needs):
    """Install the packages of these lines."""
    (env / "pins.txt").write_text(needs)
    try:
        pip(env, bare, "--require-hashes", "-r", str(env / "pins.txt"))
    except (AssertionError, subprocess.TimeoutExpired) as error:
        pytest.fail(f"Is the index of packages within reach, with all pins of the lock? {error}")


def pip(env, bare, *what):
    """Install with uv if it exists, without compiling bytecode."""
    python = str(env / "bin/python")
    if shutil.which("uv"):
        command = ["uv", "pip", "install", "--python", python]
    else:
        own = [str(bare / "bin/python"), "-m", "pip"]
        command = [*own, "--python", python, "install", "--no-compile"]
    run([*command, "--quiet", "--no-deps", *what], ROOT, **IMPATIENT)


def installed(name, extras, bare, wheel):
    """Make an environment with the wheel and some extras, and return the PATH to use it."""
    env = HERE / name
    make(env, "--without-pip")
    [packages] = bare.glob("lib/python*/site-packages")
    [own] = env.glob("lib/python*/site-packages")
    (own / "bare.pth").write_text(f"{packages}\n")
    if extras:
        install(env, bare, pins(closure([f"closerthan[{extras}]"]) - closure(["closerthan"])))
    pip(env, bare, str(wheel))
    return f"{env / 'bin'}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize("extra", NAMED or USES)
def test_extra_does_what_it_is_for(extra, bare, wheel, tmp_path):
    path = installed(extra, "" if extra == "none" else extra, bare, wheel)
    (tmp_path / "answers.csv").write_text("anchor,near,far\na,b,c\nb,a,c\nc,b,a\n")
    run(["bash", "-euo", "pipefail", "-c", dedent(USES[extra])], tmp_path, PATH=path)


PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if INSTALLS.search(page.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="session")
def with_extras(bare, wheel):
    """Return a function that makes one environment for some extras, and returns its PATH."""
    return cache(lambda extras: installed(f"page-{extras}", extras, bare, wheel))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_from_the_wheel_with_the_extras_that_it_installs(page, with_extras, tmp_path):
    text = page.read_text(encoding="utf-8")
    [extras] = INSTALLS.findall(text)
    if NAMED and not {*extras.split(",")} <= {*NAMED}:
        pytest.skip(f"{extras} is not named")
    path = with_extras(extras)
    code = [(language, code) for language, _, code, _ in blocks(text) if language in RUN]
    if page.stem == "gallery":
        code = [("python", one.read_text()) for one in sorted((ROOT / "docs/gallery").glob("*.py"))]
    code = [
        (language, "\n".join(line for line, _ in commands(text)) if language == "console" else text)
        for language, text in code
    ]
    (tmp_path / "page.json").write_text(json.dumps(code))
    run(["python", "-c", READER], tmp_path, PATH=path, MPLBACKEND="agg")
