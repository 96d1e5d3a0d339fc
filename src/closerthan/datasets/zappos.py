"""Shoes: people's triplets over 85 images, and features of the images."""

import re

import numpy as np

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.check import find_fault
from closerthan.datasets.archive import read_member
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import check_finite, decode, parse_table

N_OBJECTS = 85
N_TRIPLETS = 283_770
N_FEATURES = 4096

# The larger of the two files has 2.5 MB.
_MAX_BYTES = 4_000_000


@loader("zappos")
def load_zappos(*, read) -> Dataset:
    """Load 283,770 triplets over 85 images of shoes, "i is closer to j than to k".

    They are answers of people, from whom contradictions were removed; the preferences of every
    anchor still hold cycles.

    Returns
    -------
    Dataset
        ``answers``, each a screen of its own; ``features``, shape (85, 4096), the activations of a
        layer of a convolutional network (AlexNet), 74 % of them 0.

    References
    ----------
    A. Yu and K. Grauman, Fine-grained visual comparisons with local learning, CVPR 2014.
    E. Heim, M. Berger, L. Seversky and M. Hauskrecht, Active perceptual similarity modeling with
    auxiliary information, 2015.
    """
    triplets = parse_triplets(_unpack("deconflicted_triplets.csv.zip", read))
    features = parse_features(_unpack("cnn_feats.csv.zip", read))
    return describe("zappos", N_OBJECTS, answers=Answers(triplets), features=features)


def _unpack(file, read):
    return read_member(read(file), file, max_bytes=_MAX_BYTES)


def parse_triplets(content, *, n_triplets=N_TRIPLETS, n_objects=N_OBJECTS):
    """Parse ``deconflicted_triplets.csv``: ids from 0, shape (n_triplets, 3)."""
    file = "deconflicted_triplets.csv"
    triplets = parse_table(content, file, (n_triplets, 3), delimiter=",")
    fault = find_fault(triplets, n_objects)
    if fault:
        row, message = fault
        raise ValueError(f"{file}: row {row + 1}: {message}")
    return triplets.astype(np.int64)


def parse_features(content, *, n_objects=N_OBJECTS, n_features=N_FEATURES):
    """Parse ``cnn_feats.csv``; returns an array of shape (n_objects, n_features).

    The file has no line breaks: the last number of a row is glued to the first of the next, as in
    0.50.0. The integer part of the latter is one digit in this file.
    """
    file = "cnn_feats.csv"
    numbers = re.sub(r"(\.\d+)(\d\.)", r"\1,\2", decode(content, file)).split(",")
    if len(numbers) != n_objects * n_features:
        raise ValueError(f"{file}: has {len(numbers)} numbers, expected {n_objects} x {n_features}")
    try:
        features = np.array(numbers, dtype=float).reshape(n_objects, n_features)
    except ValueError:
        place, wrong = next((p, n) for p, n in enumerate(numbers) if not _is_number(n))
        row, column = divmod(place, n_features)
        raise ValueError(
            f"{file}: row {row + 1}, column {column + 1} is {wrong!r}, expected a number"
        ) from None
    check_finite(features, file)
    return features


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
