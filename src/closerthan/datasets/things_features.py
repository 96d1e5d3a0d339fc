"""Features of the 1,854 objects of THINGS: of a network that sees pictures, and of their names."""

from io import BytesIO

import numpy as np

from closerthan._core.validation import check_finite
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader

FILES = {
    "things_clip": "clip-vit-base-p32-embeddings.npy",
    "things_word2vec": "word2vec-embeddings.npy",
}
N_OBJECTS = 1854


@loader(*FILES)
def load_things_features(name: str, *, read) -> Dataset:
    """Load features of the objects of `load_things_ooo`, in the same order.

    Parameters
    ----------
    name : {"things_clip", "things_word2vec"}
        "things_clip" are 512 activations of the network CLIP ViT-B/32 for pictures of the object.
        "things_word2vec" are the 300 coordinates of its name.

    Returns
    -------
    Dataset
        ``features``, shape (1854, 512) or (1854, 300).

    References
    ----------
    A. Radford et al., Learning transferable visual models from natural language supervision, ICML
    2021.
    T. Mikolov et al., Distributed representations of words and phrases and their compositionality,
    NIPS 2013.
    """
    file = FILES[name]
    return describe(name, N_OBJECTS, features=parse_features(read(file), file))


def parse_features(content, file, n_objects=N_OBJECTS):
    """Return the array of a NumPy file, with a row for each object."""
    features = np.load(BytesIO(content), allow_pickle=False)
    if features.ndim != 2 or len(features) != n_objects or features.dtype.kind != "f":
        raise ValueError(
            f"{file}: shape {features.shape} of {features.dtype}; expected numbers with "
            f"{n_objects} rows"
        )
    check_finite(features, file)
    return features.astype(np.float64)
