"""Tables as text: what is read, and the row and value of what is refused."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import integers, lists, sampled_from, text

from closerthan.datasets.tables import parse_columns, parse_integers, to_integers


@given(
    table=arrays(np.int64, (7, 3), elements=integers(0, 999_999_999)),
    delimiter=sampled_from([" ", ",", "\t"]),
    line_break=sampled_from(["\n", "\r\n"]),
)
def test_whole_numbers_are_read_back(table, delimiter, line_break):
    stream = io.BytesIO()
    np.savetxt(stream, table, "%d", delimiter, newline=line_break)
    found = parse_integers(stream.getvalue(), "a.txt", 3, delimiter=delimiter)
    np.testing.assert_array_equal(found, table)
    unended = stream.getvalue().rstrip()
    np.testing.assert_array_equal(parse_integers(unended, "a.txt", 3, delimiter=delimiter), table)


@pytest.mark.parametrize(
    "line",
    ["1 2", "1 2 3 4", "1 2 x", "1 -2 3", "1 2.0 3", "1  2 3", "1 2 3 ", " 1 2 3", "", "1,2,3",
     "1 2 1234567890", "1 2 nan", "1 2 \N{SUPERSCRIPT TWO}"],
)  # fmt: skip
def test_another_line_than_of_whole_numbers_is_named(line):
    content = f"1 2 3\n4 5 6\n{line}\n7 8 9\n"
    if not content.isascii():
        message = "a.txt: byte 17 is 0xc2, expected ASCII text"
    else:
        message = f"a.txt: row 3 is {line!r}, expected 3 whole numbers"
    with pytest.raises(ValueError, match=rf"^{re.escape(message)}$"):
        parse_integers(content.encode(), "a.txt", 3)


def test_of_a_long_line_the_beginning_is_shown():
    with pytest.raises(ValueError, match=r"row 1 is '(1 ){30}'\.\.\., expected 99 whole numbers"):
        parse_integers(b"1 " * 100, "a.txt", 99)


@given(
    rows=lists(lists(text('abc,"\n\r \xb4'), min_size=2, max_size=2), min_size=1, max_size=5),
    encoding=sampled_from(["utf-8", "latin-1"]),
)
def test_columns_are_read_back(rows, encoding):
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([["x", "y"], *rows])
    content = stream.getvalue().encode(encoding)
    found = parse_columns(content, "a.csv", ["x", "y"], len(rows), encoding=encoding)
    assert [list(row) for row in zip(found["x"], found["y"], strict=True)] == rows


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "row 1 is '', expected 'x,y'"),
        (b"x\n1\n2\n", "row 1 is 'x', expected 'x,y'"),
        (b"y,x\n1,2\n3,4\n", "row 1 is 'y,x', expected 'x,y'"),
        (b"x,y,z\n1,2,3\n3,4,5\n", "row 1 is 'x,y,z', expected 'x,y'"),
        (b"1,2\n3,4\n", "row 1 is '1,2', expected 'x,y'"),
        (b"x,y\n1,2\n", "has 2 rows, expected 3"),
        (b"x,y\n1,2\n3,4\n5,6\n", "has 4 rows, expected 3"),
        (b"x,y\n1,2\n3\n", "row 3 is '3', expected 2 fields"),
        (b"x,y\n1,2,3\n3,4\n", "row 2 is '1,2,3', expected 2 fields"),
        (b"x,y\n\n1,2\n3,4\n", "row 2 is '', expected 2 fields"),
        (b'x,y\n1,2\n3,"4\n', "row 3 is no row of a CSV file (unexpected end of data)"),
        (b'x,y\n1,"2"3\n3,4\n', "row 2 is no row of a CSV file (',' expected after '\"')"),
        (b"x,y\n1,2\n3,\xb4\n", "byte 11 is 0xb4, expected ASCII text"),
        (b"\xef\xbb\xbfx,y\n1,2\n3,4\n", "byte 1 is 0xef, expected ASCII text"),
    ],
)
def test_another_table_is_refused(content, message):
    with pytest.raises(ValueError, match=rf"^a\.csv: {re.escape(message)}$"):
        parse_columns(content, "a.csv", ["x", "y"], 2)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_byte_order_mark_is_no_part_of_a_name(encoding):
    with pytest.raises(ValueError, match=r"a\.csv: row 1 is '.+x,y', expected 'x,y'"):
        parse_columns(b"\xef\xbb\xbfx,y\n1,2\n", "a.csv", ["x", "y"], 1, encoding=encoding)


@pytest.mark.parametrize("wrong", ["", "x", "-1", "+3", "1.0", " 3", "1_0", "9", "2", "3" * 20])
def test_a_number_that_is_not_allowed_is_named(wrong):
    columns = {"near": ["3", "008", wrong]}
    with pytest.raises(ValueError) as error:
        to_integers(columns, "near", "a.csv", 3, 8)
    expected = f"a.csv: row 4: near is {wrong!r}, expected a whole number from 3 to 8"
    assert str(error.value) == expected
    columns["near"].pop()
    assert to_integers(columns, "near", "a.csv", 3, 8).tolist() == [3, 8]
