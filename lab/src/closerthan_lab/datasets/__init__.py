"""People's answers, and simulated ones: data sets that no paper of the study names.

`list_datasets` and `load` also know the data sets of `closerthan.datasets`.
"""

from closerthan._core.faces import lazy_face as _lazy_face
from closerthan_lab.datasets.registered import list_datasets as list_datasets
from closerthan_lab.datasets.registered import load as load
from closerthan_lab.datasets.registered import registry as registry

_LOADERS = {
    "load_animals37": "animals37",
    "load_cars60": "cars60",
    "load_cfd36": "cfd36",
    "load_food100": "food100",
    "load_melody": "melody",
    "load_mlds": "mlds",
    "load_perceptual_kernels": "perceptual_kernels",
    "load_things_features": "things_features",
    "load_things_ooo": "things_ooo",
    "load_things_repeated": "things_ooo",
    "load_vispa": "vispa",
    "load_voices": "voices",
    "make_answers": "simulated",
    "make_dimensions": "simulated_dimensions",
}
__all__ = ["list_datasets", "load", "registry"]
__all__ += _LOADERS

__getattr__, __dir__ = _lazy_face(__name__, _LOADERS)
