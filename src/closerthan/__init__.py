"""Learning from relative similarity comparisons: "i is closer to j than to k"."""

from importlib import import_module as _import_module
from importlib.util import find_spec as _find_spec

# The main models and their modules. They are imported on first use (PEP 562), so that
# `import closerthan.comparisons` does not wait for scikit-learn and numba.
_MODELS = {
    "BatchKernel": "closerthan.kernels.batch",
    "OnlineKernel": "closerthan.kernels.online",
    "OrdinalEmbedding": "closerthan.ordinal.model",
    "SPoSE": "closerthan.spose.model",
}
__all__ = ["BatchKernel", "OnlineKernel", "OrdinalEmbedding", "SPoSE"]

TYPE_CHECKING = False  # type checkers and editors take it as True, without importing `typing`
if TYPE_CHECKING:
    from types import ModuleType

    from closerthan.kernels.batch import BatchKernel
    from closerthan.kernels.online import OnlineKernel
    from closerthan.ordinal.model import OrdinalEmbedding
    from closerthan.spose.model import SPoSE

    __version__: str


def __getattr__(name: str) -> "ModuleType":
    if name == "__version__":
        from importlib.metadata import version

        return version("closerthan")  # type: ignore[return-value]
    if name in _MODELS:
        return getattr(_import_module(_MODELS[name]), name)
    if name.isidentifier() and not name.startswith("_") and _find_spec(f"closerthan.{name}"):
        return _import_module(f"closerthan.{name}")
    raise AttributeError(f"module 'closerthan' has no attribute {name!r}")


def __dir__():
    from pkgutil import iter_modules

    modules = (module.name for module in iter_modules(__path__))
    return sorted([*__all__, *(name for name in modules if not name.startswith("_"))])
