"""From people's own answers to a map that can be trusted: files, commands, pages, uncertainty."""

from closerthan._core.faces import lazy_face as _lazy_face

_MODELS = {
    "DimensionSearch": "dimension",
    "PeopleEmbedding": "people.people_embedding",
    "SPoSE": "spose.spose",
}
__all__ = ["DimensionSearch", "PeopleEmbedding", "SPoSE"]

TYPE_CHECKING = False  # type checkers and editors take it as True, without importing `typing`
if TYPE_CHECKING:
    from closerthan_lab.dimension import DimensionSearch
    from closerthan_lab.people.people_embedding import PeopleEmbedding
    from closerthan_lab.spose.spose import SPoSE

__getattr__, __dir__ = _lazy_face(__name__, _MODELS)
