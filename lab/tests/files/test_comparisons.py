"""Check files of comparisons in every format: reading, exact round trips and every refusal.

The tests of `read_answers` check texts and their faults.
"""

import itertools
import pickle
import re
import sys
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from closerthan.comparisons.answers import HEADERS
from closerthan.comparisons.check import check_comparisons
from closerthan_lab.files.comparisons import read_comparisons, write_comparisons
from files.programs import readable

ROWS = [[0, 1, 2], [3, 0, 1], [2, 3, 0]]
PAIRS = [[0, 1, 2, 3], [3, 0, 3, 1], [2, 1, 0, 1]]
WORDS = [["b", "a", "ø"], ["ø", "b", "a c"]]
NAMES = ['Bob "B" Bo', "Chloë;x", "Ål, (the)", "Øystein\nTwo\r\nThree"]


@pytest.fixture(params=["npy", "parquet", "csv"])
def save(request, tmp_path):
    """Return a function that writes a table to a file and returns the path."""

    def save(table, dtype=None):
        table = np.array(table, dtype=dtype)
        path = tmp_path / f"answers.{request.param}"
        frame = pd.DataFrame(table, columns=list("ijlk")[: table.shape[1]])
        if request.param == "npy":
            np.save(path, table)
        elif request.param == "csv":
            frame.to_csv(path, header=HEADERS.get(frame.shape[1], True), index=False)
        else:
            frame.to_parquet(path)
        return path

    return save


@pytest.fixture
def parquet(tmp_path):
    """Return a function that writes a table to a .parquet file and returns the path."""

    def parquet(table, **options):
        path = tmp_path / "answers.parquet"
        table.to_parquet(path, **options)
        return path

    return parquet


@pytest.mark.parametrize("rows", [ROWS, PAIRS])
@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u4", "i8", "u8", "f4", "f8"])
def test_ids_of_every_type(save, rows, dtype):
    path = save(rows, dtype)
    comparisons, names = read_comparisons(path, n_objects=4)
    assert comparisons.tolist() == rows
    assert comparisons.dtype.kind in "iu" and comparisons.flags.c_contiguous
    assert names is None


@pytest.mark.parametrize("rows", [WORDS, [[*row, "z"] for row in WORDS]])
def test_strings_are_names(save, rows):
    comparisons, names = read_comparisons(save(rows))
    assert names.tolist() == sorted({word for row in rows for word in row})
    assert names[comparisons].tolist() == rows


@pytest.mark.parametrize("file", ["answers.csv", "answers.csv.gz"])
@pytest.mark.parametrize("names", [None, NAMES])
def test_round_trip(tmp_path, file, names):
    path = tmp_path / file
    write_comparisons(path, ROWS, names)
    comparisons, names_read = read_comparisons(path)
    np.testing.assert_array_equal(comparisons, ROWS)
    assert (None if names_read is None else names_read.tolist()) == names
    if path.suffix == ".gz":
        assert path.read_bytes()[4:8] == bytes(4)  # no time stamp, so the same bytes every time
    assert list(tmp_path.iterdir()) == [path]


def test_headers(tmp_path):
    path = tmp_path / "answers.csv"
    write_comparisons(path, [[0, 1, 2]])
    assert path.read_text() == "anchor,near,far\n0,1,2\n"
    write_comparisons(path, [[0, 1, 2, 3]], ["a", "b", "c", "=d"])
    assert path.read_text() == 'near_1,near_2,far_1,far_2\n"a","b","c","\'=d"\n'


@given(
    names=st.lists(readable, min_size=3, max_size=6, unique=True),
    seed=st.integers(0, 99),
    width=st.sampled_from([3, 4]),
)
@example(names=["=1+1", "'=1+1", "@a", "-b"], seed=0, width=3)
def test_whatever_is_written_is_read_back(tmp_path, names, seed, width):
    path = tmp_path / "answers.csv"
    questions = list(itertools.permutations(range(len(names)), width)) or [(0, 1, 0, 2)]
    rows = check_comparisons(np.random.default_rng(seed).choice(questions, 5))
    write_comparisons(path, rows, names)
    comparisons, names_read = read_comparisons(path)
    assert names_read.tolist() == sorted({names[index] for index in np.unique(rows)})
    assert names_read[comparisons].tolist() == [[names[index] for index in row] for row in rows]


@pytest.mark.parametrize(
    ("rows", "names", "message"),
    [
        ([[0, 1, 1]], None, r"comparisons, row 0: \(0, 1, 1\) names object 1 twice"),
        (ROWS, ["a", "b", "c"], "comparisons, row 1: .* has the id 3; allowed are 0 to 2"),
        (ROWS, ["a", "b", " c", "d"], "names, row 2: ' c'; a name may not be"),
        (ROWS, ["a", "nan", "c", "d"], "names, row 1: 'nan'"),
        (ROWS, ["a", "b\0", "c", "d"], "names, row 1: .* zero byte"),
        (ROWS, ["a", "b", "c", "a"], "names, row 3: 'a'; it is in row 0 too"),
        (ROWS, ["1", "2", "3", "x"], "names, row 0: '1'; most of these names are numbers"),
    ],
)
def test_what_cannot_be_read_back_is_not_written(tmp_path, rows, names, message):
    with pytest.raises(ValueError, match=message):
        write_comparisons(tmp_path / "answers.csv", rows, names)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("separator", [",", ";", "\t", "   ", " \t", " ; "])
@pytest.mark.parametrize("rows", [ROWS, PAIRS, [["311", "Abba", "Cher"], ["Cher", "Abba", "311"]]])
def test_without_a_header_columns_are_taken_in_their_order(tmp_path, separator, rows):
    path = tmp_path / "answers.txt"
    path.write_text("\n".join(separator.join(map(str, row)) for row in rows))
    comparisons, names = read_comparisons(path, n_objects=4)
    assert (comparisons if names is None else names[comparisons]).tolist() == rows
    assert comparisons.dtype == np.int64 and comparisons.flags.c_contiguous


def test_ids_stay_as_they_are(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("odd,objects,weight\n7,5|7.0|09,3\n")
    comparisons, names = read_comparisons(path)
    assert comparisons.tolist() == [[5, 9, 7], [9, 5, 7]] and names is None
    path.write_text("0,1,2\n07,7,2\n")
    with pytest.raises(ValueError, match=r"answers.csv, line 2: \(7, 7, 2\) names object 7 twice"):
        read_comparisons(path)


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("dtype", ["<i4", ">i4", "<u8"])
def test_an_npy_file_stays_mapped(tmp_path, order, dtype):
    rows = np.arange(3) + np.arange(2**18)[:, None]
    with (tmp_path / "big.NPY").open("wb") as file:
        np.save(file, rows.astype(dtype, order=order))
    tracemalloc.start()
    comparisons, _ = read_comparisons(tmp_path / "big.NPY")
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    np.testing.assert_array_equal(comparisons, rows)
    assert comparisons.dtype == np.dtype(dtype).newbyteorder("=")
    mapped = order == "C" and np.dtype(dtype).isnative
    assert (held < comparisons.nbytes / 10) == mapped
    # a mask of all rows would take a twelfth each
    assert peak < (0.1 if mapped else 1.3) * comparisons.nbytes


@pytest.mark.parametrize("words", [WORDS, ROWS])
def test_categories_are_what_they_stand_for(parquet, words):
    categories = sorted({word for row in words for word in row})
    unused = [*categories, categories[0] * 2 or 9]
    columns = pd.DataFrame(words, columns=list("ijk")).astype(pd.CategoricalDtype(unused))
    comparisons, names = read_comparisons(parquet(columns))
    read = comparisons if names is None else names[comparisons]
    assert read.tolist() == words
    assert names is None or names.tolist() == categories


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0, 1, 2], [0, 1, 1]], r"(row 1|line 3): .*1'?, '?1.*(twice|must differ)"),
        ([[0, 1, 2], [0, 1, 9]], "(row 1|line 3): .* has the id 9; allowed are 0 to 8"),
        ([[0, 1, 2], [0, -1, 2]], "(row 1|line 3): .*(negative id -1|'-1' is not an object id)"),
        ([[0, 1, 2], [0, 1.5, 2]], "(row 1|line 3): .*1.5'? is not an object id"),
        ([[0, 1, 2], [0, np.inf, 2]], "(row 1|line 3): .*inf'? is not an object id"),
        ([[0, 1], [1, 2]], "the columns are 'i' .'0'.|shape"),
        ([["a", "b", "c"], ["a", "", "b"]], "(row 1|line 3): .*'' is a missing value"),
        ([["a", "b", "c"], ["a", "c", "c"]], "(row 1|line 3): .*(twice|must differ)"),
        ([[f"{r}", f"x{r}", f"y{r}"] for r in range(4)], "12 names; n_objects=9 allows"),
        (np.empty((0, 3), int), "empty; give at least one|a header without answers"),
        ([[True, False, True]], "True is not an object id|'(t|T)rue'.* must differ"),
    ],
)
def test_contents_that_are_refused(save, table, message):
    path = save(table)
    with pytest.raises(ValueError, match=f"{re.escape(str(path))}.*({message})"):
        read_comparisons(path, n_objects=9)


@pytest.mark.parametrize("first", [0, 2**15])
@pytest.mark.parametrize("kind", [int, str])
def test_the_row_is_that_of_the_file(parquet, first, kind):
    rows = np.tile(ROWS[0], (2**15 + 9, 1)).astype(kind)
    rows[first + 5, 1] = rows[first + 5, 2]
    path = parquet(pd.DataFrame(rows, columns=list("ijk")))
    with pytest.raises(ValueError, match=rf"answers.parquet, row {first + 5}: "):
        read_comparisons(path)


MANY = np.random.default_rng(0).permuted(np.tile(np.arange(500), (5000, 1)), axis=1)[:, :3]


@pytest.mark.parametrize("save", ["npy", "parquet"], indirect=True)
@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.9, 0.999])
def test_a_file_that_breaks_off(save, share):
    path = save(MANY)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ValueError, match=f"{re.escape(str(path))}: (not a complete|empty)"):
        read_comparisons(path)


def test_a_damaged_page(parquet):
    path = parquet(pd.DataFrame(MANY, columns=list("ijk")), compression="gzip")
    content = bytearray(path.read_bytes())
    content[1000:1400] = bytes(400)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"answers.parquet: not a complete Parquet file"):
        read_comparisons(path)


@pytest.mark.parametrize(
    "content", [b"i,j,k\n0,1,2\n", pickle.dumps(ROWS), b"PK\x03\x04" + bytes(99)]
)
def test_a_file_of_another_kind(tmp_path, content):
    path = tmp_path / "answers.npy"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"answers.npy: not a complete .npy file"):
        read_comparisons(path)


def test_nothing_is_unpickled(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[0, 1, 2]], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"a.npy: not a complete .npy file \(.*Python objects"):
        read_comparisons(tmp_path / "a.npy")


def test_without_pyarrow(parquet, monkeypatch):
    path = parquet(pd.DataFrame(ROWS, columns=list("ijk")))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"answers.parquet: reading it needs pyarrow"):
        read_comparisons(path)
