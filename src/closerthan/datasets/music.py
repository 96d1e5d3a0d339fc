"""The music artist data: people's triplets of artists, with names and genres."""

import html
from io import BytesIO

import numpy as np

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.check import hold_twice
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.fetch import Place, reader
from closerthan.datasets.matlab import read_variable
from closerthan.datasets.registry import import_extra

# The names belong to a larger survey: one artist of the list is not in the release.
# Without this artist, line k names the artist with id k.
_NOT_RELEASED = "a_new_found_glory"

# Genres of tags: an artist's genre is the first of these that any of the artist's tags belongs to,
# or else "other". The lists come from the tags and genres of all 412 artists: a tag belongs to the
# first genre that no artist with the tag contradicts. (The source has soul as dance, and post-punk
# as metal.)
GENRES = {
    "rock": (
        "alternative rock, art rock, blues rock, blues-rock, experimental rock, folk rock, "
        "funk rock, grunge, hard rock, heartland rock, indie rock, post-grunge, power pop, "
        "progressive rock, psychedelic rock, punk rock, rap rock, rock, rock and roll, "
        "roots rock, ska punk, soft rock, southern rock"
    ),
    "metal": (
        "alternative metal, funk metal, heavy metal, industrial metal, nu metal, pop punk, "
        "post-punk"
    ),
    "pop": "blue-eyed soul, dance-pop, disco, funk, new jack swing, pop, pop rock, synthpop",
    "dance": (
        "alternative dance, blues, dance, electronica, eurodance, gospel, house, new wave, soul"
    ),
    "hiphop": "alternative hip hop, hip hop, latin pop, r&b, trip hop",
    "jazz": "adult contemporary, jazz",
    "country": "country, country rock, folk",
    "reggae": "reggae",
}
CLASS_NAMES = (*GENRES, "other")
_RANKS = {tag: rank for rank, tags in enumerate(GENRES.values()) for tag in tags.split(", ")}


def load_music(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 9,090 triplets of 400 artists: "i is more similar to j than to k".

    The source has 9,107 triplets; 17 of them name an artist twice and are dropped. It has 412
    artists; the 400 that occur in a triplet are the objects, numbered from 0 in the source's order.

    The data set has ``answers``, each on a screen of its own; ``labels``, shape (400,), the genre
    as an index into ``class_names``; ``object_names``, the artists.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    D. P. W. Ellis et al., The quest for ground truth in musical artist similarity, ISMIR 2002.
    L. van der Maaten and K. Weinberger, Stochastic triplet embedding, MLSP 2012.
    """
    read = reader("music", mirror, cache, offline)
    triplets = parse_triplets(read("music_triplets.mat"))
    degenerate = hold_twice(triplets)
    dropped = f"{degenerate.sum()} of {len(triplets)} triplets that name an artist twice"
    triplets = triplets[~degenerate]
    genres = find_genres(*parse_labels(read("music_labels.mat")))
    names = parse_names(read("musician_names.txt"))
    ids, renumbered = np.unique(triplets, return_inverse=True)
    return describe(
        "music",
        len(ids),
        dropped=[dropped, f"{len(names) - len(ids)} of {len(names)} artists that no triplet names"],
        answers=Answers(renumbered.reshape(triplets.shape)),
        labels=genres[ids],
        object_names=np.array([names[artist] for artist in ids]),
        class_names=np.array(CLASS_NAMES),
    )


def parse_triplets(content):
    """Parse ``music_triplets.mat``: ids from 0, shape (n, 3), with degenerate rows."""
    return read_variable(content, "triplets").astype(np.int64) - 1


def parse_labels(content):
    """Parse ``music_labels.mat`` (HDF5): a boolean matrix (n_artists, n_tags), and the tags."""
    with import_extra("h5py").File(BytesIO(content), "r") as stored:
        matrix = stored["label_matrix"][()].T  # MATLAB stores columns first
        cells = [stored[reference][()] for reference in stored["lablist"][()].ravel()]
    tags = [html.unescape("".join(chr(code) for code in cell.ravel())) for cell in cells]
    return matrix.astype(bool), tags


def parse_names(content):
    """Parse ``musician_names.txt``, lines of a name and a number; returns the artists' names."""
    names = [line.split()[0] for line in content.decode().splitlines()]
    names.remove(_NOT_RELEASED)
    return names


def find_genres(matrix, tags):
    """Return the genre of each artist, an index into `CLASS_NAMES`, by the artist's tags."""
    ranks = [_RANKS[tag] for tag in tags]
    return np.where(matrix, ranks, len(CLASS_NAMES) - 1).min(axis=1)
