"""LIBSVM's format, and the two full tables that go with it."""

import numpy as np

from closerthan.datasets.libsvm import parse_letter, parse_libsvm, parse_vowel


def test_what_a_line_leaves_out_is_zero():
    found, classes = parse_libsvm(b"1 2:0.5 \n-1\n+2 1:-1e-3 3:.5\r\n")
    np.testing.assert_array_equal(found, [[0, 0.5, 0], [0, 0, 0], [-1e-3, 0, 0.5]])
    np.testing.assert_array_equal(classes, [1, -1, 2])


def test_letters_are_a_full_table():
    features, classes = parse_letter(b"26 -1 0.5 \n3 0 1\n")
    np.testing.assert_array_equal(features, [[-1, 0.5], [0, 1]])
    np.testing.assert_array_equal(classes, [26, 3])


def test_vowels_are_scaled():
    content = b"0 14 1 2.0 -1 7\n1 0 0 4.0 0 0\n0 3 1 2.5 1 10\n"
    features, classes = parse_vowel(content)
    np.testing.assert_allclose(features, [[-1, -1], [1, 0], [-0.5, 1]])
    np.testing.assert_array_equal(classes, [7, 0, 10])
