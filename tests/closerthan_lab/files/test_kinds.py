"""Read no file as something else than it was written as: a test for each kind of mistake."""

import json

import numpy as np
import pytest

from closerthan_lab.commands.check import check
from closerthan_lab.files import read_answers
from closerthan_lab.files.cells import MISSING

WORDS = sorted(MISSING - {""})
HEAD = {"trial_type": "html", "trial_index": 0, "time_elapsed": 1}


def named(table):
    return [" ".join(names) for names in table.names[table.answers.comparisons].tolist()]


# A word for nothing is no answer, no object and no person, and an unknown time.


@pytest.mark.parametrize("word", [*WORDS, ""])
@pytest.mark.parametrize(
    "text",
    [
        "anchor,left,right,response\na,b,c,left\na,c,b,?\n",
        "anchor,left,right,chosen\na,b,c,b\na,c,b,?\n",
        "object_1,object_2,object_3,odd\na,b,c,c\na,c,b,?\n",
        "objects,central\na|b|c,c\na|c|b,?\n",
        "pairs,best,worst\na|b|c|d,1,2\na|b|c|e,?,2\n",
    ],
)
def test_a_word_for_nothing_is_no_answer(word, text, write):
    table = read_answers(write(text.replace("?", word)))
    assert table.answers.n_screens == 1 and table.left_out == {"unanswered": 1}
    assert "1 trial without an answer left out" in check(table, fit_maps=False).text()


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    "text", ["anchor,ranking\na,b|c\nb,?\n", "anchor,candidates,chosen\na,b|c,b\na,b|c,?\n"]
)
def test_nor_in_a_list(word, text, write):
    assert read_answers(write(text.replace("?", word))).left_out == {"unanswered": 1}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_for_nothing_is_no_object_and_nobody(word, write):
    with pytest.raises(ValueError, match=r"line 2: near: .* is a missing value"):
        read_answers(write(f"anchor,near,far\na,{word},c\nb,a,c\n"))
    with pytest.raises(ValueError, match=r"participant: .* is not a name"):
        read_answers(write(f"anchor,near,far,user\na,b,c,{word}\nb,a,c,x\n"))


@pytest.mark.parametrize("word", [*WORDS, "", "-67.493"])
def test_an_unknown_time_is_no_fault(word, write):
    answers = read_answers(write(f"anchor,near,far,time\na,b,c,{word}\nb,a,c,2\n")).answers
    np.testing.assert_array_equal(answers.time, [np.nan, 2])


def test_a_word_for_a_tie_may_be_any(write):
    path = write("anchor,left,right,response\na,b,c,None\na,b,c,left\n")
    table = read_answers(path, responses={"None": "neither", "left": "first"})
    assert len(table.answers) == 3 and table.left_out == {}
    with pytest.raises(ValueError, match="line 2: response: 'none' is not a response"):
        read_answers(write("anchor,left,right,response\na,b,c,none\na,b,c,left\n"))


def test_faults_of_a_program_are_counted_once(write):
    rows = [HEAD | {"anchor": "a", "left": "b", "right": "c", "response": "x"}] * 3
    with pytest.raises(ValueError, match=r"2 more rows have faults$"):
        read_answers(write(json.dumps(rows), "a.json"))
