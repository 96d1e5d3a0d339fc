"""Shoes: people's triplets of 85 images, and features of the images."""

import re
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pandas as pd

from closerthan.comparisons.answers import Answers
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.fetch import Place, reader

N_OBJECTS = 85


def load_zappos(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 283,770 triplets of 85 images of shoes: "i is closer to j than to k".

    People gave these answers. Contradictions were removed, but the preferences of every anchor
    still hold cycles.

    The data set has ``answers``, each on a screen of its own; ``features``, shape (85, 4096), the
    activations of a layer of a convolutional network (AlexNet), 74 % of them 0.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    A. Yu and K. Grauman, Fine-grained visual comparisons with local learning, CVPR 2014.
    E. Heim, M. Berger, L. Seversky and M. Hauskrecht, Active perceptual similarity modeling with
    auxiliary information, 2015.
    """
    read = reader("zappos", mirror, cache, offline)
    triplets, features = (
        ZipFile(BytesIO(read(f"{file}.zip"))).read(file)
        for file in ("deconflicted_triplets.csv", "cnn_feats.csv")
    )
    triplets = pd.read_csv(BytesIO(triplets), header=None).to_numpy()
    features = parse_features(features)
    return describe("zappos", N_OBJECTS, answers=Answers(triplets), features=features)


def parse_features(content, *, n_objects=N_OBJECTS):
    """Parse ``cnn_feats.csv``; returns an array of shape (n_objects, n_features).

    The file has no line breaks: the last number of a row is glued to the first of the next, as in
    0.50.0. The integer part of the latter is one digit in this file.
    """
    numbers = re.sub(r"(\.\d+)(\d\.)", r"\1,\2", content.decode()).split(",")
    return np.array(numbers, dtype=float).reshape(n_objects, -1)
