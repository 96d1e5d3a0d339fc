"""Read nothing in silence as something else: what a file says beside its objects, and rows."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from closerthan_lab.commands.check import check
from closerthan_lab.commands.convert import convert
from closerthan_lab.files import read_answers
from files.programs import named, put, workbook

ASKED = "anchor,left,right,response"
TRIPLETS = "anchor,near,far"
SCREEN = {"trial_type": "html-button-response", "trial_index": 0, "time_elapsed": 9}
READ, REFUSED = {}, {}


def is_read(name, text, expected, **options):
    READ[name] = text, expected.split("; "), options


def is_refused(name, text, message, **options):
    REFUSED[name] = text, message, options


def rows(header, *lines):
    return "\n".join([header, *lines, ""])


# What was picked or ranked is among what was shown.
FACES = rows("Face,P1,P2,P3,clicked", *("f9,f1,f2,f3,P2|P3|P1", "f8,f3,f1,f2,P1|P2|P3"))
RANKED = "anchor,candidate_1,candidate_2,candidate_3,ranking"
own = {"anchor": "Face", "ranking": "clicked"}
is_refused(
    "titles are ranked", FACES, "names of columns.*'candidates': .'P1', 'P2', 'P3'", columns=own
)
own = own | {"candidates": ["P1", "P2", "P3"]}
in_order = "f9 f2 f3; f9 f2 f1; f9 f3 f1; f8 f3 f1; f8 f3 f2; f8 f1 f2"
is_read("titles of candidates are ranked", FACES, in_order, columns=own)
is_refused(
    "letters are ranked", rows(RANKED, "a,b,c,d,B|A|C"), "'A', 'B', 'C', which may be places"
)
is_refused("numbers are ranked", rows(RANKED, "a,b,c,d,2|1|3"), "may be places .* ranks")
is_read("candidates are ranked", rows(RANKED, "a,b,c,d,d|b"), "a d b")

# Two columns may hold the answer.
for other, cells in (("chosen", "c"), ("key_resp.keys", "right"), ("button_pressed", "f")):
    text = rows(f"anchor,left,right,answer,{other}", f"a,b,c,left,{cells}", f"b,c,a,right,{cells}")
    is_refused(
        f"two answers, {other}", text, f"two columns may hold the answer, 'answer'.* '{other}'"
    )
is_read("one of two answers", text, "a b c; b a c", columns={"response": "answer"})
picks = rows("anchor,left,right,answer,chosen", "a,b,c,left,c", "b,c,a,right,c")
is_read("what was chosen", picks, "a c b; b c a", columns={"chosen": "chosen"})
expected = rows(f"{ASKED},correct_response", "a,b,c,left,right", "b,c,a,right,right")
is_read("the expected answer", expected, "a b c; b a c")

# Practice and checks are no answers.
PRACTICE = ["practice", "PracticeTrial", "training", "warm-up", "prac", "example"]
for word in [*PRACTICE, "catch", "attention check", "catchTrial", "attn"]:
    text = rows("object_1,object_2,object_3,odd,block", "a,b,c,b," + word, "a,b,d,d,main")
    is_read(f"a block of {word}", text, "a b d; b a d")
    text = rows(f"{TRIPLETS},part_of_the_study", "a,b,c," + word, "b,a,c,main")
    is_refused(f"an unknown column of {word}", text, "practice and checks are no answers")
is_read("all are answers", text, "a b c; b a c", columns={"kind": None})
is_read("it is a kind", text, "b a c", columns={"kind": "part_of_the_study"})
is_read("rows are named", text, "b a c", where={"part_of_the_study": "main"})
for title in ("practice", "is_practice", "catch_trial", "isCheck"):
    for yes, no in (("yes", "no"), ("1", "0"), ("TRUE", "FALSE")):
        text = rows(f"{TRIPLETS},{title}", f"a,b,c,{yes}", f"b,a,c,{no}")
        is_read(f"{title} is {yes}", text, "b a c")
passed = rows(f"{TRIPLETS},attention_check", "a,b,c,1", "b,a,c,1")
is_refused("everybody passed", passed, "column 'attention_check' holds '1', and may tell")
each = rows(f"{TRIPLETS},user,attention_check", *("a,b,c,x,1", "b,a,c,x,1", "c,a,b,y,0"))
is_refused("a flag of people", each, "column 'attention_check' holds '1', '0', and may tell")
is_read("a flag that is named", each, "c a b", columns={"kind": "attention_check"})
is_read("a flag or nothing", rows(f"{TRIPLETS},practice", "a,b,c,1", "b,a,c,"), "b a c")
of_results = rows(f"{TRIPLETS},attention_passed", "a,b,c,1", "b,a,c,0")
is_read("the result of a check", of_results, "a b c; b a c")
is_read(
    "two columns of kinds",
    rows(f"{TRIPLETS},block,catch", "a,b,c,training,0", "a,c,d,x,1", "b,a,c,x,0"),
    "b a c",
)
is_read("the anchor again", rows(ASKED, "a,a,c,left", "b,c,a,right"), "b a c")
lists = {
    "practice": [{"anchor": "a", "near": "b", "far": "c"}],
    "trials": [{"anchor": "b", "near": "a", "far": "c"}],
}
is_read("a list of practice", {"a.json": json.dumps(lists)}, "b a c")

# Columns that change what counts must be able to.
for title, cells in (
    ("count", "0 1 2"),
    ("count", "1 2 1"),
    ("weight", "71 71 58"),
    ("screen", "800x600 800x600 9x9"),
):
    text = rows(
        f"{TRIPLETS},{title}", *map("{},{}".format, ("a,b,c", "b,c,a", "c,a,b"), cells.split())
    )
    is_read(f"{title} of {cells}", text, "a b c; b c a; c a b")
is_read(
    "a weight that is named",
    rows(f"{TRIPLETS},weight", "a,b,c,71"),
    "a b c",
    columns={"weight": "weight"},
)
is_read("k of n", rows("anchor,first,second,votes_first,votes", "a,b,c,2,3"), "a b c; a b c; a c b")
is_refused(
    "k above n", rows("anchor,first,second,votes_first,votes", "a,b,c,4,3"), "more than all votes"
)

# Lines above the header, and rows that are longer or shorter than it
for n, above in ((1, "# a study"), (3, "group,name\n1,anon\n"), (1, "C:\\data.emrg2")):
    text = f"{above}\n" + rows(ASKED.replace(",", "\t"), "a\tb\tc\tleft")
    is_refused(f"lines above: {above}", text, f"line {n + 1} names the columns.*skip_lines={n}")
    is_read(f"no lines above: {above}", text, "a b c", skip_lines=n)
is_read(
    "cells that all rows lack", rows(f"{TRIPLETS},Approve,Reject", "a,b,c", "b,c,a"), "a b c; b c a"
)
is_refused("a known column is cut", rows(f"x,{TRIPLETS},user", "1,a,b,c", "2,b,c,a"), "4 cells")
is_read(
    "a table of R",
    '"anchor" "near" "far"\n"1" "a b" "c" "d"\n"2" "c" "d" "a b"\n',
    "a b c d; c d a b",
)
is_read("a comma at the end", rows(TRIPLETS, "a,b,c,", "b,c,a,"), "a b c; b c a")
two = workbook(one=[["x"], [1]], two=[["anchor", "near", "far"], ["a", "b", "c"]])
is_read("one sheet", {"a.xlsx": two}, "a b c", sheet="two")
is_refused("no such sheet", {"a.xlsx": two}, "no sheet 'three' .* 'one', 'two'", sheet="three")
is_refused("no sheets", rows(TRIPLETS, "a,b,c"), "sheet= has no effect", sheet="two")

# Objects that are numbers, and anchors of other names
is_read("fractions", rows(TRIPLETS, "0.25,0.50,1.0", "0.5,0,1"), "0.25 0.5 1; 0.5 0 1")
for name in ("target", "standard", "sample", "anchor_text"):
    is_read(f"an anchor called {name}", rows(f"{name},near,far", "a,b,c"), "a b c")

# Folders with other tables, and files that begin others
ANSWERS = rows(TRIPLETS, "a,b,c", "b,c,a")
OTHERS = {"README.txt": "the data of us", "export.csv": "Submission id,Status\n1,APPROVED\n"}
is_read("other tables in a folder", {"answers.csv": ANSWERS} | OTHERS, "a b c; b c a")
begun = rows(f"{TRIPLETS},rt", "a,b,c,700")
timed = rows(f"{TRIPLETS},rt", "a,b,c,700", "b,c,a,800", "c,a,b,900")
is_read(
    "a file that begins another", {"p1.csv": timed, "p1.part.csv": begun}, "a b c; b c a; c a b"
)

# Keys and signs
keys = [
    SCREEN
    | {
        "trial_type": "html-keyboard-response",
        "anchor": "a",
        "left": "b",
        "right": "c",
        "response": k,
    }
    for k in "10"
]
is_refused("1 and 0 are keys", {"a.json": json.dumps(keys)}, "'0' may be a key or a position")
shown = {"stimulus": "a.png", "choices": ["b.png", "c.png"]}
placed = [SCREEN | {"trial_type": "html-keyboard-response"} | shown | {"response": k} for k in "10"]
is_read("places in trials of keys", {"a.json": json.dumps(placed)}, "a c b; a b c")
ratings = rows("item A,item B,similarity", "a,b,3", "b,c,5")
is_refused("ratings", ratings, "ratings of pairs")


@pytest.mark.parametrize("case", READ)
def test_what_is_read(case, read):
    files, expected, options = READ[case]
    assert named(read(files, **options)) == expected


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case, refused):
    files, message, options = REFUSED[case]
    refused(files, message, **options)


def lines(table):
    return check(table, fit_maps=False).text().splitlines()


def test_the_reading_is_said_first(read):
    text = rows("ref,stim1,stim2,key,weight,trial", "ape,bee,cat,left,1,1", "bee,cat,ape,right,2,2")
    own = {"anchor": "ref", "first": "stim1", "second": "stim2", "response": "key"}
    said = "Line 2: ape is more like bee than like cat (anchor=ref, first=stim1, second=stim2, "
    said += "response=key; weight=weight)."
    assert lines(read(text, columns=own))[:2] == [said, "Not used: trial."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            rows("objects,odd", "a|b|c,b"),
            "Line 2: b is the odd one of a, b, c (objects=objects, odd=odd).",
        ),
        (
            rows("anchor,ranking", "a,b|c|d"),
            "a is more like b than like c, and 2 more comparisons (",
        ),
        (rows(ASKED, "a,b,c,tie"), "Line 2: a is as much like b as like c ("),
        (rows("near_1,near_2,far_1,far_2", "a,b,c,d"), "a and b are more alike than c and d ("),
    ],
)
def test_the_first_answer_in_words(text, said, read):
    assert said in lines(read(text))[0]


def test_doubts_are_said(read):
    doubt = "No anchor is ever an alternative, as with preferences or search results."
    assert doubt in lines(
        read(rows("query,left,right,chosen", *["which,a,b,b", "which,b,c,c", "which,a,c,c"]))
    )
    table = read(timed + "\n".join(timed.splitlines()[1:]))
    assert any(
        line.startswith("Exact copies of earlier rows: 3 (line 5, 6, 7).") for line in lines(table)
    )
    assert "2 rows left out by --where or --without." in lines(read(timed, where={"rt": "700"}))


def test_files_that_are_not_read_are_named(read):
    table = read({"answers.csv": ANSWERS} | OTHERS)
    assert table.unused_files == ["README.txt", "export.csv"]
    assert read({"p1.csv": timed, "p1.part.csv": begun}).unused_files == ["p1.part.csv"]


def test_tables_and_texts_in_memory():
    frame = pd.DataFrame({"anchor": [0, 1], "near": [1, 2], "far": [2, 0], "time": [np.nan, 2.5]})
    table = read_answers(frame)
    assert named(table) == ["0 1 2", "1 2 0"] and table.lines.tolist() == [0, 1]
    np.testing.assert_array_equal(table.answers.time, [np.nan, 2.5])
    assert named(read_answers(io.StringIO(ANSWERS))) == ["a b c", "b c a"]
    with pytest.raises(ValueError, match="the DataFrame, row 1: near: '' is a missing value"):
        read_answers(pd.DataFrame({"anchor": ["a", "b"], "near": ["b", None], "far": ["c", "a"]}))
    with pytest.raises(FileNotFoundError, match="the path is empty"):
        read_answers("")


def test_people_and_times_of_other_names(read):
    table = read(rows(f"{TRIPLETS},prolific_pid,rt", "a,b,c,x,700", "b,c,a,y,1300"))
    assert table.answers.participant.tolist() == ["x", "y"]
    assert table.answers.time.tolist() == [0.7, 1.3]
    assert read(rows(f"{TRIPLETS},pid,rt", "a,b,c,,late")).ignored == ["pid", "rt"]
    assert read(rows(f"{TRIPLETS},time", "a,b,c,1714550000")).ignored == ["time"]


def test_a_file_is_not_replaced_by_what_is_read_of_it(tmp_path):
    path = put(tmp_path, rows(f"{TRIPLETS},group", "a,b,c,x", "b,c,a,y"))
    table = read_answers(path, where={"group": "x"})
    with pytest.raises(ValueError, match="this is the file of the answers"):
        convert(table, path, overwrite=True)
    converted = convert(table, tmp_path / "b.csv")
    assert converted.lost == ["1 row that were left out"]


def test_a_cell_far_from_the_others(refused):
    far = workbook(one=[["anchor", "near", "far"], ["a", "b", "c"]])
    far = far.replace(b"<row><c t=", b'<row><c r="XFD1048576" t=', 1)
    refused({"a.xlsx": far}, "XFD1048576|not a complete workbook")


def test_rows_of_a_program_that_occur_twice_are_named(read):
    asked = SCREEN | {"anchor": "a", "left": "b", "right": "c", "response": 0}
    rows = [asked | {"time_elapsed": time} for time in (9, 99, 9)]
    assert read({"a.json": json.dumps(rows)}).copies == [3]


@pytest.mark.parametrize(("title", "cells"), [("practice", "1 0"), ("block", "training main")])
def test_kinds_in_the_file_of_a_program(title, cells, read):
    salmon = f"head,left,right,winner,loser,puid,{title}"
    lines = map("{},p,{}".format, ("a,b,c,b,c", "b,a,c,c,a"), cells.split())
    table = read(rows(salmon, *lines))
    assert named(table) == ["b c a"] and table.left_out == {"practice": 1}
    table = read(
        rows(salmon, *map("{},p,{}".format, ("a,b,c,b,c", "b,a,c,c,a"), cells.split())),
        columns={"kind": None},
    )
    assert len(table.answers) == 2
