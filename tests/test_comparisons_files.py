"""Comparisons in CSV files: every form that is read, exact round trips, every refusal."""

import gzip
import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from closerthan.comparisons import check_comparisons, read_csv, write_csv

ROWS = [[0, 1, 2], [3, 0, 1], [2, 3, 0]]
NAMES = ['Bob "B" Bo', "Chloë;x", "Ål, (the)", "Øystein\nTwo\r\nThree"]
readable = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
    .map(str.strip)
    .filter(lambda name: name not in ("nan", "NaN") and name.strip("0123456789.+-eE"))
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.csv"


def text_of(rows, separator, header=None):
    lines = [header] if header else []
    lines += [[str(cell) for cell in row] for row in rows]
    return "\n".join(separator.join(line) for line in lines)


@pytest.mark.parametrize("separator", [",", ";", "\t", " ", "   ", " \t", ", ", " ; "])
@pytest.mark.parametrize("rows", [ROWS, [[0, 1, 2, 3], [3, 0, 1, 2]]])
@pytest.mark.parametrize("header", [None, "ijlk", "own"])
@pytest.mark.parametrize("named", [False, True], ids=["ids", "names"])
def test_every_form_is_read(path, separator, rows, header, named):
    width = len(rows[0])
    if header == "own":
        header = ["Anchor", "near", "far"] if width == 3 else ["near_1", "near_2", "far_1", "far_2"]
    elif header and named:
        header = None  # only the package's own header can stand above names
    cells = [["dcba"[cell] for cell in row] for row in rows] if named else rows
    path.write_text(text_of(cells, separator, header and list(header[:width])))
    comparisons, names = read_csv(path, n_objects=4)
    if named:
        assert names.tolist() == ["a", "b", "c", "d"]
        assert names[comparisons].tolist() == cells
    else:
        assert names is None
        assert comparisons.tolist() == rows
    assert comparisons.dtype == np.int64
    assert comparisons.flags.c_contiguous


@pytest.mark.parametrize("ending", ["", "\n", "\n\n  \n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_blank_lines_and_marks_do_not_count(path, ending, newline, mark):
    text = "\n\n" + text_of(ROWS, ",").replace("\n", "\n\n") + ending
    path.write_bytes((mark + text.replace("\n", newline)).encode())
    assert read_csv(path)[0].tolist() == ROWS


def test_one_row_below_a_header_is_enough(path):
    path.write_text("i,j,k\n0,1,2\n")
    assert read_csv(path)[0].tolist() == [[0, 1, 2]]


def test_ids_may_be_whole_floats(path):
    path.write_text("0.0,1.0,2e0")
    assert read_csv(path)[0].tolist() == [[0, 1, 2]]


def test_numbers_among_names_are_names(path):
    path.write_text("311,Abba,Cher\nCher,Abba,311\n")
    comparisons, names = read_csv(path)
    assert names.tolist() == ["311", "Abba", "Cher"]
    assert comparisons.tolist() == [[0, 1, 2], [2, 1, 0]]


@pytest.mark.parametrize("name", ["answers.csv", "answers.csv.gz"])
@pytest.mark.parametrize("names", [None, NAMES])
def test_round_trip(tmp_path, name, names):
    path = tmp_path / name
    write_csv(path, ROWS, names)
    comparisons, names_read = read_csv(path)
    np.testing.assert_array_equal(comparisons, ROWS)
    if names is None:
        assert names_read is None
    else:
        assert sorted(names) == names
        assert names_read.tolist() == names
    if path.suffix == ".gz":
        assert path.read_bytes()[4:8] == bytes(4)  # no time stamp, so the same bytes every time
    assert list(tmp_path.iterdir()) == [path]


def test_headers(path):
    write_csv(path, [[0, 1, 2]])
    assert path.read_text() == "anchor,near,far\n0,1,2\n"
    write_csv(path, [[0, 1, 2, 3]], ["a", "b", "c", "d"])
    assert path.read_text() == 'near_1,near_2,far_1,far_2\n"a","b","c","d"\n'


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(readable, min_size=3, max_size=6, unique=True),
    seed=st.integers(0, 99),
    width=st.sampled_from([3, 4]),
)
def test_whatever_is_written_is_read_back(path, names, seed, width):
    questions = list(itertools.permutations(range(len(names)), width)) or [(0, 1, 0, 2)]
    rows = check_comparisons(np.random.default_rng(seed).choice(questions, 5))
    write_csv(path, rows, names)
    comparisons, names_read = read_csv(path)
    assert names_read.tolist() == sorted({names[index] for index in np.unique(rows)})
    assert names_read[comparisons].tolist() == [[names[index] for index in row] for row in rows]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty; at least one comparison is needed"),
        (" \n\n", "empty"),
        ("anchor,near,far\n", "a header and no comparisons"),
        ("0,1,2\n\n3,,1\n", "line 3: '' is a missing value; every cell must hold"),
        ("0,1,2\n,,\n", "line 2: '' is a missing value"),
        ("i,j,k\n0,1,2\n0,nan,2\n", "line 3: 'nan' is a missing value"),
        ("0,1,2\n0,1\n", r"line 2: 2 columns, \['0', '1'\]; the first row has 3"),
        ("0 1 2\n0 1 2 3\n", "line 2: 4 columns, .*; the first row has 3"),
        ("0,1\n", "line 1: 2 columns, .*; 3 or 4 are needed"),
        ("5\n", "line 1: 1 columns"),
        ("0;1;2;3;4\n", "line 1: 5 columns"),
        ("0,1,2\n0,1,-2\n", r"line 2: \(0, 1, -2\) has the negative id -2"),
        ("0,1,2\n0,1,1.5\n", "line 2: 1.5 is no object id"),
        ("0,1,2\n0,1,1e30\n", "line 2: 1e.30 is no object id"),
        ("0,1,2\n0,1,2O\n", "line 2: '2O' is no object id; most cells of the file hold ids"),
        ("x,1,2\n0,1,2\n", "line 1: 'x' is no object id"),
        ("i,j,k\n\n0,1,2\n3,3,1\n", r"line 4: \(3, 3, 1\) names object 3 twice"),
        ("0,1,2,3\n1,2,2,1\n", r"line 2: \(1, 2, 2, 1\) compares a pair with itself"),
        ("0,1,2\n0,1,4\n", r"line 2: \(0, 1, 4\) has the id 4; allowed are 0 to 3"),
        ("a,b,c\nc,c,a\nb,a,c", r"line 2: \('c', 'c', 'a'\) names object 'c' twice"),
        ("a,b,c\nd,e,a\n", "5 names; allowed are n_objects=4"),
        ("head,winner,loser\na,b,c\n", r"line 1: \['head', 'winner', 'loser'\] occur nowhere else"),
        ('a,b,c\n"a,b,c\n', "line 2: .*end of data"),
        ("a,b,c\0\n", "not a text file"),
        (b"caf\xe9,a,b\n", "not UTF-8 text, byte 3"),
    ],
)
def test_refusals_name_file_line_and_value(path, content, message):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=rf"answers\.csv(:|,) {message}"):
        read_csv(path, n_objects=4)


@pytest.mark.parametrize("content", [b"0,1,2\n", gzip.compress(b"0,1,2\n" * 99, mtime=0)[:-9]])
def test_a_broken_gzip_file_is_refused(tmp_path, content):
    path = tmp_path / "answers.csv.gz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"answers\.csv\.gz: no complete gzip file"):
        read_csv(path)


@pytest.mark.parametrize(
    ("rows", "names", "message"),
    [
        ([[0, 1, 1]], None, r"comparisons, row 0: \(0, 1, 1\) names object 1 twice"),
        (ROWS, ["a", "b", "c"], "comparisons, row 1: .* has the id 3; allowed are 0 to 2"),
        (ROWS, ["a", "b", " c", "d"], "names, row 2: ' c'; a name may not be"),
        (ROWS, ["a", "", "c", "d"], "names, row 1: ''; a name may not be empty"),
        (ROWS, ["a", "nan", "c", "d"], "names, row 1: 'nan'"),
        (ROWS, ["a", "b", "c", "a"], "names, row 3: 'a' is in row 0 too"),
        (ROWS, ["1", "2", "3", "x"], "names, row 0: '1'; most of these names are numbers"),
    ],
)
def test_what_cannot_be_read_back_is_not_written(path, rows, names, message):
    with pytest.raises(ValueError, match=message):
        write_csv(path, rows, names)
    assert not list(path.parent.iterdir())


def test_a_failed_write_leaves_nothing_behind(tmp_path):
    folder = tmp_path / "answers.csv"
    folder.mkdir()
    with pytest.raises(OSError, match=r"answers\.csv"):
        write_csv(folder, ROWS)
    assert list(tmp_path.iterdir()) == [folder]
