"""Files of other programs as people have them: what is read right, and what is refused."""

import gzip
import io
import json
import re
import zipfile

import numpy as np
import pytest

from closerthan_lab.commands.check import check
from closerthan_lab.commands.convert import convert
from closerthan_lab.files import read_answers
from closerthan_lab.files.values import kind_of
from files.programs import as_csv, workbook

TRIPLETS = "anchor,near,far\n"
SALMON = "head,left,right,winner,loser,puid,response_time\n"
NEXT = "Participant ID,Center,Left,Right,Answer,Alg Label,Response Time\n"
TOOLS = "head,winner,loser,center,left,right,answer,worker_id\n"
HEAD = {"trial_type": "html", "trial_index": 0, "time_elapsed": 1}
CONSENT = {"stimulus": "Go on", "choices": '["Agree","Disagree"]', "response": 0}


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


def zipped(*files, method=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


def write(folder, files):
    files = files if isinstance(files, dict) else {"a.csv": files}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder if len(files) > 1 else folder / next(iter(files))


def triplets(table):
    """Return the comparisons as words of three names."""
    return [" ".join(names) for names in table.names[table.answers.comparisons].tolist()]


HTML = ['<img src="img/red apple.png">', "<img src='img/green pea.png'>", "<img src=c.png>"]
ODD = {"stimulus": "Click the odd one.", "choices": '["a.png","b.png","c.png"]'}
WORDS = '["a","b","c"]'
APES = [asked("<p>ape</p>", "bee &amp; <b>co</b>", "cat"), asked("<p>fox</p>", "ape", "cat", 1)]
IN_ORDER = ["a b c", "a c b"]

READ = {
    "HTML": (screens(asked(*HTML)), {}, ["red apple green pea c"]),
    "words": (screens(*APES), {}, ["ape bee & co cat", "fox cat ape"]),
    "a prompt in place of the anchor": (
        screens(ODD | {"response": 2}, ODD | {"response": 0}),
        {"form": "odd-one-out"},
        ["a b c", "b a c", "b c a", "c b a"],
    ),
    "a prompt above words": (
        screens(ODD | {"choices": WORDS, "response": 2}, ODD | {"choices": WORDS, "response": 0}),
        {"form": "odd-one-out"},
        ["a b c", "b a c", "b c a", "c b a"],
    ),
    "only some rows have a flag": (
        screens(
            asked("a.png", "b.png", "c.png"), asked("b.png", "a.png", "c.png", validation="true")
        ),
        {},
        ["a b c", "b a c"],
    ),
    "a kind on each trial": (
        screens(
            asked("a.png", "b.png", "c.png", samplealg="random"), asked("d.png", "e.png", "f.png")
        ),
        {},
        ["a b c"],
    ),
    "keys as choices": (screens(CONSENT, *own("f", "j", choices='["f","j"]')), {}, IN_ORDER),
    "a Python list": (
        screens(asked("ape", "x", "y") | {"choices": """["it's", 'bee']"""}),
        {},
        ["ape it's bee"],
    ),
    "a query after a picture": (screens(asked("i/a.png?v=1", "b.png?v=1", "c.png")), {}, ["a b c"]),
    "one name in two folders": (
        screens(asked("x/a.png", "y/a.png", "x/b.png")),
        {},
        ["x/a.png y/a.png x/b.png"],
    ),
    "from 0": (picked(0, 1), {}, IN_ORDER),
    "from 1": (picked(1, 2), {}, IN_ORDER),
    "practice": (screens(*own(0, 1, practice="Yes"), *own(0, practice="no")), {}, ["a b c"]),
    "a check": (screens(*own(0, is_catch="1.0"), *own(1, is_catch="0.0")), {}, ["a c b"]),
    "a flag in words": (
        screens(*own(0, practice="practice"), *own(1, practice="f")),
        {},
        ["a c b"],
    ),
    "a group of controls": (picked(0, task="control"), {}, ["a b c"]),
    "JATOS": (
        {"a.txt": "\n".join(json.dumps([q | HEAD]) for q in own(0, 1))},
        {},
        IN_ORDER,
    ),
    "Salmon, the winner not shown": (SALMON + "a,b,c,d,c,p,1\n", {}, ["a d c"]),
    "NEXT, milliseconds": (NEXT + "p,a,b,c,b,R,450\n", {}, ["a b c"]),
    "one id and one name": (TOOLS + "0,1,2,a,b,c,b,p\n0,2,1,a,b,c,c,p\n", {}, IN_ORDER),
    "without a participant": (
        {"a.csv": TRIPLETS + "a,b,c\n", "b.csv": TRIPLETS + "a,c,b\n"},
        {"without": ["a"]},
        ["a c b"],
    ),
    "where one file has no row": (
        {"a.csv": "g,anchor,near,far\nx,a,b,c\n", "b.csv": "g,anchor,near,far\ny,a,c,b\n"},
        {"where": {"g": "x"}},
        ["a b c"],
    ),
    "nobody answered in one file": ({"a.csv": picked(0), "b.csv": picked("null")}, {}, ["a b c"]),
}
READ |= {
    f"keys {left} and {right}": (picked(left, right), {}, IN_ORDER)
    for left, right in ["fj", "kl", "al", "jk", ("37", "39"), ("70", "74"), ("75", "76")]
}


@pytest.mark.parametrize("case", READ)
def test_read(case, tmp_path):
    files, options, expected = READ[case]
    assert triplets(read_answers(write(tmp_path, files), **options)) == expected


CLASH = [asked("<p class='x'>A</p>", "<p>A</p>", "B")]
TWO = {"a.csv": TRIPLETS + "a,b,c\n", "b.csv": TRIPLETS + "a,c,b\n"}
PSIZ = "assignment_id,n_select,is_ranked,response_time_s\n7,1,1,2\n"


def displays(shown="4,2,7,0\n", facts=PSIZ):
    return {"x_judged_displays.txt": shown, "x_display_info.txt": facts}


def with_field(place, value):
    """Return an archive of one file with two bytes in both of its headers set."""
    content = bytearray(zipped(*TWO.items()))
    for mark, start in ((b"PK\3\4", 0), (b"PK\1\2", 2)):
        for found in re.finditer(re.escape(mark), content):
            content[found.start() + start + place] = value
    return {"a.zip": bytes(content)}


REFUSED = {
    "the same text in two ways": (
        screens(*CLASH),
        {},
        "'<p>A</p>' and .*<p class='x'>A</p>.* show the same text, 'A'",
    ),
    "half a list": (
        screens(asked("a", "b", "c"), {"choices": '["a","b'}),
        {},
        "line 3: choices: .* is no list",
    ),
    "arrow keys of three": (
        screens({"object_1": "a", "object_2": "b", "object_3": "c", "response": "arrowright"}),
        {"form": "odd-one-out"},
        "'arrowright' is none of the 3 choices",
    ),
    "only j": (picked("j", "j"), {}, "'j' is the only key"),
    "only 1": (picked(*[1] * 20), {}, "in 20 presses there is neither a 0 nor"),
    "an unknown flag": (
        screens(*own(0), *own(1, practice="maybe")),
        {},
        "line 3: practice: 'maybe' is neither true",
    ),
    "nobody answered": (picked("null"), {}, "no trial is an answer|nothing was picked"),
    "all rows faulty": (screens(*own(7, 8)), {}, "line 2: response: '7' is none of the 2"),
    "several columns": (
        picked(0),
        {"columns": {"objects": ["left", "right"]}},
        "columns= names several columns",
    ),
    "Salmon, a winner of nowhere": (SALMON + "a,b,c,d,b,p,1\n", {}, "chosen: 'd' is neither"),
    "one id, two names": (
        TOOLS + "0,1,2,a,b,c,b,p\n0,1,2,x,b,c,b,p\n",
        {},
        "line 3: head: '0' stands for 'x' and for 'a'",
    ),
    "one name, two ids": (
        TOOLS + "0,1,2,a,b,c,b,p\n0,1,3,a,b,c,b,p\n",
        {},
        "line 3: loser: 'c' stands for '3' and for '2'",
    ),
    "roles differ": (
        TOOLS + "0,1,2,a,b,c,b,p\n1,0,2,a,b,c,b,p\n",
        {},
        "line 3: head: 'a' stands for '1' and for '0'",
    ),
    "rows of an array": (
        {"a.json": json.dumps([q | HEAD for q in own(0, 1, 7)])},
        {},
        "row 3: response: '7'",
    ),
    "ids in an array": (
        {
            "a.json": json.dumps(
                [
                    dict(zip(TOOLS.strip().split(","), row, strict=True))
                    for row in ("012abcbp", "012xbcbp")
                ]
            )
        },
        {},
        "row 2: head: '0' stands for 'x' and for 'a'$",
    ),
    "rows without a header": (
        "0 1 2\n",
        {"source": "spose", "where": {"x": "y"}},
        "where= needs names of columns",
    ),
    "two copies": (
        {"a.csv": TWO["a.csv"], "b.csv": TWO["a.csv"].replace("\n", "\r\n")},
        {},
        "b.csv holds the same answers as a.csv",
    ),
    "an archive in a folder": ({**TWO, "c.zip": b""}, {}, "c.zip is an archive within"),
    "no workbook in a folder": ({**TWO, "d/c.xls": b""}, {}, "c.xls: not a complete workbook"),
    "an unknown person": (TWO, {"without": ["z"]}, "no file is of 'z'"),
    "nobody else": (TWO, {"without": ["a", "b"]}, "no other participant is left"),
    "no row anywhere": (
        {name: "g," + text.replace("\na", "\nx,a") for name, text in TWO.items()},
        {"where": {"g": "z"}},
        "no row holds 'z'",
    ),
    "a file in an archive twice": (
        lambda: {"a.zip": zipped(("a.csv", "x"), ("a.csv", "y"))},
        {},
        "a.csv is in it twice",
    ),
    "wrong bytes in an archive": (
        {"a.zip": zipped(*TWO.items()).replace(b"a,c,b", b"a,d,b")},
        {},
        r"b.csv: not a whole file of a zip \(Bad CRC",
    ),
    "an encrypted archive": (with_field(6, 1), {}, r"a.csv: not a whole file .* is encrypted"),
    "an unknown method": (with_field(8, 99), {}, r"a.csv: not a whole file .* not supported"),
    "is_ranked": (
        displays(facts=PSIZ.replace("1,1,2", "1,-,2")),
        {},
        "info.txt, line 2: is_ranked: '-'",
    ),
    "n_select": (
        displays(facts=PSIZ.replace("1,1,2", "3,1,2")),
        {},
        "line 1: n_select is as large as",
    ),
    "a gap": (displays("4,-1,7,0\n"), {}, "line 1: an empty cell before others"),
    "no query": (displays("-1,2,7,0\n"), {}, "line 1: an empty cell before others"),
    "empty facts": (displays(facts=""), {}, "x_display_info.txt: empty"),
    "facts in Latin 1": (
        displays(facts=PSIZ.encode() + b"\xe9,1,1,1\n"),
        {},
        "x_display_info.txt, line 3: byte 0xe9",
    ),
    "ragged facts": (displays(facts=PSIZ + "1,2,3,4,5\n"), {}, "x_display_info.txt: not a table"),
    "a short display": (
        displays("4,2,7,0\n1,2\n3,2,7,0\n", PSIZ + "7,1,1,2\n"),
        {"skip_bad_rows": True},
        "line 2: 2 cells",
    ),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, tmp_path):
    files, options, message = REFUSED[case]
    files = files() if callable(files) else files
    with pytest.raises(ValueError, match=message) as caught:
        read_answers(write(tmp_path, files), **options)
    assert str(caught.value).startswith(str(tmp_path)) and "\n" not in str(caught.value)


def test_a_small_archive_with_much_in_it(tmp_path, monkeypatch):
    monkeypatch.setattr("closerthan_lab.files.folders._BOMB", (10**5, 200))
    many = zipped(("a.csv", b"\n" * 10**6), method=zipfile.ZIP_DEFLATED)
    with pytest.raises(ValueError, match=r"unpacked it has 0\.0 GB, too many"):
        read_answers(write(tmp_path, {"a.zip": many}))


def test_seconds(tmp_path):
    """Unknown times are no faults; of NEXT, times with a large median are milliseconds."""
    path = write(tmp_path, screens(*own(0, 1, 0, rt="NA"), *own(0, rt="-1"), *own(1, rt=500)))
    np.testing.assert_array_equal(read_answers(path).answers.time, [np.nan] * 4 + [0.5])
    path = write(tmp_path, SALMON + "a,b,c,b,c,p,NA\na,b,c,c,b,p,-1\na,b,c,b,c,p,700.5\n")
    np.testing.assert_array_equal(read_answers(path).answers.time, [np.nan, np.nan, 700.5])
    path = write(tmp_path, NEXT + "p,a,b,c,b,R,99\np,a,b,c,c,R,9\np,a,b,c,c,R,200\n")
    assert read_answers(path).answers.time.tolist() == [99, 9, 200]
    path = write(tmp_path, NEXT + "p,a,b,c,b,R,450\np,a,b,c,c,R,550\n")
    assert read_answers(path).answers.time.tolist() == [0.45, 0.55]


def test_next_in_several_lines_and_with_nulls(tmp_path):
    shown = [{"label": role, "index": n} for n, role in enumerate(("center", "left", "right"))]
    answers = [(1, 2.5), (None, None), (2, None)]
    some = [
        {"target_indices": shown, "index_winner": winner, "response_time": time}
        for winner, time in answers
    ]
    lines = [{"meta": 1, "participant_responses": {who: some}} for who in ("p", "q")]
    table = read_answers(write(tmp_path, {"a.json": "\n".join(map(json.dumps, lines))}))
    assert triplets(table) == ["0 1 2", "0 2 1"] * 2 and table.left_out == {"unanswered": 2}
    np.testing.assert_array_equal(table.answers.time, [2.5, np.nan] * 2)
    assert table.answers.participant.tolist() == ["p", "p", "q", "q"]
    assert table.lines.tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize("text", ["control", "not practice", "no check", "non-catch", "main"])
def test_words_that_are_answers(text):
    assert kind_of(text) is None


def test_people_by_the_names_of_their_files(tmp_path):
    files = {"s.01.csv.gz": gzip.compress(TWO["a.csv"].encode()), "s.02.csv": TWO["b.csv"]}
    assert read_answers(write(tmp_path / "a", files)).answers.participant.tolist() == [
        "s.01",
        "s.02",
    ]
    files = {f"r{n}/data.csv": text for n, text in enumerate(TWO.values())}
    files |= {"notes.md": "", "r1/left.csv": picked("null")}
    for some in (files, {"b.zip": zipped(*files.items())}):
        table = read_answers(write(tmp_path / "b", some))
        assert table.answers.participant.tolist() == ["r0/data", "r1/data"]
        assert table.lines_of([1]) == ["r1/data.csv:2"]
        assert table.unused_files == ["notes.md", "r1/left.csv"]
    assert "not read: 'notes.md'" in check(table, fit_maps=False).text()


def test_names_are_shortened_after_joining(tmp_path):
    files = {f"{kind}.csv": screens(asked(*(f"{kind}/{n}.png" for n in "xyz"))) for kind in "ba"}
    table = read_answers(write(tmp_path, files))
    assert triplets(table) == ["a/x.png a/y.png a/z.png", "b/x.png b/y.png b/z.png"]
    files["b.csv"] = screens(asked("c/w.png", "a/z.png", "a/x.png"))
    assert triplets(read_answers(write(tmp_path, files))) == ["x y z", "w z x"]


def test_the_cells_of_a_sheet(tmp_path):
    """A wrong size of the sheet cuts nothing, and a cell right of the header is a fault."""
    rows = ["anchor", "near", "far"], ["a", "b", "c"], ["a", "c", "b"], ["c", "b", "a", 1]
    path = write(tmp_path, {"a.xlsx": workbook(one=rows)})
    with pytest.raises(ValueError, match="row 4: 4 cells, 'c', 'b', 'a', '1'; the first row has 3"):
        read_answers(path)
    table = read_answers(path, skip_bad_rows=True)
    assert triplets(table) == IN_ORDER and table.skipped[0][0] == 4


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
    path = write(tmp_path, {"x.csv": TRIPLETS + text})
    write(tmp_path, {"c.names.txt": "precious"})
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(ValueError, match=message):
        convert(path, tmp_path / file)
    assert not (tmp_path / file).is_file()


def test_lost_weights_are_named(tmp_path):
    head = "object_1,object_2,object_3,odd,weight\n1,2,3,1,"
    for weight, lost in (("1", []), ("2", ["weights"])):
        path = write(tmp_path, head + f"{weight}\n7,8,9,9,1\n")
        assert convert(path, tmp_path / "a.txt", overwrite=True).lost[: len(lost)] == lost
