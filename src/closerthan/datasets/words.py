"""Words: how similar people find them, and the vectors that GloVe gives them."""

import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np

from closerthan._core.typing import StrPath
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import check_finite, decode

MEN = "MEN_dataset_natural_form_full"
SIMLEX = "SimLex-999.txt"
VECTORS = "glove6B_300d_men_simlex.npz"


@loader("words")
def load_words(*, vectors: StrPath | None = None, read) -> Dataset:
    """Load the pairs of words of MEN and SimLex-999, with people's scores and GloVe vectors.

    The registered vectors are rows of ``glove.6B.300d`` (300 dimensions, from Wikipedia and
    Gigaword) for about two thirds of the words; a GloVe text file has nearly all. Words without a
    vector, and pairs with such a word, are left out.

    Parameters
    ----------
    vectors : str or path, default=None
        A GloVe text file, such as ``glove.6B.300d.txt``; where None, the registered vectors. A
        FileNotFoundError says that there is none.

    Returns
    -------
    Dataset
        ``object_names``, the words in alphabetical order; ``features``, shape (n, d), their
        vectors; ``ratings``, ``"men"`` and ``"simlex"``, each of shape (m, 3), rows of two words'
        numbers and the pair's score, 0 to 50 in MEN (relatedness) and 0 to 10 in SimLex-999
        (similarity); the larger, the more alike. In ``info``, ``coverage`` has for either the words
        and the pairs that are left (``n_words``, ``n_pairs``) and all that there are
        (``n_words_all``, ``n_pairs_all``), and ``vectors`` the name of the file.

    References
    ----------
    Bruni, Tran and Baroni, Multimodal distributional semantics, JAIR 2014.
    Hill, Reichart and Korhonen, SimLex-999, Computational Linguistics, 2015.
    Pennington, Socher and Manning, GloVe, EMNLP 2014.
    """
    men = parse_pairs(read(MEN), MEN, "score", 50, n_pairs=3000)
    simlex = parse_pairs(read(SIMLEX), SIMLEX, "SimLex999", 10, n_pairs=999)
    if vectors is None:
        file, known = VECTORS, parse_vectors(read(VECTORS))
    else:
        file = Path(vectors).name
        known = read_glove(vectors, _words_of(men + simlex))
    return build(men, simlex, known, file)


def _words_of(pairs):
    return {word for pair in pairs for word in pair[:2]}


def parse_pairs(content, file, score, highest, *, n_pairs):
    """Parse a table of pairs of words with scores.

    Parameters
    ----------
    content : bytes
        A line of the columns' names, ``word1`` and ``word2`` the first, and a line for each pair.
    file : str
        Its name, for errors.
    score : str
        The column with the score.
    highest : float
        The score of the most similar words; the lowest is 0.
    n_pairs : int

    Returns
    -------
    list of (str, str, float)
    """
    header, *lines = decode(content, file).splitlines() or [""]
    names = header.split()
    if names[:2] != ["word1", "word2"] or score not in names:
        raise ValueError(f"{file}: row 1 is {header!r}, expected word1, word2, ..., {score}, ...")
    if len(lines) != n_pairs:
        raise ValueError(f"{file}: has {len(lines)} pairs, expected {n_pairs}")
    pairs = []
    for row, line in enumerate(lines, start=2):
        fields = line.split()
        value = _to_number(fields[names.index(score)]) if len(fields) == len(names) else np.nan
        if not 0 <= value <= highest:
            raise ValueError(
                f"{file}: row {row} is {line!r}, "
                f"expected {len(names)} columns and a score from 0 to {highest}"
            )
        pairs.append((fields[0], fields[1], value))
    return pairs


def _to_number(text):
    try:
        return float(text)
    except ValueError:
        return np.nan


def parse_vectors(content, file=VECTORS):
    """Parse an ``.npz`` of ``words`` and ``vectors``; returns a dict from word to vector."""
    try:
        with np.load(BytesIO(content), allow_pickle=False) as stored:
            words, vectors = stored["words"], stored["vectors"]
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file}: expected an .npz of words and vectors ({error})") from error
    if words.ndim != 1 or words.dtype.kind != "U" or len(np.unique(words)) != len(words):
        raise ValueError(
            f"{file}: words is {words.dtype} of shape {words.shape}, expected different words"
        )
    if vectors.ndim != 2 or len(vectors) != len(words):
        raise ValueError(
            f"{file}: vectors has shape {vectors.shape}, expected {len(words)} rows of numbers"
        )
    check_finite(vectors, f"{file}: vectors")
    return dict(zip(words.tolist(), vectors.astype(np.float32), strict=True))


def read_glove(path, words):
    """Read the vectors of some words from a GloVe text file, which is never held in memory.

    Parameters
    ----------
    path : str or path
        Lines of a word and its numbers, separated by blanks, all of one length.
    words : collection of str

    Returns
    -------
    dict of str to ndarray of float32, shape (d,)
        The words found; of a word that the file has twice, the first.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the line of one of the words does not hold as many finite numbers as the first line.

    Examples
    --------
    >>> from pathlib import Path
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
                    f"{path}: row {row} is {_shorten(line)}, "
                    f"expected a word and {n_components} finite numbers"
                )
            found.setdefault(wanted[first], vector)
    return found


def _shorten(line, length=60):
    text = repr(line.decode(errors="replace").rstrip())
    return text if len(text) <= length else f"{text[:length]}..."


def build(men, simlex, known, file):
    """Join pairs and vectors; see `load_words`.

    Parameters
    ----------
    men, simlex : list of (str, str, float)
    known : dict of str to ndarray
        The vectors of words; of other words too, which are left out.
    file : str
        Where the vectors come from.

    Returns
    -------
    Dataset
    """
    tables = {"men": men, "simlex": simlex}
    all_words = {
        key: {word for pair in pairs for word in pair[:2]} for key, pairs in tables.items()
    }
    words = sorted(word for word in set().union(*all_words.values()) if word in known)
    if not words:
        raise ValueError(f"{file}: has a vector of no word of MEN or SimLex-999")
    number = {word: n for n, word in enumerate(words)}
    ratings, coverage, dropped = {}, {}, []
    for key, pairs in tables.items():
        covered = [(number[i], number[j], s) for i, j, s in pairs if i in number and j in number]
        ratings[key] = np.array(covered, dtype=float).reshape(-1, 3)
        coverage[key] = {
            "n_words": len(_words_of(pairs) & known.keys()),
            "n_words_all": len(_words_of(pairs)),
            "n_pairs": len(covered),
            "n_pairs_all": len(pairs),
        }
        if len(covered) < len(pairs):
            n = len(pairs) - len(covered)
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
