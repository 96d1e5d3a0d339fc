"""Read the same answers from the files of each program, and refuse what cannot be known."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan.comparisons import from_odd_one_out, from_rankings
from closerthan_lab.commands.check import check
from closerthan_lab.commands.convert import convert
from closerthan_lab.files import read_answers
from closerthan_lab.files.sources import source_names
from files.programs import PROGRAMS, expected, make_trials, named, put, workbook


def trials_for(program):
    """Return trials that a program can tell apart."""
    can = PROGRAMS[program][1]
    trials = make_trials(practice=2 * ("practice" in can), checks=3 * ("check" in can))
    if "unanswered" in can:
        last = [trial for trial in trials if trial["kind"] == "random"][-1]
        last["picked"] = None
    return trials


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_s_files_say_the_same(program, tmp_path):
    write, can = PROGRAMS[program]
    trials = trials_for(program)
    files = write(trials)
    path = put(tmp_path, files)
    table = read_answers(path)
    if len(files) > 1:  # answers stand in the order of the people
        trials = sorted(trials, key=lambda trial: trial["person"])
    answers = [t for t in trials if t["kind"] == "random" and t["picked"] is not None]
    assert named(table) == expected(trials)
    assert table.answers.participant.tolist() == [trial["person"] for trial in answers]
    seconds = [trial["seconds"] for trial in answers]
    np.testing.assert_allclose(table.answers.time, seconds, atol=6e-4)
    assert table.place.tolist() == [trial["picked"] for trial in answers]
    assert table.has_sides == (table.source in ("Salmon", "NEXT", "tripletTools"))
    counts = {"check": 3, "practice": 2, "unanswered": 1}
    assert table.left_out == {kind: counts[kind] for kind in counts if kind in can}
    checks = [t for t in trials if t["kind"] == "check"]
    passed = [(t["left"], t["right"])[t["picked"]] == t["anchor"] for t in checks]
    assert table.checks["passed"].tolist() == passed
    # `check` says what it took the file for.
    _, first, second, *_ = check(table, fit_maps=False).text().splitlines()
    assert first.startswith(f"{table.source}, 2 participants: {len(answers)} triplets; 3 check tr")
    assert ("failed" in second) and (("Nobody" in second) == all(passed))
    assert named(read_answers(path, source=program.split(",")[0])) == named(table)
    other = "psychopy" if program != "psychopy" else "salmon"
    with pytest.raises(ValueError, match=r"another structure|no row|is no stimulus"):
        read_answers(path, source=other)


# Other questions than triplets

IDS = np.array([[4, 2, 7, 0], [1, 5, 3, 6], [7, 6, 0, 2], [3, 1, 2, 4]])


def ids_of(table):
    return table.names.astype(int)[table.answers.comparisons].tolist()


@pytest.mark.parametrize("end", ["i_triplet", "session"])
def test_the_odd_one_by_its_position(end, read, refused):
    odd = [2, 0, 1, 1]
    rows = [f"{n},{n},{c},{a},{b},{n % 2},3.0,{odd[n]}\n" for n, (a, b, c, _) in enumerate(IDS)]
    text = "".join([f",{end},stim_2,stim_0,stim_1,rater,last_selected,selected\n", *rows])
    table = read(text)
    assert ids_of(table) == from_odd_one_out(IDS[:, :3], IDS[range(4), odd]).comparisons.tolist()
    assert table.answers.participant.tolist() == [0, 1, 0, 1] and table.place.tolist() == odd
    text = text.replace("0,3.0,1\n", "0,3.0,3\n")
    refused(text, "line 4: selected: '3' is none of the 3 choices")


def test_rankings_by_clicks(read, refused):
    text = "\ufeffref,stim1,stim2,stim3,clicks,participant\n"
    text += "e,c,h,a,\"['stim3', 'stim1', 'stim2']\",S7\n"
    text += "b,f,d,g,\"['stim2', 'stim2', 'stim3', 'stim1']\",S7\n,,,,,\n"
    ranked = from_rankings(IDS[:2, 0], [IDS[0][[3, 1, 2]], IDS[1][[2, 3, 1]]])
    names = [" ".join("abcdefgh"[n] for n in row) for row in ranked.comparisons]
    assert named(read(text)) == names
    refused(text.replace("3', 'stim1", "3', 'stim4", 1), "line 2: clicks: 'stim4' is no stimulus")
    refused(text.replace(", 'stim2']", "]", 1), "line 2: clicks: stim2 was not clicked")


@pytest.mark.parametrize("kind", ["txt", "npy"])
def test_three_bare_ids_are_read_only_as_the_user_says(kind, tmp_path):
    path = tmp_path / f"trainset.{kind}"
    np.savetxt(path, IDS[:, :3], fmt="%d") if kind == "txt" else np.save(path, IDS[:, :3])
    with pytest.raises(ValueError, match=r"triplets .*form='triplets'.* or odd-one-out .*'spose'"):
        read_answers(path)
    answers = from_odd_one_out(IDS[:, :3], IDS[:, 2])
    assert ids_of(read_answers(path, source="spose")) == answers.comparisons.tolist()
    assert ids_of(read_answers(path, form="triplets")) == IDS[:, :3].tolist()


MEADOWS = "task,participation,start,resp,label,stim1_id,stim1_name{}\nt,p,1,2,x,3,y{}\n"


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.csv", MEADOWS.format("", "")),
        ("a.csv", MEADOWS.format(",stim2_name", ",z")),
        ("a.json", '{"token": null,\n"tasks": [{"trials": [{"x": 1}]}]}'),
        ("a.json", '{"task": {}, "stimuli": [], "trials": [[1]]}'),
    ],
)
def test_meadows_is_refused_by_name(file, content, refused):
    refused({file: content}, "files of Meadows compare nothing, or do not say what was asked")


# Bad rows, and columns that the user names


def test_columns_and_rows_can_be_chosen(tmp_path):
    [content] = PROGRAMS["salmon"][0](make_trials(checks=0, practice=0)).values()
    path = put(tmp_path, content.decode().replace("sampler,puid", "group,session"))

    def read(**options):
        return read_answers(path, source="salmon", **options).answers

    columns = {"participant": "session"}
    people = read(columns=columns, where={"group": "RandomSampling"}).participant
    assert set(people) == {"p0", "p1"}
    assert read(columns={"time": None}).time is None
    assert set(read(columns=columns, without=["p0"]).participant) == {"p1"}
    with pytest.raises(ValueError, match="there is no column 'who'"):
        read(columns={"participant": "who"})


# No file is read as another form than it was written in, without a warning.

VOCABULARY = (
    "anchor near far odd left right head winner loser response answer choices stim_0 rank_1 "
    "objects chosen ref clicks puid Center trial_type kind best participant screen votes x"
)


def numbered(rows):
    """Return rows of names with the number of each name in place of it: names may differ."""
    ids = {}
    return [[ids.setdefault(name, len(ids)) for name in row.split()] for row in rows]


@pytest.mark.parametrize(
    "program", [name for name in PROGRAMS if "JSON" not in name and "zip" not in name]
)
@given(data=st.data())
def test_changed_columns_are_read_right_or_refused(program, tmp_path_factory, data):
    """Drop, rename, add and shuffle columns. What is read must be the answers that were given."""
    write, _can = PROGRAMS[program]
    trials = make_trials(seed=1, n=12, checks=0, practice=0, people=1)
    [content] = write(trials).values()
    frame = pd.read_csv(pd.io.common.BytesIO(content), dtype=str, keep_default_na=False)
    frame = frame[data.draw(st.permutations(list(frame)))]
    for _ in range(data.draw(st.integers(0, 2))):
        change = data.draw(st.sampled_from(["drop", "rename", "add"]))
        column = data.draw(st.sampled_from(list(frame)))
        word = data.draw(st.sampled_from(VOCABULARY.split()))
        if change == "drop" and frame.shape[1] > 1:
            frame = frame.drop(columns=column)
        elif word not in frame and change == "rename":
            frame = frame.rename(columns={column: "unknown" if word == "x" else "old " + column})
        elif word not in frame:
            frame[word] = data.draw(st.sampled_from(["", "0", "1", "ant", "bat"]))
    path = tmp_path_factory.mktemp("changed") / "answers.csv"
    frame.to_csv(path, index=False)
    try:
        table = read_answers(path)
    except ValueError as error:
        assert str(error).startswith(str(path.parent)) and "\n" not in str(error)
        return
    found, right = (numbered(rows) for rows in (named(table), expected(trials)))
    assert found == right, list(frame)


# Folders, archives, workbooks


def test_a_sheet_of_excel(read, refused):
    rows = [["anchor", "near", "far", "time"], [3, 1, 2, 1.5], [], [1, 2, 3, None]]
    table = read({"answers.xlsx": workbook(one=rows, two=[])})
    assert named(table) == ["3 1 2", "1 2 3"] and table.lines.tolist() == [2, 4]
    assert table.unit == "row" and np.isnan(table.answers.time[1])
    both = workbook(one=rows, two=rows)
    refused({"answers.xlsx": both}, r"2 sheets have cells .'one', 'two'.; keep one")
    refused({"answers.xlsx": both[:900]}, "not a complete workbook")


# Writing, and other packages


@pytest.mark.parametrize("file", ["answers.csv", "answers.csv.gz", "answers.parquet"])
@pytest.mark.parametrize("program", ["jspsych", "salmon", "triplet-tools"])
def test_a_table_is_read_back_as_the_same_answers(program, file, tmp_path):
    table = read_answers(put(tmp_path / "files", PROGRAMS[program][0](trials_for(program))))
    converted = convert(table, tmp_path / file)
    again = read_answers(tmp_path / file)
    assert named(again) == named(table)
    assert again.answers.participant.tolist() == table.answers.participant.tolist()
    np.testing.assert_array_equal(again.answers.time, table.answers.time)
    others = "check trials and other trials that are no answers"
    assert converted.lost == ["places on the screen", others]


def test_odd_ones_out_are_written_for_spose(tmp_path):
    path = put(tmp_path, "objects,odd,user\nant|bat|cow,bat,ann\ndog|cow|ant,ant,bo\n")
    converted = convert(path, tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text().split() == ["0", "2", "1", "3", "2", "0"]
    assert (tmp_path / "a.names.txt").read_text().split() == ["ant", "bat", "cow", "dog"]
    assert converted.lost == ["who answered", "places on the screen"]
    ids = read_answers(tmp_path / "a.txt", source="spose").answers.comparisons
    assert ids.tolist() == read_answers(path).answers.comparisons.tolist()


def test_every_source_is_tested():
    tested = {name.split(",")[0] for name in PROGRAMS}
    others = "psychopy spose table three-choices"
    assert sorted({*source_names()} - tested) == others.split()
