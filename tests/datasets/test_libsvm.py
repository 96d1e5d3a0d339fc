"""LIBSVM's format, and the two full tables that go with it."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import floats, sampled_from
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from closerthan.datasets import load_libsvm
from closerthan.datasets.libsvm import parse_letter, parse_libsvm, parse_vowel

VALUES = floats(-1e300, 1e300, allow_subnormal=False) | sampled_from([0.0, -1.0, 1e-8])


@given(features=arrays(float, (4, 3), elements=VALUES), first=sampled_from([-3, 0, 26]))
def test_what_scikit_learn_writes_is_read_as_it_reads_it(features, first):
    stream = io.BytesIO()
    dump_svmlight_file(features, [first, 1, 2, 1], stream, zero_based=False)
    found, classes = parse_libsvm(stream.getvalue(), "a.scale", (4, 3))
    expected = load_svmlight_file(io.BytesIO(stream.getvalue()), n_features=3, zero_based=False)[
        0
    ].toarray()
    np.testing.assert_allclose(found, expected, rtol=1e-15)
    np.testing.assert_array_equal(classes, [first, 1, 2, 1])


def test_what_a_line_leaves_out_is_zero():
    found, classes = parse_libsvm(b"1 2:0.5 \n-1\n+2 1:-1e-3 3:.5\r\n", "a.scale", (3, 3))
    np.testing.assert_array_equal(found, [[0, 0.5, 0], [0, 0, 0], [-1e-3, 0, 0.5]])
    np.testing.assert_array_equal(classes, [1, -1, 2])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected a whole number as the class, found ''"),
        ("x 1:1", "expected a whole number as the class, found 'x'"),
        ("1.5 1:1", "expected a whole number as the class, found '1.5'"),
        ("1:1 2:1", "expected a whole number as the class, found '1:1'"),
        ("1 0:1", "expected indices that ascend from 1 to 3, found '0:1'"),
        ("1 4:1", "expected indices that ascend from 1 to 3, found '4:1'"),
        ("1 -1:1", "expected indices that ascend from 1 to 3, found '-1:1'"),
        ("1 2:1 1:1", "expected indices that ascend from 1 to 3, found '1:1'"),
        ("1 2:1 2:1", "expected indices that ascend from 1 to 3, found '2:1'"),
        ("1 2", "expected index:value, found '2'"),
        ("1 2:", "expected index:value, found '2:'"),
        ("1 :2", "expected index:value, found ':2'"),
        ("1 1:2:3", "expected index:value, found '1:2:3'"),
        ("1 1: 2", "expected index:value, found '1:'"),
        ("1 1:1_0", "expected index:value, found '1:1_0'"),
        ("1 a:1", "expected index:value, found 'a:1'"),
        ("1 1:nan", "expected a finite value, found '1:nan'"),
        ("1 1:-inf", "expected a finite value, found '1:-inf'"),
        ("1 1:1e999", "expected a finite value, found '1:1e999'"),
    ],
)
def test_a_malformed_line_is_named_with_its_row_and_text(line, message):
    with pytest.raises(ValueError) as error:
        parse_libsvm(f"1 1:1\n{line}\n2 3:1\n".encode(), "a.scale", (3, 3))
    assert str(error.value) == f"a.scale: row 2: {message}, in {line!r}"


@pytest.mark.parametrize("content", [b"", b"1 1:1\n", b"1 1:1\n2 1:1\n\n"])
def test_another_number_of_lines_is_refused(content):
    with pytest.raises(ValueError, match=r"a\.scale: has \d rows, expected 2"):
        parse_libsvm(content, "a.scale", (2, 3))


def test_text_of_another_encoding_is_refused():
    with pytest.raises(ValueError, match=r"a\.scale: byte 3 is 0xff, expected ASCII text"):
        parse_libsvm(b"1 \xff", "a.scale", (1, 3))


def test_letters_are_a_full_table():
    features, classes = parse_letter(b"26 -1 0.5 \n3 0 1\n", "letter.scale", (2, 2))
    np.testing.assert_array_equal(features, [[-1, 0.5], [0, 1]])
    np.testing.assert_array_equal(classes, [26, 3])
    with pytest.raises(ValueError, match=r"letter\.scale: row 2 is '3 0', expected 3 numbers"):
        parse_letter(b"26 -1 0.5\n3 0\n", "letter.scale", (2, 2))


def test_vowels_are_scaled():
    content = b"0 14 1 2.0 -1 7\n1 0 0 4.0 0 0\n0 3 1 2.5 1 10\n"
    features, classes = parse_vowel(content, "vowel-context.data", (3, 2))
    np.testing.assert_allclose(features, [[-1, -1], [1, 0], [-0.5, 1]])
    np.testing.assert_array_equal(classes, [7, 0, 10])


def test_an_unknown_set_is_refused():
    with pytest.raises(ValueError, match="unknown data set 'vowels', expected one of vehicle, v"):
        load_libsvm("vowels")
