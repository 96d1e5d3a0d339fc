"""What else is known of the 1,854 objects of THINGS: features, and published dimensions."""

from io import BytesIO

import numpy as np

from closerthan._core.validation import check_word
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader
from closerthan_lab.datasets.things_ooo import N_OBJECTS

FILES = {
    "things_clip": "clip-vit-base-p32-embeddings.npy",
    "things_word2vec": "word2vec-embeddings.npy",
    "things_spose": "spose49-embeddings.npy",
    "things_vice": "vice_final_embedding.npy",
}


def load_things_features(
    name: str, *, mirror: Place = None, cache: Place = None, offline: bool = False
) -> Dataset:
    """Load features or dimensions of the objects of `load_things_ooo`, in the same order.

    The data set has ``features``, of shape (1854, 512), (1854, 300), (1854, 49) or (1854, 42).

    Parameters
    ----------
    name : {"things_clip", "things_word2vec", "things_spose", "things_vice"}
        "things_clip" are 512 activations of the network CLIP ViT-B/32 for pictures of the object.
        "things_word2vec" are the 300 coordinates of its name. "things_spose" are the 49 dimensions
        that Hebart et al. published, learned from 1.46 million odd ones out, and "things_vice" the
        42 of Muttenthaler et al. Both may have seen some of the answers of `load_things_ooo`.
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    A. Radford et al., Learning transferable visual models from natural language supervision, ICML
    2021.
    T. Mikolov et al., Distributed representations of words and phrases and their compositionality,
    NIPS 2013.
    M. N. Hebart et al., Revealing the multidimensional mental representations of natural objects
    underlying human similarity judgements, Nature Human Behaviour, 2020.
    L. Muttenthaler et al., VICE: variational interpretable concept embeddings, NeurIPS 2022.
    """
    check_word("name", name, FILES)
    read = reader(name, mirror, cache, offline)
    features = np.load(BytesIO(read(FILES[name])), allow_pickle=False)
    return describe(name, N_OBJECTS, features=features.astype(np.float64))
