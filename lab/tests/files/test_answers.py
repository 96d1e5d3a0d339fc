"""Read files of answers: every form and format, nasty and odd files, and random ones."""

import re
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from closerthan import comparisons as rc
from closerthan_lab.datasets import load
from closerthan_lab.files.answers import read_answers
from closerthan_lab.files.columns import FORMS, NUMBERED
from files.programs import named, readable
from nasty_files import NASTY, ODD

ANIMALS = np.array(["ape", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"])
N = len(ANIMALS)


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("skip", [False, True])
def test_a_nasty_file_ends_in_a_sentence(name, skip, tmp_path):
    make, message = NASTY[name]
    path = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    try:
        table = read_answers(path, skip_bad_rows=skip)
    except (ValueError, OSError) as error:
        text = str(error)
        assert re.search(message, text, re.DOTALL), text
        assert text.startswith(str(path)) and "\n" not in text and len(text) < len(str(path)) + 600
    else:
        assert skip and table.skipped
        line, sentence = table.skipped[0]
        unit = "row" if path.suffix == ".parquet" else "line"
        assert re.search(message, f"{path}, {unit} {line}: {sentence}")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ODD)
def test_an_odd_file_is_read_right(name, tmp_path):
    make, expected, options = ODD[name]
    table = read_answers(make(tmp_path), **options)
    assert table.names[table.answers.comparisons].tolist() == expected


# Every form: the rows in a file, and the answers that the package's converter makes of them.


def distinct(rng, n, size):
    return np.array([rng.permutation(N)[:size] for _ in range(n)])


def triplets(rng, n):
    rows = distinct(rng, n, 3)
    return dict(zip(("anchor", "near", "far"), rows.T, strict=True)), rc.Answers(rows)


def quadruplets(rng, n):
    rows = distinct(rng, n, 4)
    return dict(zip(("near_1", "near_2", "far_1", "far_2"), rows.T, strict=True)), rc.Answers(rows)


def of_three(turn, name):
    def make(rng, n):
        rows = distinct(rng, n, 3)
        picked = rows[np.arange(n), rng.integers(3, size=n)]
        return {"objects": rows, name: picked}, turn(rows, picked)

    return make


def choices(rng, n):
    rows = distinct(rng, n, 7)
    sizes = rng.integers(2, 7, size=n)
    candidates = [row[1 : size + 1] for row, size in zip(rows, sizes, strict=True)]
    chosen = [row[: rng.integers(1, len(row))] for row in candidates]
    answers = rc.from_choices(rows[:, 0], padded(candidates), padded(chosen))
    return {"anchor": rows[:, 0], "candidates": candidates, "chosen": chosen}, answers


def rankings(rng, n):
    rows = distinct(rng, n, 6)
    ranking = [row[1 : rng.integers(3, 7)] for row in rows]
    answers = rc.from_rankings(rows[:, 0], padded(ranking))
    return {"anchor": rows[:, 0], "ranking": ranking}, answers


def best_worst(rng, n):
    rows = distinct(rng, n, 6)
    best, worst = np.array([rng.permutation(3)[:2] for _ in range(n)]).T
    answers = rc.from_best_worst(rows.reshape(n, 3, 2), best, worst)
    return {"pairs": rows, "best": best + 1, "worst": worst + 1}, answers


def responses(names):
    def make(rng, n):
        rows = distinct(rng, n, len(names))
        response = rng.integers(-1, 2, size=n)
        words = np.array(["neither", "first", "second"])[response]
        columns = dict(zip(names, rows.T, strict=True)) | {"response": words}
        return columns, rc.from_responses(rows, response)

    return make


def votes(rng, n):
    rows = distinct(rng, n, 3)
    counts = rng.integers(0, 3, size=(n, 3))
    counts[0] = 1
    names = ("anchor", "first", "second", "votes_first", "votes_second", "votes_neither")
    return dict(zip(names, [*rows.T, *counts.T], strict=True)), rc.from_responses(
        np.repeat(rows, counts.sum(axis=1), axis=0),
        np.repeat(np.tile([1, 0, -1], n), counts[:, [0, 2, 1]].ravel()),
    )


MAKE = {
    "triplets": triplets,
    "quadruplets": quadruplets,
    "odd-one-out": of_three(rc.from_odd_one_out, "odd"),
    "most-central": of_three(rc.from_most_central, "central"),
    "choices": choices,
    "rankings": rankings,
    "best-worst": best_worst,
    "responses": responses(("anchor", "first", "second")),
    "votes": votes,
}
PAIRED = responses(("first_1", "first_2", "second_1", "second_2"))
WORDS = {"best", "worst", "response", "votes_first", "votes_second", "votes_neither"}


def padded(rows):
    table = np.full((len(rows), max(map(len, rows))), -1)
    for row, ids in enumerate(rows):
        table[row, : len(ids)] = ids
    return table


def cells_of(columns, label):
    """Return one dict per row, with lists and object names."""
    rows = []
    for row in range(len(next(iter(columns.values())))):
        cells = {}
        for name, column in columns.items():
            value = column[row]
            if name in WORDS:
                cells[name] = str(value)
            else:
                cells[name] = [label(v) for v in value] if np.ndim(value) else label(value)
        rows.append(cells)
    return rows


def spread(rows):
    """Write lists in numbered columns."""
    for name, part in {key: parts[0] for key, parts in NUMBERED.items()}.items():
        if not isinstance(rows[0].get(name), list):
            continue
        n = max(len(row[name]) for row in rows)
        for row in rows:
            ids = row.pop(name)
            for place in range(n):
                number = f"{place // 2 + 1}_{place % 2 + 1}" if name == "pairs" else place + 1
                row[f"{part}_{number}"] = ids[place] if place < len(ids) else ""
    return rows


def write_text(path, rows, delimiter=","):
    cells = [{k: "|".join(v) if isinstance(v, list) else v for k, v in row.items()} for row in rows]
    pd.DataFrame(cells).to_csv(path, sep=delimiter, index=False)


def write_json_lines(path, rows):
    pd.DataFrame(rows).to_json(path, orient="records", lines=True)


WRITE = {
    "answers.csv": write_text,
    "answers.tsv": lambda path, rows: write_text(path, spread(rows), "\t"),
    "answers.jsonl": write_json_lines,
    "answers.parquet": lambda path, rows: pd.DataFrame(rows).to_parquet(path),
}


def assert_same(table, answers, names):
    """Check for equal answers; the ids of the table count only the names that occur."""
    used = np.unique(answers.comparisons)
    assert table.names.tolist() == [str(name) for name in names[used]]
    ids = np.searchsorted(used, answers.comparisons)
    np.testing.assert_array_equal(table.answers.comparisons, ids)
    np.testing.assert_array_equal(table.answers.screen, answers.screen)
    np.testing.assert_allclose(table.answers.weight, answers.weight, rtol=1e-12)


@pytest.mark.parametrize("form", [*MAKE, "responses to pairs"])
@pytest.mark.parametrize("file", WRITE)
@pytest.mark.parametrize("ids", [False, True], ids=["names", "ids"])
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_form_is_read_back(form, file, ids, tmp_path, seed):
    rng = np.random.default_rng(seed)
    columns, answers = MAKE.get(form, PAIRED)(rng, int(rng.integers(1, 20)))
    names = 10 + np.arange(N) * 7 if ids else ANIMALS  # no places on the screen
    rows = cells_of(columns, lambda i: str(names[i]))
    for row in rows:
        row["note"] = "x"
    WRITE[file](tmp_path / file, rows)
    table = read_answers(tmp_path / file)
    assert table.form == form.partition(" ")[0]
    assert table.ignored == ["note"]
    assert table.skipped == []
    assert_same(table, answers, names)
    first = 0 if file.endswith("parquet") else 1 if file.endswith("jsonl") else 2
    of_votes = [columns[name] for name in columns if name.startswith("votes")]
    n = np.sum(of_votes, axis=0) if of_votes else 1
    np.testing.assert_array_equal(table.lines, np.repeat(np.arange(len(rows)), n) + first)


def test_every_form_has_a_test():
    assert set(MAKE) == set(FORMS)


def test_who_answered_when_and_with_what_weight(read):
    text = "anchor;near;far;Worker ID;seconds;weight\na;b;c;ann;1,5;2\nb;c;a;bo;;0.5\n"
    answers = read(text).answers
    assert answers.participant.tolist() == ["ann", "bo"]
    np.testing.assert_array_equal(answers.time, [1.5, np.nan])
    assert answers.weight.tolist() == [2, 0.5]


def test_a_comma_in_a_number_is_decimal_where_it_is_not_between_cells(read, refused):
    assert read("anchor\tnear\tfar\ttime\na\tb\tc\t1,234\n").answers.time == 1.234
    text = 'anchor,near,far,time\na,b,c,"1,234"\n'
    refused(text, "line 2: time: '1,234' is not a number")  # or a thousand?


def test_a_weight_multiplies_that_of_the_form(read):
    answers = read("objects,odd,weight\na|b|c,a,3\n").answers
    np.testing.assert_allclose(answers.weight, 1.5 * np.log2(3))


@pytest.mark.parametrize(("given", "kind"), [("1 2.0", "i"), ("1 x", "U"), ("01 1", "U")])
def test_participants_are_numbers_if_all_are(read, given, kind):
    first, second = given.split()
    text = f"anchor,near,far,subject\na,b,c,{first}\na,b,c,{second}\n"
    participant = read(text).answers.participant
    assert participant.dtype.kind == kind and len(set(participant.tolist())) == 2


def test_votes_for_one_answer_are_as_many_answers(read):
    """Objects that nobody voted on are none."""
    table = read("anchor,near,far,votes,user\na,b,c,2,x\na,c,d,0,y\nb,a,c,1,z\n")
    assert named(table) == ["a b c", "a b c", "b a c"] and table.names.tolist() == ["a", "b", "c"]
    assert table.lines.tolist() == [2, 2, 4]
    assert table.answers.participant.tolist() == ["x", "x", "z"]


def test_rows_of_one_screen_have_one_weight(refused):
    text = "anchor,near,far,screen,weight\na,b,c,1,1\na,b,d,1,2\n"
    refused(text, "line 3: weight: 2, and 1 in the row before")


def test_a_ranking_of_the_first_places(read):
    answers = read("anchor,ranking,top\na,b|c|d,1\nb,a|c|d,2\n").answers
    parts = rc.from_rankings([0], [[1, 2, 3]], top=1), rc.from_rankings([1], [[0, 2, 3]], top=2)
    for field in ("comparisons", "weight"):
        expected = np.concatenate([getattr(part, field) for part in parts])
        np.testing.assert_array_equal(getattr(answers, field), expected)


@pytest.mark.parametrize(
    "response", ["1 2 tie", "First SECOND neither", "left right tie", "1.0 2.0 same", "yes no tie"]
)
def test_what_a_response_may_be(read, response):
    rows = "".join(f"a,b,c,{word}\n" for word in response.split())
    table = read("anchor,left,right,answer\n" + rows)
    assert table.place.tolist() == [0, 1, -1]
    assert named(table) == ["a b c", "a c b", "a b c", "a c b"]


def test_the_chosen_one_of_two_may_be_named(read, refused):
    table = read("anchor,left,right,choice\na,b,c,c\na,b,c,b\nb,a,c,neither\n")
    assert table.form == "responses"
    assert table.place.tolist() == [1, 0, -1]
    assert named(table)[:2] == ["a c b", "a b c"]
    text = "anchor,left,right,choice\na,b,c,d\nd,b,c,c\nd,b,a,b\n"
    refused(text, "line 2: chosen: 'd' is neither the first nor the second")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("object 1,object 2,object 3,odd\na,b,c,b\na,b,c,c\n", [1, 2]),
        ("objects,central\na|b|c,a\nb|a|c,c\n", [0, 2]),
        ("anchor,candidates,chosen\na,b|c|d,d\na,b|c|d,b|c\n", [2, -1]),
        ("pairs,best,worst\na|b|c|d|e|f,3,1\na|b|c|d,1,2\n", [2, 0]),
    ],
)
def test_where_on_its_screen_the_picked_object_stood(read, text, expected):
    assert read(text).place.tolist() == expected


def test_pairs_are_told_by_the_numbers_of_their_columns(read):
    text = "pair_0_1,pair_0_2,pair_1_1,pair_1_2,best,worst\na,b,c,d,0,1\n"
    assert named(read(text)) == ["a b c d"]


def test_columns_of_other_names(read):
    columns = {"anchor": "Stimulus", "near": "closer_one", "far": "other", "participant": "who"}
    text = "stimulus,closer one,other,near,who\na,b,c,?,ann\nb,c,a,?,bo\n"
    table = read(text, columns=columns)
    assert named(table) == ["a b c", "b c a"]
    assert table.answers.participant.tolist() == ["ann", "bo"]
    assert table.ignored == ["near"]
    columns = {"anchor": "stimulus", "candidates": ["c1", "c2", "c3"], "chosen": "pick"}
    table = read("stimulus,c1,c2,c3,pick,time\na,b,c,d,c,12:30\n", columns=columns | {"time": None})
    assert named(table) == ["a c b", "a c d"]
    assert table.answers.time is None


def test_two_columns_for_one_thing_are_refused_where_it_is_used(read, refused):
    text = "anchor,near,far,left,first,odd one,odd,user,worker\na,b,c,?,?,?,?,x,y\n"
    refused(text, "columns 8 and 9, .user. and .worker., mean")
    assert len(read(text, columns={"participant": "user"}).answers) == 1
    text = "anchor,candidate_1,option_1,candidate_2,chosen\na,b,c,d,b\n"
    refused(text, r"columns 2 and 3, .* mean the same")


def test_without_a_header_the_first_row_may_come_again(read):
    assert len(read("0,1,2\n0,2,1\n0,1,2\n", form="triplets").answers) == 3


def test_a_form_that_is_said_is_taken(read, refused):
    text = "anchor,near,far,ranking\na,b,c,b|c|d\n"
    assert len(read(text, form="triplets").answers) == 1
    assert len(read(text, form="rankings").answers) == 3
    refused(text, r"no column first or second .* votes need anchor, fir", form="votes")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("source", "qualtrics", r"source='qualtrics'; it must be one of jspsych, .*, table"),
        ("form", "pairs", "form='pairs'; it must be one of triplets, quadruplets"),
        ("columns", {"anchor": "head"}, "answers.csv, line 1: there is no column 'head'"),
        ("columns", {"far": None}, "there is no column far"),
    ],
)
def test_arguments_that_can_not_be(refused, option, value, message):
    refused("anchor,near,far\na,b,c\n", message, **{option: value})


FAULTY = """anchor,near,far,participant
a,b,c,ann
a,b,b,bo
a,b

"d
d",b,a,ann
a,b,c,
x,,c,ann
c,b,a,bo
b,c,a,bo
"""


def test_bad_rows_are_counted_or_left_out(read, refused):
    message = r"answers\.csv, line 3: anchor, near, far are 'a', 'b', 'b'; .*; 3 more rows have"
    refused(FAULTY, message)
    table = read(FAULTY, skip_bad_rows=True)
    assert named(table) == ["a b c", "d\nd b a", "c b a", "b c a"]
    assert table.lines.tolist() == [2, 6, 10, 11]
    assert table.names.tolist() == ["a", "b", "c", "d\nd"]  # x occurs only in a bad row
    assert table.answers.participant.tolist() == ["ann", "ann", "bo", "bo"]
    assert [line for line, _ in table.skipped] == [3, 4, 8, 9]


def test_where_most_rows_are_bad_none_is_left_out(refused):
    text = "anchor,near,far\na,b,c\na,a,c\na,b,a\n"
    message = "2 of 3 rows have faults, too many to leave them out"
    refused(text, message, skip_bad_rows=True)


def test_rows_are_read_in_blocks(write, monkeypatch):
    """Lines are right, quotes may span blocks, and one count covers the faults of all blocks."""
    monkeypatch.setattr("closerthan_lab.files.text.BLOCK", 3)
    path = write("anchor,near,far\n" + 'a,"b\nb",c\na,c,d\n' * 10 + "a,a,b\n" + "c,d,a\n")
    table = read_answers(path, skip_bad_rows=True)
    expected = [[2 + 3 * n, 4 + 3 * n] for n in range(10)]
    assert table.lines.tolist() == [*np.ravel(expected), 33]
    assert [line for line, _ in table.skipped] == [32]


def test_memory_is_bounded(tmp_path, monkeypatch):
    """Rows are kept as numbers, because text would take twice the memory."""
    monkeypatch.setattr("closerthan_lab.files.text.BLOCK", 1000)
    rows = np.random.default_rng(0).integers(10**9, 10**9 + 50, size=(60_000, 3))
    rows[:, 1:] += [100, 200]
    path = tmp_path / "answers.csv"
    text = "anchor,near,far\n" + "".join(f"{i},{j},{k}\n" for i, j, k in rows)
    path.write_text(text)
    read_answers(path)  # imports
    tracemalloc.start()
    table = read_answers(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(table.answers) == 60_000
    assert peak < 9e6


@pytest.mark.parametrize("file", ["answers.csv", "answers.jsonl"])
def test_a_file_that_may_not_be_read_is_named(file, tmp_path, monkeypatch):
    """Root may read every file, so the test raises the system's error itself."""

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", file)

    path = tmp_path / file
    path.write_text("anchor,near,far\n")
    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(PermissionError, match=f"^{path}: .*cannot be read .Permission"):
        read_answers(path)


@pytest.mark.usefixtures("mirror")
def test_an_experiment_s_own_file_is_read_as_its_loader_reads_it(mirror):
    """Read the file by the winners' ids, and by the names on the screen and the name picked."""
    path = Path(mirror, "cfd36", "cfd36_triplets_individual.csv")
    expected = load("cfd36")
    with pytest.raises(ValueError, match="fit several forms; give form='triplets' or form='r"):
        read_answers(path, source="table")
    by_id = read_answers(path, source="table", form="triplets")
    by_name = read_answers(path)
    for table in (by_id, by_name):
        np.testing.assert_array_equal(table.answers.comparisons, expected.answers.comparisons)
        np.testing.assert_array_equal(table.answers.participant, expected.answers.participant)
    assert by_id.left_out == by_name.left_out == {"check": 2234}
    assert by_name.source == "tripletTools"
    np.testing.assert_allclose(by_name.answers.time, expected.answers.time)
    assert by_name.names.tolist() == expected.object_names.tolist()


# Reading a random file ends in answers or in one error message.


def read_or_refuse(path, **arguments):
    try:
        table = read_answers(path, **arguments)
    except (ValueError, OSError) as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error)
        return
    assert len(table.lines) == table.answers.n_screens
    assert table.answers.comparisons.max() < len(table.names) == len(set(table.names.tolist()))


PARTS = [b"", b",", b'"', b"\n", b"|", b"\t", b"nan", b"-1", b"{", b"]", b"0", b"\xff", b"\0"]
PARTS += [b"9" * 30, b"\xef\xbb\xbf"]


@st.composite
def mutated(draw, whole):
    """Return a file with some of its bytes cut, doubled or replaced."""
    content = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(len(content) - 1, 0)))
        end = place + draw(st.integers(0, 6))
        part = draw(st.sampled_from([*PARTS, bytes(content[place:end]) * 2]))
        content[place:end] = part
    return bytes(content)


def example_of(form, file):
    """Return the bytes of a small file of a form."""
    columns, _ = MAKE[form](np.random.default_rng(0), 4)
    with TemporaryDirectory() as folder:
        path = Path(folder, file)
        WRITE[file](path, cells_of(columns, lambda i: str(ANIMALS[i])))
        return path.read_bytes()


@pytest.mark.parametrize("form", MAKE)
@pytest.mark.parametrize("file", WRITE)
@settings(max_examples=12)
@given(data=st.data())
def test_mutated_files_are_read_or_refused(form, file, tmp_path, data):
    path = tmp_path / file
    path.write_bytes(data.draw(mutated(example_of(form, file))))
    read_or_refuse(path)
    read_or_refuse(path, skip_bad_rows=True)


PIECES = [*'"\r\t;|1\0\ufeff', "\r\n", '"a"', ' "b",', '""', "é", "nan", "-1", "1e999", "=A1"]
LINES = ["0,1,2\n", "a,b,c\n", '"a","b","c"\n', '"e ""f""", a,b\n', '"a, b","c\nd",e\n', ",,\n"]


@settings(max_examples=100)
@given(
    separator=st.sampled_from(",;\t "),
    header=st.sampled_from(["anchor,near,far\n", "x,y,z\n", "a,b\n", "objects,odd,time\n", ""]),
    body=st.lists(st.sampled_from(LINES * 3 + [*",\n", *PIECES]), max_size=12),
)
def test_any_text_is_read_as_the_csv_module_reads_it(separator, header, body, tmp_path):
    """Read any file as pandas does, in blocks of few rows."""
    path = tmp_path / "answers.csv"
    text = "".join([header, *body]).replace(",", separator)
    path.write_text(text, encoding="utf-8", newline="")

    def read():
        try:
            table = read_answers(path, skip_bad_rows=True)
        except ValueError as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
            return str(error)
        return named(table), table.lines.tolist(), table.skipped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("closerthan_lab.files.text.BLOCK", 4)
        by_pandas = read()
        patch.setattr("closerthan_lab.files.text._plain_frame", lambda *_: None)
        assert read() == by_pandas


@given(
    names=st.lists(readable, min_size=3, max_size=3, unique=True),
    kind=st.sampled_from(["jsonl", "parquet"]),
)
def test_any_names_are_read_back(names, kind, tmp_path):
    path = tmp_path / f"answers.{kind}"
    WRITE[path.name](path, [dict(zip(("anchor", "near", "far"), names, strict=True))])
    table = read_answers(path)
    assert table.names[table.answers.comparisons].tolist() == [names]
    assert table.names.tolist() == sorted(names)


def test_an_error_says_how_to_go_on(refused):
    """The message offers to skip bad rows only if most rows are good."""
    good = "anchor,near,far\na,b,c\nb,c,a\n"
    refused(good + "a,a,b\n", r"; skip_bad_rows=True leaves it out$")
    message = "1 more row has a fault; skip_bad_rows=True leaves them"
    refused(good + "a,a,b\na,,b\n", message)
    refused(good + "a,a,b\na,,b\nb,b,b\n", r"2 more rows have faults$")


def test_lines_below_a_stated_delimiter_are_numbered_as_in_the_file(read):
    assert read("sep=;\nanchor;near;far\na;b;c\n").lines.tolist() == [3]


def test_responses_mean_what_the_user_says(read, refused):
    text = "anchor,left,right,response\na,b,c,0\na,b,c,1\nb,a,c,2\n"
    two = {"0": "first", "1": "second"}
    names = named(read(text, responses=two | {"2": "neither"}))
    assert names == ["a b c", "a c b", "b a c", "b c a"]  # a tie counts half for each
    refused(text, "line 4: response: '2' is not in responses=", responses=two)
