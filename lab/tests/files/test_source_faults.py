"""Files of other programs as people have them: what is read right, and what is refused."""

import gzip
import json
import re
import zipfile

import numpy as np
import pytest

from closerthan_lab.commands.check import check
from closerthan_lab.commands.convert import convert
from closerthan_lab.files.values import kind_of
from files.programs import as_csv, named, put, workbook, zipped

TRIPLETS = "anchor,near,far\n"
SALMON = "head,left,right,winner,loser,puid,response_time\n"
NEXT = "Participant ID,Center,Left,Right,Answer,Alg Label,Response Time\n"
HEAD = {"trial_type": "html", "trial_index": 0, "time_elapsed": 1}
CONSENT = {"stimulus": "Go on", "choices": '["Agree","Disagree"]', "response": 0}
IN_ORDER = ["a b c", "a c b"]
READ, REFUSED = {}, {}


def is_read(name, files, expected, **options):
    READ[name] = files, expected, options


def is_refused(name, files, message, **options):
    REFUSED[name] = files, message, options


def screens(*rows, **same):
    """Return a file of jsPsych: a row for each dict, and what is the same in all."""
    rows = [HEAD | same | row for row in rows]
    return as_csv(rows, list(dict.fromkeys(name for row in rows for name in row)))


def asked(anchor, first, second, response=0, **more):
    return {"stimulus": anchor, "choices": json.dumps([first, second]), "response": response} | more


def own(*responses, **more):
    """Return questions whose stimuli are in columns of the experiment's own."""
    question = {"anchor": "a", "left": "b", "right": "c"} | more
    return [question | {"response": response} for response in responses]


def picked(*responses, **more):
    return screens(*own(*responses, **more))


# jsPsych: stimuli
HTML = ['<img src="img/red apple.png">', "<img src='img/green pea.png'>", "<img src=c.png>"]
APES = [asked("<p>ape</p>", "bee &amp; <b>co</b>", "cat"), asked("<p>fox</p>", "ape", "cat", 1)]
PICTURES = [f"{name}.png" for name in "abc"]
CLASH = asked("<p class='x'>A</p>", "<p>A</p>", "B")
THREE = {"object_1": "a", "object_2": "b", "object_3": "c"}
is_read("HTML", screens(asked(*HTML)), ["red apple green pea c"])
is_read("words", screens(*APES), ["ape bee & co cat", "fox cat ape"])
for shown in (PICTURES, list("abc")):
    prompt = {"stimulus": "Click the odd one.", "choices": json.dumps(shown)}
    is_read(
        f"a prompt in place of the anchor, {shown}",
        screens(prompt | {"response": 2}, prompt | {"response": 0}),
        ["a b c", "b a c", "b c a", "c b a"],
        form="odd-one-out",
    )
python_list = asked("ape", "x", "y") | {"choices": """["it's", 'bee']"""}
is_read("a Python list", screens(python_list), ["ape it's bee"])
is_read("a query", screens(asked("i/a.png?v=1", "b.png?v=1", "c.png")), ["a b c"])
same = asked("x/a.png", "y/a.png", "x/b.png")
is_read("one name in two folders", screens(same), ["x/a.png y/a.png x/b.png"])
is_refused("one text in two ways", screens(CLASH), "'<p>A</p>' and .*<p class='x'>A</p>.* show the")
half = asked("a", "b", "c") | {"choices": '["a","b'}
is_refused("half a list", screens(asked("a", "b", "c"), half), "line 3: choices: .* is no list")

# jsPsych: responses
is_read("from 1", picked(1, 2), IN_ORDER)
for keys in ["fj", "kl", "al", "jk", ("37", "39"), ("70", "74"), ("75", "76")]:
    is_read(f"keys {keys}", picked(*keys), IN_ORDER)
is_read("keys as choices", screens(CONSENT, *own("f", "j", choices='["f","j"]')), IN_ORDER)
is_refused("only j", picked("j", "j"), "'j' is the only key")
is_refused("only 1", picked(*[1] * 20), "in 20 presses there is neither a 0 nor")
is_refused("all rows faulty", picked(7, 8), "line 2: response: '7' is none of the 2")
array = json.dumps([question | HEAD for question in own(0, 1, 7)])
is_refused("rows of an array", {"a.json": array}, "row 3: response: '7'")
is_refused("nobody answered", picked("null"), "no trial is an answer|nothing was picked")
arrow = screens(THREE | {"response": "arrowright"})
is_refused("an arrow of three", arrow, "'arrowright' is none of the 3 choices", form="odd-one-out")
two = {"objects": ["left", "right"]}
is_refused("several columns", picked(0), "takes one for each", columns=two)

# jsPsych: trials that are no answers
flagged = asked("b.png", "a.png", "c.png", validation="true")
is_read("a flag in some rows", screens(asked(*PICTURES), flagged), ["a b c", "b a c"])
kinds = screens(asked(*PICTURES, samplealg="random"), asked("d.png", "e.png", "f.png"))
is_read("a kind on each trial", kinds, ["a b c"])
for name, yes, no in [
    ("practice", "Yes", "no"),
    ("practice", "practice", "f"),
    ("is_catch", 1.0, 0.0),
]:
    flags = screens(*own(0, **{name: yes}), *own(1, **{name: no}))
    is_read(f"{name} is {yes} or {no}", flags, ["a c b"])
is_read("a group of controls", picked(0, task="control"), ["a b c"])
maybe = screens(*own(0), *own(1, practice="maybe"))
is_refused("an unknown flag", maybe, "practice holds '', 'maybe', no true and false")
all_of_it = screens(*own(0, 1, is_practice="true"))
is_refused("only practice", all_of_it, "no trial is an answer; the kinds are 2 practice")

# Salmon and NEXT
is_read("Salmon, the winner not shown", SALMON + "a,b,c,d,c,p,1\n", ["a d c"])
is_refused("Salmon, a winner of nowhere", SALMON + "a,b,c,d,b,p,1\n", "chosen: 'd' is neither")
is_read("NEXT, milliseconds", NEXT + "p,a,b,c,b,R,450\n", ["a b c"])
# Folders and archives
TWO = {"a.csv": TRIPLETS + "a,b,c\n", "b.csv": TRIPLETS + "a,c,b\n"}
groups = {"a.csv": "g,anchor,near,far\nx,a,b,c\n", "b.csv": "g,anchor,near,far\ny,a,c,b\n"}
is_read("without a participant", TWO, ["a c b"], without=["a"])
is_read("no row of one file", groups, ["a b c"], where={"g": "x"})
is_read("nobody answered in one file", {"a.csv": picked(0), "b.csv": picked("null")}, ["a b c"])
is_refused("no row anywhere", groups, "no row holds 'z'", where={"g": "z"})
is_refused("an unknown person", TWO, "no file is of 'z'", without=["z"])
is_refused("nobody else", TWO, "no other participant is left", without=["a", "b"])
for other, message in {
    "objects,odd\na|b|c,c\n": "their form: a.csv has triplets, b.csv has odd-one-out",
    "anchor,near,far\n0,1,2\n": "their objects: a.csv has names, b.csv has ids",
    "anchor,near,far\r\na,b,c\r\n": "b.csv holds the same answers as a.csv; keep one",
    "anchor,near,far\na,b\n": "b.csv.*line 2: 2 cells",
    "head,left,right,winner,puid\na,b,c,b,z\n": "source: a.csv has table, b.csv has Salmon",
}.items():
    is_refused(message, TWO | {"b.csv": other}, message)
is_refused("an archive in a folder", TWO | {"c.zip": b""}, "c.zip is an archive within")
is_refused("half a workbook in a folder", TWO | {"d/c.xls": b""}, "c.xls: not a complete workbook")


def archive(content):
    return {"a.zip": content}


def with_field(place, value):
    """Return an archive of two files with one byte in both headers of each changed."""
    content = bytearray(zipped(*TWO.items()))
    for mark, start in ((b"PK\3\4", 0), (b"PK\1\2", 2)):
        for found in re.finditer(re.escape(mark), content):
            content[found.start() + start + place] = value
    return archive(bytes(content))


whole = zipped(*TWO.items())
is_refused("half an archive", archive(whole[: len(whole) // 2]), "not a complete zip archive")
wrong = archive(whole.replace(b"a,c,b", b"a,d,b"))
is_refused("wrong bytes in an archive", wrong, r"b.csv: not a whole file of a zip \(Bad CRC")
is_refused("an encrypted archive", with_field(6, 1), r"a.csv: not a whole file .* is encrypted")
is_refused("an unknown method", with_field(8, 99), r"a.csv: not a whole file .* not supported")

# psiz
for name in ("judged_displays", "display_info"):
    is_refused(f"{name} of psiz", {f"x_{name}.txt": "4,2,7,0\n"}, "write a table with the columns")
bare = {"source": "spose", "where": {"x": "y"}}
is_refused("rows without a header", "0 1 2\n", "where= needs names of columns", **bare)


@pytest.mark.parametrize("case", READ)
def test_read(case, read):
    files, expected, options = READ[case]
    assert named(read(files, **options)) == expected


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, refused, tmp_path):
    files, message, options = REFUSED[case]
    text = refused(files, message, **options)
    assert text.startswith(str(tmp_path)) and "\n" not in text


def test_a_file_that_is_in_an_archive_twice(refused):
    with pytest.warns(match="Duplicate name"):
        twice = zipped(("a.csv", "x"), ("a.csv", "y"))
    refused(archive(twice), "a.csv is in it twice")


def test_a_small_archive_with_much_in_it(refused, monkeypatch):
    monkeypatch.setattr("closerthan_lab.files.folders._BOMB", (10**5, 200))
    many = zipped(("a.csv", b"\n" * 10**6), method=zipfile.ZIP_DEFLATED)
    refused(archive(many), r"unpacked it has 0\.0 GB, too many")


def test_seconds(read):
    """Unknown times are no faults; of NEXT, times with a large median are milliseconds."""
    for files, expected in [
        (screens(*own(0, 1, 0, rt="NA"), *own(0, rt="-1"), *own(1, rt=500)), [np.nan] * 4 + [0.5]),
        (SALMON + "a,b,c,b,c,p,NA\na,b,c,c,b,p,-1\na,b,c,b,c,p,700.5\n", [np.nan, np.nan, 700.5]),
        (NEXT + "p,a,b,c,b,R,99\np,a,b,c,c,R,9\np,a,b,c,c,R,200\n", [99, 9, 200]),
        (NEXT + "p,a,b,c,b,R,450\np,a,b,c,c,R,550\n", [0.45, 0.55]),
    ]:
        np.testing.assert_array_equal(read(files).answers.time, expected)


@pytest.mark.parametrize("text", ["control", "not practice", "no check", "non-catch", "main"])
def test_words_that_are_answers(text):
    assert kind_of(text) is None


def test_people_by_the_names_of_their_files(read):
    files = {"s.01.csv.gz": gzip.compress(TWO["a.csv"].encode()), "s.02.csv": TWO["b.csv"]}
    assert read(files).answers.participant.tolist() == ["s.01", "s.02"]
    files = {f"r{n}/data.csv": text for n, text in enumerate(TWO.values())}
    files |= {"notes.md": "", "r1/left.csv": picked("null")}
    whole = zipped(*files.items(), ("__MACOSX/r0/._data.csv", b"\0\0"))
    for some in (files, archive(whole)):
        table = read(some)
        assert table.answers.participant.tolist() == ["r0/data", "r1/data"]
        assert table.lines_of([1]) == ["r1/data.csv:2"]
        assert table.unused_files == ["notes.md", "r1/left.csv"]
    assert "not read: 'notes.md'" in check(table, fit_maps=False).text()


def test_names_are_shortened_after_joining(read):
    files = {f"{kind}.csv": screens(asked(*(f"{kind}/{n}.png" for n in "xyz"))) for kind in "ba"}
    assert named(read(files)) == ["a/x.png a/y.png a/z.png", "b/x.png b/y.png b/z.png"]
    files["b.csv"] = screens(asked("c/w.png", "a/z.png", "a/x.png"))
    assert named(read(files)) == ["x y z", "w z x"]


def test_the_cells_of_a_sheet(read, refused):
    """A wrong size of the sheet cuts nothing, and a cell right of the header is a fault."""
    rows = ["anchor", "near", "far"], ["a", "b", "c"], ["a", "c", "b"], ["c", "b", "a", 1]
    sheet = {"a.xlsx": workbook(one=rows)}
    refused(sheet, "row 4: 4 cells, 'c', 'b', 'a', '1'; the first row has 3")
    table = read(sheet, skip_bad_rows=True)
    assert named(table) == IN_ORDER and table.skipped[0][0] == 4


@pytest.mark.parametrize(
    ("text", "file", "message"),
    [
        ('"x\ny",b,c\n', "a.npy", "the name .* has several lines"),
        ("007,7,1\n", "b.csv", "two ids are the same number"),
        ("a,b,c\n", "c.npy", "c.names.txt: the file exists; name another"),
        ("a,b,c\n", "d.csv", "this is a folder; give the name"),
        ("a,b,c\n", "e.npy.gz", r"the name must end in .csv, .csv.gz,"),
    ],
)
def test_not_written(text, file, message, tmp_path):
    path = put(tmp_path, {"x.csv": TRIPLETS + text})
    put(tmp_path, {"c.names.txt": "precious"})
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(ValueError, match=message):
        convert(path, tmp_path / file)
    assert not (tmp_path / file).is_file()


def test_lost_weights_are_named(tmp_path):
    head = "object_1,object_2,object_3,odd,weight\n1,2,3,1,"
    for weight, lost in (("1", []), ("2", ["weights"])):
        path = put(tmp_path, head + f"{weight}\n7,8,9,9,1\n")
        assert convert(path, tmp_path / "a.txt", overwrite=True).lost[: len(lost)] == lost
