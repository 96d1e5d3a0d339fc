"""Build distributions, and check what wheels, source distributions and locks hold."""

import hashlib
import re
import subprocess
import sys
import tarfile
from itertools import chain
from pathlib import Path

from requirement_closure import locked


def build(source, kind, folder):
    """Return the path of a wheel or an sdist that is built from a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    [path] = folder.iterdir()
    return path


def check_wheel(wheel, package):
    """Check that a wheel has the modules of a package, its types, and no data set."""
    names = [name for name in wheel.namelist() if ".dist-info/" not in name]
    sources = {str(path.relative_to(package.parent)) for path in package.rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == sources
    assert f"{package.name}/py.typed" in names
    registry = "".join(wheel.read(name).decode() for name in names if name.endswith(".yaml"))
    checksums = set(re.findall(r"\b[0-9a-f]{64}\b", registry))
    assert checksums
    for name in names:
        assert hashlib.sha256(wheel.read(name)).hexdigest() not in checksums, name
        kinds = {".py", ".yaml", ".yml", ".csv", ".j2", ".css", ".js", ".md"}
        assert Path(name).suffix in kinds or Path(name).name in {"Snakefile", "py.typed"}, name
        assert wheel.getinfo(name).file_size < 50_000, name


def check_source(folder, wheel_path, tmp_path, handed_out, package):
    """Check that a source distribution is whole, has nothing else, and builds the same wheel."""
    archive = build(folder, "sdist", tmp_path / "sdist")
    with tarfile.open(archive) as file:
        file.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
        file.extractall(tmp_path / "source")
    [source] = (tmp_path / "source").iterdir()
    names = {path.name for path in source.iterdir()}
    assert names - {".gitignore"} == {"src", "PKG-INFO", "pyproject.toml", *handed_out}
    assert [path.name for path in (source / "src").iterdir()] == [package]
    again = build(source, "wheel", tmp_path / "again")
    assert (again.name, again.read_bytes()) == (wheel_path.name, wheel_path.read_bytes())


def check_lock(lock):
    """Check that every line of a lock is a pin with hashes, and that none names a place."""
    pin, marker = r"[\w.-]+==[\w.!+]+", r"( ; ((?!--|://).)+)?"
    for entry in chain(*locked(lock).values()):
        assert re.fullmatch(pin + marker + r"(\s+--hash=sha256:[0-9a-f]{64})+", entry), entry
