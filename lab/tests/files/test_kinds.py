"""Read no file as something else than it was written as: a test for each kind of mistake."""

import ast
import json
import re

import pandas as pd
import pytest

from closerthan_lab.commands.check import check
from closerthan_lab.files import read_answers
from closerthan_lab.files.cells import MISSING
from files.programs import named

WORDS = sorted(MISSING - {""})
HEAD = {"trial_type": "html", "trial_index": 0, "time_elapsed": 1}
RESPONSES = "anchor,left,right,response\n"


def screens(*responses, **columns):
    """Return a file of jsPsych: a screen for each response."""
    asked = HEAD | (columns or {"anchor": "a", "left": "b", "right": "c"})
    return {"a.json": json.dumps([asked | {"response": response} for response in responses])}


# A word for nothing is no answer, no object and no person, and an unknown time.


@pytest.mark.parametrize("word", [*WORDS, ""])
@pytest.mark.parametrize(
    "text",
    [
        "anchor,left,right,response\na,b,c,left\na,c,b,?\n",
        "page,anchor,left,right,response\n1,a,b,c,left\n2,,,,?\n",
        "anchor,left,right,chosen\na,b,c,b\na,c,b,?\n",
        "object_1,object_2,object_3,odd\na,b,c,c\na,c,b,?\n",
        "objects,central\na|b|c,c\na|c|b,?\n",
        "pairs,best,worst\na|b|c|d,1,2\na|b|c|e,?,2\n",
    ],
)
def test_a_word_for_nothing_is_no_answer(word, text, read):
    table = read(text.replace("?", word))
    assert table.answers.n_screens == 1 and table.left_out == {"unanswered": 1}
    assert "1 trial without an answer left out" in check(table, fit_maps=False).text()


@pytest.mark.parametrize("word", WORDS)
def test_a_word_for_nothing_is_no_list_no_object_and_nobody(word, read, refused):
    for text in ("anchor,ranking\na,b|c\nb,?\n", "anchor,candidates,chosen\na,b|c,b\na,b|c,?\n"):
        assert read(text.replace("?", word)).left_out == {"unanswered": 1}
    refused(f"anchor,near,far\na,{word},c\nb,a,c\n", r"line 2: near: .* is a missing value")
    text = f"anchor,near,far,user\na,b,c,{word}\nb,a,c,x\n"
    refused(text, r"participant: .* is not a name")


def test_a_time_that_is_none_drops_no_answer(read, refused):
    text = "anchor,near,far,time\na,b,c,1\nb,a,c,late\nc,a,b,2\n"
    refused(text, r"line 3: time: 'late' is .*columns=\{'time': None\}", skip_bad_rows=True)
    assert len(read(text, columns={"time": None}).answers) == 3


def test_a_word_for_a_tie_may_be_any(read, refused):
    text = RESPONSES + "a,b,c,None\na,b,c,left\n"
    table = read(text, responses={"None": "neither", "left": "first"})
    assert len(table.answers) == 3 and table.left_out == {}
    refused(text.lower(), "line 2: response: 'none' is not a response")


@pytest.mark.parametrize(
    "text",
    [
        "anchor,left,right,response\na,b,c,left\na,c,b,?\n",
        "anchor,left,right,chosen\na,b,c,c\na,c,b,?\n",
        "object_1,object_2,object_3,odd\n11,12,13,12\n11,12,14,?\n",
    ],
)
@pytest.mark.parametrize("word", ["timeout", "-99", "0"])
def test_a_word_of_the_file_s_own_for_no_answer(word, text, read):
    table = read(text.replace("?", word), responses={word: "unanswered"})
    assert table.answers.n_screens == 1 and table.left_out == {"unanswered": 1}


def test_faults_of_a_program_are_counted_once(refused):
    refused(screens("x", "x", "x"), r"2 more rows have faults$")


# A form is never guessed from the number of columns, and no option is composed from a guess.


@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize(
    "text", ["A,B,C,eval\n2,3,4,1\n3,2,5,0\n", "1 2 3 4\n4 3 2 1\n", "w,x,y,z\na,b,c,d\nd,c,b,a\n"]
)
def test_four_columns_may_be_anything(text, skip, refused):
    message = r"four columns without known names.*may be quadruplets"
    refused(text, message, skip_bad_rows=skip)


@pytest.mark.parametrize(
    "text",
    [
        "stim,pick,other\na,b,c\nb,c,a\n",
        "head,b,c\n12,13,14\n13,12,15\n",
        "img1,img2,img3,resp\nape,bee,cat,bee\nape,bee,dog,dog\nape,cat,dog,ape\n",
        "anchor,left,right,trial,key_resp.keys\na,b,c,0,left\n",
        "anchor,c1,c2,c3,chosen\na,b,c,d,b\n",
        "object_1,object_2,object_3,odd\n1,2,5,1\n4,1,2,3\n",
        "anchor,left,right,choice\na,b,c,R\nb,a,c,L\nc,a,b,None\n",
        "anchor,left,right,response\na,b,c,0\na,b,c,1\n",
    ],
)
def test_what_is_not_known_is_not_advised(text, refused):
    message = refused(text, "columns=|responses=")
    assert "skip_bad_rows" not in message and "{" not in message


@pytest.mark.parametrize(
    ("text", "option", "expected"),
    [
        ("ref,left,right,answer\na,b,c,b\nb,a,c,c\nb,a,c,\n", "chosen", ["a b c", "b c a"]),
        ("Input.ref,s1,s2,picked\na,b,c,b\nb,a,c,c\nc,a,b,a\n", "anchor", ["a b c", "b c a"]),
        ("ref,b_left,a_right,key\na,b,c,f\nb,a,c,j\nc,a,b,f\n", "anchor", None),
    ],
)
def test_what_is_advised_is_right_or_refused_again(text, option, expected, read, refused):
    own = ast.literal_eval(re.search(r"columns=(\{.*?\})", refused(text, option))[1])
    if expected:
        assert named(read(text, columns=own))[:2] == expected
    else:
        refused(text, "'f' is not a response", columns=own)
        words = {"f": "first", "j": "second"}
        assert named(read(text, columns=own, responses=words))[:2] == ["a b c", "b c a"]


@pytest.mark.parametrize(
    ("who", "header"),
    [
        ("ResponseId", "ResponseId,Q1,Q2,Q3,Q4"),
        ("ResponseId", "StartDate,ResponseId,1_Q5,2_Q5,3_Q5"),
        ("ResponseId", "ResponseId,Q1,Q2,Q3"),
        ("participant", "participant,q1,q2,q3"),
        ("CASE", "CASE,SERIAL,REF,QUESTNNR,TR01,TR02,TR03,TR04,TIME001"),
        ("session", "session,created,ended,triplet_1,triplet_2,triplet_3"),
    ],
)
def test_a_wide_table_is_refused_with_the_way_to_make_it_long(who, header, refused):
    text = f"{header}\n{','.join('1' for _ in header.split(','))}\n"
    refused(text, rf"a row for each participant; .*frame.melt\('{who}'")


@pytest.mark.parametrize("word", WORDS)
def test_a_0_beside_a_word_for_nothing_is_no_tie(word, refused):
    text = RESPONSES + f"a,b,c,{word}\na,b,d,0\n"
    refused(text, "response holds only 0, and nothing says which is")


def test_a_question_of_two_is_no_odd_one_out(refused):
    text = "Centre,Left,Right,Answer,Stamp,Zone\na,b,c,b,1,2\n"
    refused(text, "without an anchor these are preferences, .* not read")


# Places on the screen and ranks are no objects.


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("object_1,object_2,object_3,odd", "5,6,7,{2}\n6,8,5,{0}\n"),
        ("object_1,object_2,object_3,central", "a,b,c,{2}\nb,d,a,{0}\n"),
        ("anchor,left,right,choice", "a,b,c,{1}\nb,a,c,{0}\n"),
        ("anchor,candidate_1,candidate_2,candidate_3,chosen", "a,b,c,d,{2}\nb,a,c,d,{0}\n"),
    ],
)
@pytest.mark.parametrize("start", [0, 1])
def test_places_are_no_objects(header, rows, start, read, refused):
    text = f"{header}\n{rows}".format(*range(start, start + 3))
    refused(text, "which may be places on the screen; if they are, say in responses= which")
    words = {str(n): word for n, word in enumerate(("first", "second", "third"), start)}
    assert read(text, responses=words).place.tolist() == [2 - ("choice" in header), 0]


def test_words_for_places_are_no_objects(read, refused):
    text = "anchor,left,right,choice\na,b,c,R\nb,a,c,L\nc,a,b,None\n"
    way = {"L": "first", "R": "second"}
    assert named(read(text, responses=way)) == ["a c b", "b a c"]
    message = "line 3: chosen: 'L' is not in responses=; add its"
    refused(text, message, responses={"R": "second"})


def test_titles_of_columns_are_places(read):
    table = read("object_1,object_2,object_3,odd\na,b,c,object 2\na,c,d,Object_3\n")
    assert named(table) == ["a c b", "c a b", "a c d", "c a d"] and table.place.tolist() == [1, 2]
    table = read("ref,left,right,choice\na,b,c,left\na,c,d,RIGHT\na,b,d,NA\n")
    assert named(table) == ["a b c", "a d c"] and table.left_out == {"unanswered": 1}


def test_keys_may_have_names_of_objects(read):
    text = "ref,left,right,answer\na,b,c,b\nb,a,c,c\nb,a,c,\n"
    table = read(text, responses={"b": "second", "c": "first"})
    assert named(table) == ["a c b", "b a c"]


def test_ids_that_may_be_places(read, refused):
    text = "object_1,object_2,object_3,odd\n1,2,5,1\n4,1,2,2\n"
    refused(text, "may be places .* responses= .*if they are objects, give columns={'odd': 'odd'}")
    assert read(text.replace("5", "7").replace("4,1,2,2", "4,1,9,9")).form


@pytest.mark.parametrize("part", ["candidate", "object"])
def test_ranks_are_no_objects(part, read, refused):
    names = ",".join(f"{part}_{n}" for n in (1, 2, 3))
    text = f"anchor,{names},rank_1,rank_2,rank_3\n10,11,12,13,2,1,3\n12,11,10,13,3,1,2\n"
    refused(text, "may be places .* they may be ranks .* or objects")
    ranked = ["rank_1", "rank_2", "rank_3"]
    ranks = {"candidates": names.split(","), "ranks": ranked}
    refused(text, "ranking: '2' is not among the candidates", columns={"ranking": ranked})
    places = read(text, responses={"1": "first", "2": "second", "3": "third"})
    assert named(places)[:3] == ["10 12 11", "10 12 13", "10 11 13"]
    first = named(read(text, columns=ranks))
    assert first[:3] == ["10 12 11", "10 12 13", "10 11 13"]
    assert first[3:5] == ["12 10 13", "12 10 11"]
    from_zero = text.replace("2,1,3\n", "1,0,2\n").replace("3,1,2\n", "2,0,1\n")
    assert named(read(from_zero, columns=ranks)) == first
    for wrong in ("2,2,3", "2,1,4", "2,1,"):
        message = r"line 2: ranks: .* are not 1 to 3, each once"
        refused(text.replace("2,1,3", wrong), message, columns=ranks)
    ids = text.replace("2,1,3\n", "12,11,13\n").replace("3,1,2\n", "13,11,10\n")
    assert named(read(ids))[0] == "10 12 11"


# An option is heeded, or refused.

QP = {"q": "first", "p": "second"}


def test_words_for_keys_are_heeded(read, refused):
    keys = screens("q", "p")
    assert named(read(keys, responses=QP)) == ["a b c", "a c b"]
    assert len(read(keys, responses=QP | {"p": "neither"}).answers) == 3
    refused(keys, r"'q' is none of .*f and j.*responses=")
    own = {"anchor": "right", "first": "anchor", "second": "left", "response": "response"}
    table = read(keys, columns=own, responses=QP)
    assert named(table) == ["c a b", "c b a"] and table.source == "table"
    own = {"anchor": "a", "first": "b", "second": "c"}
    message = r"no column has the stimuli.*name all columns of a form"
    refused(screens(0, 1, a="a", b="b", c="c"), message, columns=own)


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ("anchor,near,far\na,b,c\n", {}, "responses= has no effect here"),
        (screens("f", "j"), {}, "responses= has no effect here; no row holds 'q'"),
        ("objects,odd\na|b|c,b\na|b|d,d\n", {}, "responses= has no effect here; no row holds 'q'"),
        ("0 1 2\n1 2 0\n", {"source": "spose"}, "responses= has no effect here; no row holds 'q'"),
        (screens("q", "p"), {"columns": {"odd": "left"}}, "columns= names odd, which has no effec"),
    ],
)
def test_an_option_without_effect_is_refused(files, options, message, refused):
    refused(files, message, responses={"q": "first"}, **options)


@pytest.mark.parametrize("name", ["odd", "top", "correct"])
def test_a_column_without_effect_is_refused(name, refused):
    message = f"columns= names {name}, which has no effect on"
    refused("anchor,near,far,x\na,b,c,1\n", message, columns={name: "x"})


CLICKS = "stim1,stim2,stim3,mouse.clicked_name,participant,expName,psychopyVersion{}\n"
CLICKS += (
    "b.png,c.png,d.png,[],p1,e,2022{}\n"
    "i/a%20b.png,b.png,c.png,stim2_main,p1,e,2022{}\nb.png,c.png,d.png,\"['stim1']\",p1,e,2022{}\n"
)


@pytest.mark.parametrize("extra", ["", ",trial_type", ",trial_type,trial_index,time_elapsed"])
def test_a_click_of_psychopy_names_a_component(extra, read, refused):
    text = CLICKS.format(extra, *[",1" * extra.count(",")] * 3)
    table = read(text, form="odd-one-out")
    assert table.source == "PsychoPy" and named(table)[:2] == ["a b c b", "c a b b"]
    refused(text, "nothing says for what; give form=")
    polygon = text.replace("stim2_main", "polygon")
    refused(polygon, "'polygon' is none of the 3 choices", form="odd-one-out")
    message = r"another structure .it lacks 'clicks'"
    refused("anchor,near,far\na,b,c\n", message, source="psychopy")


@pytest.mark.parametrize("n", [2, 3])
def test_a_click_beside_a_reference(n, read):
    stimuli = ",".join(f"stim{k + 1}" for k in range(n))
    text = f"ref,{stimuli},mouse.clicked_name,expName\na,{','.join('bcd'[:n])},stim2,e\n"
    assert named(read(text)) == ["a c b", "a c d"][: n - 1]


@pytest.mark.parametrize(
    ("header", "pairs"), [("pairs", "a|b|c|d"), ("pair_1_1,pair_1_2,pair_2_1,pair_2_2", "a,b,c,d")]
)
def test_pairs_that_are_counted_from_0(header, pairs, refused):
    text = f"{header},best,worst\n{pairs},0,1\n{pairs},1,2\n{pairs},1,2\n"
    refused(text, r"best holds 0, but the first pair .* add 1", skip_bad_rows=True)


# Best and worst may be told by the names of objects.


BEST = "anchor,{0}_1,{0}_2,{0}_3,best,worst\n10,11,12,13,{1}\n11,10,12,14,{2}\n"


@pytest.mark.parametrize("part", ["candidate", "object"])
def test_the_best_and_the_worst_candidate(part, read, refused):
    expected = ["10 11 13", "10 12 11", "10 12 13", "11 10 12", "11 10 14", "11 14 12"]
    table = read(BEST.format(part, "12,13", "10,12"))
    assert sorted(named(table)) == expected and table.place.tolist() == [1, 0]
    assert table.form == "best-worst" and table.answers.n_screens == 2
    text = BEST.format(part, "2,3", "1,2")
    way = {"1": "first", "2": "second", "3": "third"}
    refused(text, "which may be places on the screen")
    assert sorted(named(read(text, responses=way))) == expected
    table = read(BEST.format(part, f"{part} 2,{part} 3", f"None,{part}_1"))
    assert len(table.answers) == 3 and table.left_out == {"unanswered": 1}


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("pairs,best,worst", "a|b|c|d|e|f,d|c,e|f"),
        ("pairs,best,worst", '"a,b,c,d,e,f","d,c","e,f"'),
        ("pairs,best_1,best_2,worst_1,worst_2", "a|b|c|d|e|f,d,c,e,f"),
    ],
)
def test_the_best_and_the_worst_pair(header, row, read):
    assert named(read(f"{header}\n{row}\n")) == ["c d a b", "c d e f", "a b e f"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BEST.format("candidate", "15,13", "10,12"), "line 2: best: '15' is not one of the"),
        (BEST.format("candidate", "12,12", "10,12"), "line 2: worst: best and worst must differ"),
        (BEST.format("candidate", "12,10", "10,12"), "line 2: worst: '10' is not one of the"),
        ("pairs,best,worst\na|b|c|d,a|c,c|d\n", "line 2: best: 'a', 'c' is not one of the pairs"),
        ("pairs,best,worst\na|b|c|d,1,x\na|b|c|d,2,1\n", "line 2: worst: 'x' is not a position of"),
    ],
)
def test_a_best_one_that_was_not_shown(text, message, refused):
    refused(text, message)


# Two columns of like names matter only where they are used.


def test_two_columns_of_like_names(read, refused):
    text = "anchor,near,far,file_name,filename\na,b,c,x,y\n"
    assert named(read(text)) == ["a b c"]
    message = "columns 4 and 5, 'file_name' and 'filename', mean the same"
    refused(text, message, columns={"near": "file name"})
    assert named(read(text, columns={"near": "filename"})) == ["a y c"]


@pytest.mark.parametrize("nothing", [{}, "{}", "[]", -1, None])
@pytest.mark.parametrize("name", ["response", "responses", "key_press"])
def test_what_a_survey_picked(name, nothing, read):
    asked = HEAD | {"anchor": "ape", "left": "bee", "right": "c%20t.png"}
    rows = [asked | {name: r} for r in ({"Q0": "bee"}, '{"Q0": "c%20t.png"}', nothing)]
    table = read({"a.json": json.dumps(rows)})
    assert named(table) == ["ape bee c t", "ape c t bee"] and table.left_out == {"unanswered": 1}


# A list in one cell, and tables of other programs


@pytest.mark.parametrize(
    ("form", "cells", "expected"),
    [
        ("anchor,ranking", "{}", ["a b c", "a b d", "a c d"]),
        ("anchor,candidates,chosen", "{},b", ["a b c", "a b d"]),
        ("anchor,candidates,chosen", '{},"b{}c"', ["a b d", "a c d"]),
    ],
)
@pytest.mark.parametrize("mark", ["|", ",", ";", "json"])
def test_a_list_in_one_cell(form, cells, expected, mark, read):
    def listed(*names):
        some = json.dumps(names) if mark == "json" else mark.join(names)
        return '"{}"'.format(some.replace('"', '""'))

    row = cells.replace('"b{}c"', listed("b", "c")).replace("{}", listed("b", "c", "d"))
    assert named(read(f"{form}\na,{row}\n")) == expected


@pytest.mark.parametrize("mark", [" ", " > ", ", "])
def test_a_list_with_another_mark_is_one_object(mark, refused):
    text = f'anchor,ranking\na,"b{mark}c"\nb,a\n'
    refused(text, f"ranking: 'b{mark}c' is one object; write . between")


def test_names_with_commas_are_whole_where_bars_separate(read):
    table = read('anchor,ranking\na,"b, c|d"\na,"d|e, f"\n')
    assert table.names.tolist() == ["a", "b, c", "d", "e, f"]


@pytest.mark.parametrize("end", ["dta", "feather"])
def test_tables_of_stata_and_feather(end, tmp_path, refused):
    frame = pd.DataFrame({"anchor": [0, 1], "near": [1, 2], "far": [2, 0], "who": ["x", None]})
    path = tmp_path / f"answers.{end}"
    frame.to_stata(path, write_index=False) if end == "dta" else frame.to_feather(path)
    table = read_answers(path)
    assert named(table) == ["0 1 2", "1 2 0"] and table.lines.tolist() == [0, 1]
    refused({path.name: path.read_bytes()[:40]}, r"not a complete (Stata|Feather) file")


# Trials inside of records


def test_stimuli_in_a_list_and_in_numbered_columns(read):
    files = screens(1, 0, stimulus=["a.png", "b.png", "c.png"])
    assert named(read(files, form="odd-one-out")) == ["a c b", "c a b", "b c a", "c b a"]
    files = screens(1, 0, anchor="a", option_2="c", option_1="b")
    assert named(read(files)) == ["a c b", "a b c"]


TRIALS = [{"anchor": "a", "near": "b", "far": c} for c in "cde"]
OF_PEOPLE = [trial | {"worker": who} for trial, who in zip(TRIALS, "xxy", strict=True)]


@pytest.mark.parametrize(
    "content",
    [
        [{"worker": "x", "screens": TRIALS[:2]}, {"worker": "y", "screens": TRIALS[2:]}],
        [{"worker": "x", "data": json.dumps(TRIALS[:2])}, {"worker": "y", "data": TRIALS[2:]}],
        [
            {"worker": "x", "one": TRIALS[:1], "two": TRIALS[1:2], "history": [{"page": 0}]},
            {"worker": "y", "one": TRIALS[2:], "two": []},
        ],
        {key: [trial[key] for trial in OF_PEOPLE] for key in OF_PEOPLE[0]},
        [[OF_PEOPLE[:1]], OF_PEOPLE[1:]],
    ],
)
@pytest.mark.parametrize("file", ["a.json", "a.txt"])
def test_trials_in_records(content, file, read):
    by_line = file == "a.txt" and isinstance(content, list)
    text = "\n".join(map(json.dumps, content)) if by_line else json.dumps(content)
    table = read({file: text})
    assert named(table) == ["a b c", "a b d", "a b e"]
    assert table.answers.participant.tolist() == ["x", "x", "y"]


@pytest.mark.parametrize("mark", ["", "\n", "\n\n "])
def test_values_of_json_one_after_the_other(mark, read):
    """Servers append what each page sends, in several lines or without any line end."""
    parts = [json.dumps([trial | {"worker": "x"}], indent=1) for trial in TRIALS]
    assert named(read({"a.txt": mark.join(parts)})) == ["a b c", "a b d", "a b e"]
