"""Compile functions with numba, and use the machine code again while its sources stay the same.

Machine code contains the compiled functions that it calls, also those of other files. numba's own
cache looks only at the file of the caller. An edit of another file, or a switch of branch, would
leave old code in use. Here the name of a cached file has a digest of all sources that the code can
contain. These are the function's module and the modules that it imports, directly or not, from its
package and from closerthan. The digest is of contents, because times and sizes can repeat. It takes
two milliseconds for all modules.
"""

import hashlib
import inspect
import os
import re
import sys
from functools import cache, partial
from importlib.util import resolve_name
from pathlib import Path

from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache
from numba.core.ccallback import CFunc

_IMPORT = re.compile(r"^(?:from +([\w.]+) +import +(\([^)]*\)|.*)|import +(.*))", re.MULTILINE)
_sources: dict[str, tuple] = {}  # by module: when and what was read, as Python has loaded it


def compiled(function=None, **options):
    """Return the function as numba compiles it: divisions by zero as in numpy, without the GIL."""
    if function is None:
        return partial(compiled, **options)
    found = njit(error_model="numpy", nogil=True, **options)(function)
    found._cache = _cache_of(function)
    return found


def compiled_callback(signature, function):
    """Return the function compiled for one signature; other code calls it by its `address`."""
    arguments = signature.args, signature.return_type
    found = CFunc(function, arguments, locals={}, options={"error_model": "numpy"})
    found._cache = _cache_of(function)
    found.compile()
    return found


def _cache_of(function):
    """Return the cache of a function, or one that keeps nothing."""
    try:
        return _Cache(function)
    except RuntimeError:  # no folder can be written
        return _Unkept()
    except (OSError, TypeError, KeyError):  # the function has no file, as in a notebook
        return NullCache()


class _Files(CompileResultCacheImpl):
    """The names of a function's cached files."""

    def __init__(self, function):
        _read(function.__module__, again=True)
        self.digest = _digest(function.__module__)
        super().__init__(function)

    def get_filename_base(self, fullname, abiflags):
        """Return how these names begin."""
        return f"{super().get_filename_base(fullname, abiflags)}-{self.digest}"


class _Cache(FunctionCache):
    """A cache on disk. Several processes may add to it at once."""

    _impl_class = _Files

    def save_overload(self, sig, data):
        """Keep machine code, and remove that of older sources."""
        from closerthan._core.writing import locked  # here: no compiled code contains it

        self._impl.locator.ensure_cache_path()
        with locked(self.cache_path):  # or one process could leave another's code under its name
            super().save_overload(sig, data)
            name = self._impl.filename_base.partition("-")[0]
            for path in Path(self.cache_path).glob(f"{name}-*.nb[ic]"):
                if f"-{self._impl.digest}." not in path.name:
                    path.unlink(missing_ok=True)


class _Unkept(NullCache):
    """No cache, because no folder can be written."""

    def save_overload(self, sig, data):
        """Say once that each process compiles anew."""
        _say_unkept()


@cache
def _say_unkept():
    from closerthan._core.warn import warn  # here: no compiled code contains it

    warn(
        "closerthan found no folder for its compiled code, so each process compiles anew; "
        "set NUMBA_CACHE_DIR to a folder that can be written"
    )


def _digest(module):
    """Return a digest of the sources of a module and of all that it imports of these packages."""
    packages, found, todo = {module.partition(".")[0], "closerthan"}, {}, [module]
    while todo:
        name = todo.pop()
        if name not in found and name.partition(".")[0] in packages and name in sys.modules:
            _, found[name], imported = _sources.get(name) or _read(name)
            todo += imported
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()[:16]


def _read(name, again=False):
    """Read the source of a module, and what it imports at its top level.

    A module reads its own file when a function of it is compiled. Others use what was read then,
    as they have the functions that Python loaded then.
    """
    file = inspect.getfile(sys.modules[name])
    status = os.stat(file)
    stamp = status.st_mtime_ns, status.st_size
    if name not in _sources or (again and _sources[name][0] != stamp):
        content = Path(file).read_bytes()
        found = _imports(content.decode(errors="replace"), sys.modules[name].__package__)
        _sources[name] = stamp, hashlib.sha256(content).hexdigest(), found
    return _sources[name]


def _imports(text, package):
    """Return the modules that a source may import at its top level."""
    found = []
    for place, names, modules in _IMPORT.findall(text):
        if place:
            place = resolve_name(place, package)
            found += [place, *(f"{place}.{name}" for name in re.findall(r"\w+", names))]
        found += re.findall(r"[\w.]+", modules)
    return found
