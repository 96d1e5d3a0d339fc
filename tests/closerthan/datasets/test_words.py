"""Pairs of words, and their vectors from an .npz or a GloVe text file."""

import io
import shutil
from pathlib import Path

import numpy as np
import pytest

from closerthan.datasets import DataUnavailable, load_words, words
from closerthan.datasets.words import _join, parse_pairs, parse_vectors, read_glove

MEN = [("sun", "moon", 40.0), ("sun", "café", 5.0), ("cat", "moon", 1.0)]
SIMLEX = [("cat", "dog", 8.0), ("dog", "sun", 0.0)]
VECTORS = {
    "sun": [0.125, -2.0],
    "moon": [1e-7, 3.0],
    "cat": [0.1, 0.2],
    "café": [7.0, 0.0],
    "tree": [5.0, 5.0],
}


@pytest.fixture
def glove(tmp_path):
    """Write lines as a GloVe text file."""

    def write(*lines):
        path = tmp_path / "glove.txt"
        path.write_bytes(b"".join(line.encode() + b"\n" for line in lines))
        return path

    return write


def lines_of(vectors):
    return [f"{word} {' '.join(map(str, vector))}" for word, vector in vectors.items()]


# Pairs


def test_the_score_is_found_by_its_name():
    content = b"word1\tword2\tPOS\tSimLex999\tSD\r\nold\tnew\tA\t1.58\t0.4\r\n"
    assert parse_pairs(content, "SimLex999") == [("old", "new", 1.58)]


# Vectors


def test_both_forms_hold_the_same_vectors(glove):
    stream = io.BytesIO()
    np.savez(stream, words=list(VECTORS), vectors=np.float32(list(VECTORS.values())))
    from_npz = parse_vectors(stream.getvalue())
    from_text = read_glove(glove(*lines_of(VECTORS)), VECTORS)
    assert list(from_npz) == list(from_text) == list(VECTORS)
    for word, vector in VECTORS.items():
        expected = np.array(vector, dtype=np.float32)
        assert from_npz[word].dtype == from_text[word].dtype == np.float32
        np.testing.assert_array_equal(from_npz[word], expected)
        np.testing.assert_array_equal(from_text[word], expected)


def test_only_the_wanted_words_are_read(glove):
    path = glove("the 1 2", "rubbish x", "sun 3 4", "sunny 5 6", "sun 7 8", "Sun 9 9")
    found = read_glove(path, {"sun", "moon"})
    assert list(found) == ["sun"] and found["sun"].tolist() == [3, 4]


def test_a_word_of_several_parts_is_another_word(glove):
    path = glove("the 1 2", "sun a@b.com 3 4", "sun 5 6")
    assert read_glove(path, {"sun"})["sun"].tolist() == [5, 6]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("sun 1", "'sun 1'"),
        ("sun 1 2 3", "'sun 1 2 3'"),
        ("sun 1 x", "'sun 1 x'"),
        ("sun 1 nan", "'sun 1 nan'"),
        ("sun " + "1 " * 500, "'sun 1 1 1 .*1'"),
    ],
)
def test_a_wrong_row_of_a_glove_file_is_named(glove, line, shown):
    path = glove("the 1 2", line)
    expected = rf"glove\.txt: row 2 is {shown}, expected a word and 2 finite numbers"
    with pytest.raises(ValueError, match=expected) as error:
        read_glove(path, {"sun"})
    assert len(str(error.value)) < len(str(path)) + 150


@pytest.mark.parametrize("first", ["", "400000 300", "the"])
def test_a_file_of_another_form_is_refused(glove, first):
    with pytest.raises(ValueError, match=r"glove\.txt: row 1 has -?\d numbers, expected at"):
        read_glove(glove(first, "sun 1 2"), {"sun"})


# Both together


def test_pairs_with_a_word_without_vector_are_left_out():
    data = _join(MEN, SIMLEX, VECTORS, "some.txt")
    assert data.object_names.tolist() == ["café", "cat", "moon", "sun"]
    np.testing.assert_array_equal(data.features, [VECTORS[word] for word in data.object_names])
    men, simlex = data.ratings["men"], data.ratings["simlex"]
    named = [(*data.object_names[[int(i), int(j)]].tolist(), score) for i, j, score in men]
    assert named == MEN
    assert simlex.shape == (0, 3) and len(data.ratings) == 2
    assert data.info["coverage"] == {
        "men": {"n_words": 4, "n_words_all": 4, "n_pairs": 3, "n_pairs_all": 3},
        "simlex": {"n_words": 2, "n_words_all": 3, "n_pairs": 0, "n_pairs_all": 2},
    }
    assert data.info["dropped"] == ["2 of 2 pairs of simlex with a word that has no vector"]
    assert data.info["vectors"] == "some.txt" and data.info["n_objects"] == 4


def test_vectors_of_other_words_only_are_refused():
    with pytest.raises(ValueError, match=r"some\.txt: holds no vector of any word of MEN"):
        _join(MEN, SIMLEX, {"tree": [1, 2]}, "some.txt")


def test_without_the_registered_vectors_the_error_names_the_option(mirror, tmp_path):
    (tmp_path / "words").mkdir()
    for file in (words.MEN, words.SIMLEX):
        shutil.copy(Path(mirror) / "words" / file, tmp_path / "words")
    with pytest.raises(DataUnavailable) as error:
        load_words(mirror=tmp_path, cache=tmp_path / "cache", offline=True)
    assert "words/glove6B_300d_men_simlex.npz is not to be had" in str(error.value)
    assert "give `vectors`, the path of a GloVe text file" in str(error.value)
