"""Make environments with the wheels of `make build` and nothing else, and do there what users do.

pip installs the pins of requirements.lock by hash, so its index must be reachable. The dependencies
of closerthan are installed once, and all environments see them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from fenced import blocks, commands
from requirement_closure import closure, locked

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / ".cache" / "install"
# An unreachable index is reported within a minute.
IMPATIENT = {"PIP_RETRIES": "1", "PIP_DEFAULT_TIMEOUT": "20", "UV_HTTP_TIMEOUT": "20"}
INSTALLS = re.compile(r"pip install ((?:'?\.(?:\[.+\])?'?|\./\w+)(?: \./\w+)*)(?=\s|`|;|$)")
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
def wheels():
    """Return the wheels by the name of their distribution."""
    paths = (ROOT / "dist").glob("*.whl")
    return {canonicalize_name(path.name.partition("-")[0]): path for path in paths}


@pytest.fixture(scope="session")
def bare():
    """Make an environment with the dependencies of closerthan without extras, and keep it."""
    env, needs = HERE / "bare", pins(closure(["closerthan"]) - {"closerthan"})
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
    return "\n".join(line for name in sorted(names) for line in entries[name])


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


def installed(name, requirements, bare, wheels):
    """Make an environment with some of the wheels and what they need, and return its PATH."""
    env = HERE / name
    make(env, "--without-pip")
    [packages] = bare.glob("lib/python*/site-packages")
    [own] = env.glob("lib/python*/site-packages")
    (own / "bare.pth").write_text(f"{packages}\n")
    needed = closure(requirements)
    more = needed - closure(["closerthan"]) - wheels.keys()
    if more:
        install(env, bare, pins(more))
    pip(env, bare, *(str(path) for one, path in sorted(wheels.items()) if one in needed))
    return f"{env / 'bin'}{os.pathsep}{os.environ['PATH']}"


def installs(page):
    """Return what a page installs from a clone, as requirements; nothing if it installs nothing."""
    found = INSTALLS.findall(page.read_text(encoding="utf-8"))
    return [_requirement(word.strip("'")) for word in found[0].split()] if found else []


def _requirement(place):
    """Return the requirement of a folder of the clone: ".[data]" is closerthan[data]."""
    folder, bracket, extras = place.partition("[")
    content = (ROOT / folder / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(content)["project"]["name"] + bracket + extras


def read_page(page, path, folder):
    """Run the code of a page, or of a gallery, in a folder, as a reader does."""
    text = page.read_text(encoding="utf-8")
    code = [(language, code) for language, _, code, _ in blocks(text) if language in RUN]
    if page.stem == "gallery":
        scripts = sorted((page.parent / "gallery").glob("*.py"))
        code = [("python", script.read_text()) for script in scripts]
    code = [
        (language, "\n".join(line for line, _ in commands(text)) if language == "console" else text)
        for language, text in code
    ]
    (folder / "page.json").write_text(json.dumps(code))
    run(["python", "-c", READER], folder, PATH=path, MPLBACKEND="agg")
