"""Learning from relative similarity comparisons: "i is closer to j than to k"."""

from closerthan._core.faces import lazy_face as _lazy_face

# The main models and their modules. They are imported on first use, so that
# `import closerthan.comparisons` does not wait for scikit-learn and numba.
_MODELS = {
    "BatchKernel": "kernels.batch",
    "OnlineKernel": "kernels.online",
    "OrdinalEmbedding": "ordinal.embedding",
}
__all__ = ["BatchKernel", "OnlineKernel", "OrdinalEmbedding"]

TYPE_CHECKING = False  # type checkers and editors take it as True, without importing `typing`
if TYPE_CHECKING:
    from types import ModuleType

    from closerthan.kernels.batch import BatchKernel
    from closerthan.kernels.online import OnlineKernel
    from closerthan.ordinal.embedding import OrdinalEmbedding

    __version__: str

_find, __dir__ = _lazy_face(__name__, _MODELS)


def __getattr__(name: str) -> "ModuleType":
    if name == "__version__":
        from importlib.metadata import version

        return version("closerthan")  # type: ignore[return-value]
    return _find(name)
