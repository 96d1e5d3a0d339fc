"""Words: people's ratings of their similarity, and their GloVe vectors."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.fetch import Place, reader

MEN = "MEN_dataset_natural_form_full"
SIMLEX = "SimLex-999.txt"
VECTORS = "glove6B_300d_men_simlex.npz"


def load_words(
    *,
    vectors: StrPath | None = None,
    mirror: Place = None,
    cache: Place = None,
    offline: bool = False,
) -> Dataset:
    """Load the word pairs of MEN and SimLex-999, with people's scores and GloVe vectors.

    The registered vectors are rows of ``glove.6B.300d`` (300 dimensions, from Wikipedia and
    Gigaword) for about two thirds of the words. A full GloVe text file has nearly all words. Words
    without a vector are left out, and so are pairs with such a word.

    The data set has ``object_names``, the words in alphabetical order; ``features``, shape (n, d),
    their vectors; ``ratings``, ``"men"`` and ``"simlex"``, of shape (m, 3): rows with the numbers
    of two words and the pair's score. A larger score means more similar: 0 to 50 in MEN
    (relatedness), 0 to 10 in SimLex-999 (similarity). In ``info``, ``coverage`` counts for each the
    words and pairs that are left (``n_words``, ``n_pairs``) and all that exist (``n_words_all``,
    ``n_pairs_all``); ``vectors`` is the name of the file.

    Parameters
    ----------
    vectors : str or path, optional
        A GloVe text file, such as ``glove.6B.300d.txt``. None uses the registered vectors. A
        missing file raises a FileNotFoundError.
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    Bruni, Tran and Baroni, Multimodal distributional semantics, JAIR 2014.
    Hill, Reichart and Korhonen, SimLex-999, Computational Linguistics, 2015.
    Pennington, Socher and Manning, GloVe, EMNLP 2014.
    """
    read = reader("words", mirror, cache, offline)
    men = parse_pairs(read(MEN), "score")
    simlex = parse_pairs(read(SIMLEX), "SimLex999")
    if vectors is None:
        file, known = VECTORS, parse_vectors(read(VECTORS))
    else:
        file = Path(vectors).name
        known = read_glove(vectors, _words_of(men + simlex))
    return _join(men, simlex, known, file)


def _words_of(pairs):
    return {word for pair in pairs for word in pair[:2]}


def parse_pairs(content, score):
    """Return the word pairs of a table with their scores, as a list of (str, str, float)."""
    table = pd.read_csv(BytesIO(content), sep=r"\s+", dtype=str, keep_default_na=False)
    columns = table["word1"], table["word2"], table[score].astype(float)
    return list(zip(*columns, strict=True))


def parse_vectors(content):
    """Return the vectors by word of an ``.npz`` of ``words`` and ``vectors``."""
    with np.load(BytesIO(content), allow_pickle=False) as stored:
        vectors = stored["vectors"].astype(np.float32)
        return dict(zip(stored["words"].tolist(), vectors, strict=True))


def read_glove(path, words):
    """Return float32 vectors of some words from a GloVe text file; a word's first line counts.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "glove.txt"
    ...     _ = path.write_text("the 0.5 1\\ncat -1 2\\n")
    ...     read_glove(path, {"cat", "dog"})
    {'cat': array([-1.,  2.], dtype=float32)}
    """
    wanted = {word.encode(): word for word in words}
    found = {}
    with open(path, "rb") as stream:
        n_components = len(stream.readline().split()) - 1
        if n_components < 2:
            raise ValueError(f"{path}: row 1 has {n_components} numbers, expected at least 2")
        stream.seek(0)
        for row, line in enumerate(stream, start=1):
            first, _, rest = line.rstrip().partition(b" ")
            if first not in wanted:
                continue
            numbers = rest.split()
            if len(numbers) > n_components and np.isnan(_to_number(numbers[0])):
                continue  # a word of several parts, of which only the first is ours
            vector = np.array([_to_number(number) for number in numbers], dtype=np.float32)
            if len(vector) != n_components or not np.isfinite(vector).all():
                raise ValueError(
                    f"{path}: row {row} is {line.decode(errors='replace')[:60].rstrip()!r}, "
                    f"expected a word and {n_components} finite numbers"
                )
            found.setdefault(wanted[first], vector)
    return found


def _to_number(text):
    try:
        return float(text)
    except ValueError:
        return np.nan


def _join(men, simlex, known, file):
    """Join word pairs and word vectors; `file` is the source of the vectors. See `load_words`."""
    words = sorted(_words_of(men + simlex) & known.keys())
    if not words:
        raise ValueError(f"{file}: holds no vector of any word of MEN or SimLex-999")
    number = {word: n for n, word in enumerate(words)}
    ratings, coverage, dropped = {}, {}, []
    for key, pairs in (("men", men), ("simlex", simlex)):
        covered = [(number[i], number[j], s) for i, j, s in pairs if i in number and j in number]
        ratings[key] = np.array(covered, dtype=float).reshape(-1, 3)
        coverage[key] = {
            "n_words": len(_words_of(pairs) & known.keys()),
            "n_words_all": len(_words_of(pairs)),
            "n_pairs": len(covered),
            "n_pairs_all": len(pairs),
        }
        if n := len(pairs) - len(covered):
            dropped.append(f"{n} of {len(pairs)} pairs of {key} with a word that has no vector")
    data = describe(
        "words",
        len(words),
        dropped=dropped,
        object_names=np.array(words),
        features=np.array([known[word] for word in words], dtype=float),
        ratings=ratings,
    )
    data.info.update(coverage=coverage, vectors=file)
    return data
