"""Read arrays and Parquet files: ids and names, and every refusal. Other tests check texts."""

import pickle
import re
import sys

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons.answers import HEADERS
from closerthan_lab.files import read_answers
from files.programs import named

ROWS = [[0, 1, 2], [3, 0, 1], [2, 3, 0]]
PAIRS = [[0, 1, 2, 3], [3, 0, 3, 1], [2, 1, 0, 1]]
WORDS = [["b", "a", "ø"], ["ø", "b", "a c"]]
FORMS = {3: "triplets", 4: "quadruplets"}


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


@pytest.mark.parametrize("rows", [ROWS, PAIRS])
@pytest.mark.parametrize("dtype", ["i1", "i4", "u8", "f4", "f8", "U"])
def test_ids_of_every_type(save, rows, dtype):
    table = read_answers(save(rows, dtype), form=FORMS[len(rows[0])])
    assert table.answers.comparisons.tolist() == rows and table.holds_ids


@pytest.mark.parametrize("rows", [WORDS, [[*row, "z"] for row in WORDS]])
def test_strings_are_names(save, rows):
    table = read_answers(save(rows), form=FORMS[len(rows[0])])
    assert table.names.tolist() == sorted({word for row in rows for word in row})
    assert named(table) == [" ".join(row) for row in rows]


@pytest.mark.parametrize("words", [WORDS, ROWS])
def test_categories_are_what_they_stand_for(words, tmp_path):
    categories = sorted({word for row in words for word in row})
    unused = [*categories, categories[0] * 2 or 9]
    path = tmp_path / "answers.parquet"
    names = ["anchor", "near", "far"]
    pd.DataFrame(words, columns=names).astype(pd.CategoricalDtype(unused)).to_parquet(path)
    assert named(read_answers(path)) == [" ".join(map(str, row)) for row in words]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0, 1, 2], [0, 1, 1]], r"(row 1|line 3): .*'1', '1'.* must differ"),
        ([[0, 1, 2], [0, -1, 2]], "(row 1|line 3): .*'-1' is not an object id"),
        ([[0, 1, 2], [0, 1.5, 2]], "(row 1|line 3): .*1.5' is not an object id"),
        ([[0, 1, 2], [0, np.inf, 2]], "(row 1|line 3): .*inf' is not an object id"),
        ([[0, 1], [1, 2]], "the columns are .*'0'"),
        ([["a", "b", "c"], ["a", "", "b"]], "(row 1|line 3): .*'' is a missing value"),
        (np.empty((0, 3), int), "empty; give at least one|a header without answers|of shape"),
        ([[True, False, True]], "type bool|'(t|T)rue'.* must differ"),
    ],
)
def test_contents_that_are_refused(save, table, message):
    path = save(table)
    with pytest.raises(ValueError, match=f"{re.escape(str(path))}.*({message})"):
        read_answers(path, form="triplets")


MANY = np.random.default_rng(0).permuted(np.tile(np.arange(500), (5000, 1)), axis=1)[:, :3]


@pytest.mark.parametrize("save", ["npy", "parquet"], indirect=True)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_file_that_breaks_off(save, share):
    path = save(MANY)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ValueError, match=f"{re.escape(str(path))}: (not a complete|empty)"):
        read_answers(path)


@pytest.mark.parametrize(
    "content", [b"i,j,k\n0,1,2\n", pickle.dumps(ROWS), b"PK\x03\x04" + bytes(99)]
)
def test_a_file_of_another_kind(content, refused):
    refused({"answers.npy": content}, r"answers.npy: not a complete .npy file")


def test_nothing_is_unpickled(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[0, 1, 2]], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"a.npy: not a complete .npy file \(.*Python objects"):
        read_answers(tmp_path / "a.npy")


@pytest.mark.parametrize("save", ["parquet"], indirect=True)
def test_without_pyarrow(save, monkeypatch):
    path = save(ROWS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"answers.parquet: reading it needs pyarrow"):
        read_answers(path)
