"""Read the same answers from the files of each program, and refuse what cannot be known."""

import json
import subprocess
import sys
import zipfile

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
from files.programs import PROGRAMS, as_csv, expected, jspsych, make_trials, salmon, workbook
from plugin import install


def written(folder, files):
    """Write files; return the path of a single file, or of the folder of several."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder if len(files) > 1 else folder / next(iter(files))


def named(table):
    return table.names[table.answers.comparisons].tolist()


def trials_for(program, seed=0, **more):
    """Return trials that a program can tell apart."""
    can = PROGRAMS[program][1]
    some = {"practice": 2 * ("practice" in can), "checks": 3 * ("check" in can), **more}
    trials = make_trials(seed, **some)
    if "unanswered" in can:
        last = [trial for trial in trials if trial["kind"] == "random"][-1]
        last["picked"] = None
    return trials


def by_person(trials):
    """Return trials in the order of the files of their people."""
    return sorted(trials, key=lambda trial: trial["person"])


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_s_files_say_the_same(program, tmp_path):
    write, can = PROGRAMS[program]
    trials = trials_for(program)
    table = read_answers(written(tmp_path / "files", write(trials)))
    order = trials if len(write(trials)) == 1 and "JSON" not in program else by_person(trials)
    answers = [t for t in order if t["kind"] == "random" and t["picked"] is not None]
    if program == "salmon, JSON":
        answers = [t for t in trials if t["kind"] == "random"]
        order = trials
    assert named(table) == expected(order)
    assert table.answers.participant.tolist() == [trial["person"] for trial in answers]
    np.testing.assert_allclose(
        table.answers.time, [trial["seconds"] for trial in answers], atol=6e-4
    )
    assert table.place.tolist() == [trial["picked"] for trial in answers]
    assert table.has_sides == (table.source in ("Salmon", "NEXT", "tripletTools"))
    counts = {"check": 3, "practice": 2, "unanswered": 1}
    assert table.left_out == {kind: counts[kind] for kind in counts if kind in can}
    passed = [
        (t["left"], t["right"])[t["picked"]] == t["anchor"] for t in order if t["kind"] == "check"
    ]
    assert table.checks["passed"].tolist() == passed
    # `check` says in its first line what it took the file for.
    first, second, *_ = check(table, fit_maps=False).text().splitlines()
    assert first.startswith(f"{table.source}, 2 participants: {len(answers)} triplets; 3 check tr")
    assert ("failed" in second) and (("Nobody" in second) == all(passed))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_source_can_be_named(program, tmp_path):
    path = written(tmp_path / "files", PROGRAMS[program][0](trials_for(program)))
    assert named(read_answers(path)) == named(read_answers(path, source=program.split(",")[0]))
    other = "psychopy" if program != "psychopy" else "salmon"
    with pytest.raises(ValueError, match=r"another structure|no row|is no stimulus"):
        read_answers(path, source=other)


def test_an_unknown_source_is_refused_with_the_known_ones(tmp_path):
    path = written(tmp_path, {"a.csv": b"anchor,near,far\na,b,c\n"})
    with pytest.raises(
        ValueError, match=r"source='qualtrics'; it must be one of jspsych, .*, table"
    ):
        read_answers(path, source="qualtrics")


# Other questions than triplets

IDS = np.array([[4, 2, 7, 0], [1, 5, 3, 6], [7, 6, 0, 2], [3, 1, 2, 4]])


@pytest.mark.parametrize("end", ["i_triplet", "session"])
def test_the_odd_one_by_its_position(end, tmp_path):
    odd = [2, 0, 1, 1]
    rows = [
        {
            "": n,
            end: n,
            "stim_2": c,
            "stim_0": a,
            "stim_1": b,
            "rater": n % 2,
            "last_selected": "3.0",
            "selected": odd[n],
        }
        for n, (a, b, c, _) in enumerate(IDS)
    ]
    table = read_answers(written(tmp_path, {"triplets.csv": as_csv(rows)}))
    answers = from_odd_one_out(IDS[:, :3], IDS[range(4), odd])
    assert (
        table.names.astype(int)[table.answers.comparisons].tolist() == answers.comparisons.tolist()
    )
    assert table.answers.participant.tolist() == [0, 1, 0, 1] and table.place.tolist() == odd
    rows[2]["selected"] = 3
    with pytest.raises(ValueError, match="line 4: selected: '3' is none of the 3 choices"):
        read_answers(written(tmp_path, {"triplets.csv": as_csv(rows)}))


def test_rankings_by_clicks(tmp_path):
    names, clicks = (
        list("abcdefgh"),
        [["stim3", "stim1", "stim2"], ["stim2", "stim2", "stim3", "stim1"]],
    )
    rows = [
        {
            "ref": names[row[0]],
            **{f"stim{k}": names[row[k]] for k in (1, 2, 3)},
            "clicks": str(some),
            "participant": "S7",
        }
        for row, some in zip(IDS, clicks, strict=False)
    ]
    rows.append({"ref": "", "clicks": ""})
    content = b"\xef\xbb\xbf" + as_csv(rows, list(rows[0]))
    table = read_answers(written(tmp_path, {"S7.csv": content}))
    ranked = from_rankings(IDS[:2, 0], [IDS[0][[3, 1, 2]], IDS[1][[2, 3, 1]]])
    assert named(table) == np.array(names)[ranked.comparisons].tolist()
    rows[0]["clicks"] = "['stim3', 'stim4', 'stim1']"
    with pytest.raises(ValueError, match="line 2: clicks: 'stim4' is no stimulus"):
        read_answers(written(tmp_path, {"S7.csv": as_csv(rows, list(rows[1]))}))
    rows[0]["clicks"] = "['stim3', 'stim1']"
    with pytest.raises(ValueError, match="line 2: clicks: stim2 was not clicked"):
        read_answers(written(tmp_path, {"S7.csv": as_csv(rows, list(rows[1]))}))


def psiz(filler="-1", select="n_select", ranked="1"):
    displays = f"4,2,7,0,5\n1,5,3,{filler},{filler}\n7,6,0,2,4\n"
    facts = f"assignment_id,code_version,n_reference,{select},is_ranked,response_time_s\n"
    facts += f"38,v0,4,2,{ranked},7.004\n38,v0,2,1,{ranked},2.5\n40,v0,4,2,{ranked},3.25\n"
    return {"x_judged_displays.txt": displays.encode(), "x_display_info.txt": facts.encode()}


@pytest.mark.parametrize("arguments", [{}, {"filler": "NaN", "select": "n_selected"}])
def test_displays_with_their_facts(arguments, tmp_path):
    files = psiz(**arguments)
    table = read_answers(written(tmp_path, files))  # a folder
    alone = read_answers(tmp_path / "x_judged_displays.txt")
    parts = [
        from_rankings([4], [[2, 7, 0, 5]], top=2),
        from_rankings([1], [[5, 3]], top=1),
        from_rankings([7], [[6, 0, 2, 4]], top=2),
    ]
    rows = [row for part in parts for row in part.comparisons.tolist()]
    for one in (table, alone):
        assert one.names.astype(int)[one.answers.comparisons].tolist() == rows
        assert one.answers.participant.tolist() == [38, 38, 40]
        assert one.answers.time.tolist() == [7.004, 2.5, 3.25]


def test_displays_that_are_not_ranked_are_choices(tmp_path):
    written(tmp_path, psiz(ranked="0"))
    table = read_answers(tmp_path / "x_judged_displays.txt")
    assert table.form == "choices" and len(table.answers) == 4 + 1 + 4


def test_displays_need_their_facts(tmp_path):
    files = psiz()
    path = tmp_path / "x_judged_displays.txt"
    written(tmp_path, {path.name: files[path.name]})
    with pytest.raises(ValueError, match=r"the file x_display_info.txt must lie beside it"):
        read_answers(path)
    cut = b"\n".join(files["x_display_info.txt"].splitlines()[:-1]) + b"\n"
    written(tmp_path, {**files, "x_display_info.txt": cut})
    with pytest.raises(
        ValueError, match=r"x_display_info.txt: 2 rows, but .* has 3; one .* cut off"
    ):
        read_answers(path)
    mixed = files["x_display_info.txt"].replace(b"38,v0,4,2,1", b"38,v0,4,2,0")
    written(tmp_path, {**files, "x_display_info.txt": mixed})
    with pytest.raises(ValueError, match="some displays are ranked and others are not"):
        read_answers(path)


@pytest.mark.parametrize("kind", ["txt", "npy"])
def test_three_bare_ids_are_read_only_as_the_user_says(kind, tmp_path):
    path = tmp_path / f"trainset.{kind}"
    np.savetxt(path, IDS[:, :3], fmt="%d") if kind == "txt" else np.save(path, IDS[:, :3])
    with pytest.raises(ValueError, match=r"triplets .*form='triplets'.* or odd-one-out .*'spose'"):
        read_answers(path)
    table = read_answers(path, source="spose")
    answers = from_odd_one_out(IDS[:, :3], IDS[:, 2])
    assert (
        table.names.astype(int)[table.answers.comparisons].tolist() == answers.comparisons.tolist()
    )
    triplets = read_answers(path, form="triplets")
    assert triplets.names.astype(int)[triplets.answers.comparisons].tolist() == IDS[:, :3].tolist()


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (
            "a.csv",
            "task,participation,start,resp,label,stim1_id,stim1_name\nt,p,1,2,x,3,y\n",
            "annotations of",
        ),
        (
            "a.csv",
            "task,participation,label,stim1_id,stim1_name,stim2_name\nt,p,x,3,y,z\n",
            "does not say whe",
        ),
        (
            "a.json",
            json.dumps({"token": None, "tasks": [{"trials": [{"x": 1}]}]}, indent=1),
            "arrangements of",
        ),
        (
            "a.json",
            json.dumps({"task": {}, "stimuli": [], "trials": [[1]]}),
            "arrangements of Meadows",
        ),
        ("a.mat", "MATLAB 5.0 MAT-file", "a MATLAB file"),
    ],
)
def test_meadows_is_refused_by_name(file, content, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        read_answers(written(tmp_path, {file: content.encode()}))


# Bad rows, and columns that the user names


def test_columns_and_rows_can_be_chosen(tmp_path):
    [content] = salmon(make_trials(checks=0, practice=0)).values()
    path = written(tmp_path, {"a.csv": content.replace(b"sampler,puid", b"group,session")})
    table = read_answers(
        path, source="salmon", columns={"participant": "session"}, where={"group": "RandomSampling"}
    )
    assert set(table.answers.participant) == {"p0", "p1"}
    assert read_answers(path, source="salmon", columns={"time": None}).answers.time is None
    assert set(
        read_answers(
            path, source="salmon", columns={"participant": "session"}, without=["p0"]
        ).answers.participant
    ) == {"p1"}
    with pytest.raises(ValueError, match="there is no column 'who'"):
        read_answers(path, source="salmon", columns={"participant": "who"})


# No file is read as another form than it was written in, without a warning.

VOCABULARY = (
    "anchor near far odd left right head winner loser response answer choices stim_0 rank_1 "
)
VOCABULARY += (
    "objects chosen ref clicks puid Center trial_type kind best participant screen votes x"
)


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
    ids, wanted = {}, {}
    found = [[ids.setdefault(name, len(ids)) for name in row] for row in named(table)]
    right = [[wanted.setdefault(name, len(wanted)) for name in row] for row in expected(trials)]
    assert found == right, list(frame)


# Folders, archives, workbooks


def test_a_zip_of_people_is_a_folder(tmp_path):
    files = jspsych(make_trials(people=3))
    folder = written(tmp_path / "files", files)
    path = tmp_path / "files.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"data/{name}", content)
        archive.writestr("__MACOSX/data/._p0.csv", b"\0\0")
    one, other = read_answers(folder), read_answers(path)
    assert named(one) == named(other)
    assert one.answers.participant.tolist() == other.answers.participant.tolist()
    assert one.files == ["p0.csv", "p1.csv", "p2.csv"]
    assert one.lines_of([0]) == [f"p0.csv:{one.lines[0]}"]
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="not a complete zip archive"):
        read_answers(path)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("objects,odd\na|b|c,c\n", "differ in their form: a.csv is triplets, b.csv is odd-one-out"),
        (
            "anchor,near,far\n0,1,2\n",
            "objects are numbers in b.csv and names, such as 'a', in a.csv",
        ),
        ("anchor,near,far\na,b,c\n", "b.csv holds the same answers as a.csv; keep one of them"),
        ("anchor,near,far\na,b\n", "b.csv.*line 2: 2 cells"),
        ("head,left,right,winner,puid\na,b,c,b,z\n", "source: a.csv is table, b.csv is Salmon"),
    ],
)
def test_files_that_do_not_go_together(other, message, tmp_path):
    files = {"a.csv": b"anchor,near,far\na,b,c\n", "b.csv": other.encode()}
    with pytest.raises(ValueError, match=message):
        read_answers(written(tmp_path, files))


def test_a_sheet_of_excel(tmp_path):
    rows = [["anchor", "near", "far", "time"], [3, 1, 2, 1.5], [], [1, 2, 3, None]]
    path = tmp_path / "answers.xlsx"
    path.write_bytes(workbook(one=rows, two=[]))
    table = read_answers(path)
    assert named(table) == [["3", "1", "2"], ["1", "2", "3"]] and table.lines.tolist() == [2, 4]
    assert table.unit == "row" and np.isnan(table.answers.time[1])
    path.write_bytes(workbook(one=rows, two=rows))
    with pytest.raises(ValueError, match=r"2 sheets have cells .'one', 'two'.; keep one"):
        read_answers(path)
    path.write_bytes(path.read_bytes()[:900])
    with pytest.raises(ValueError, match="not a complete workbook"):
        read_answers(path)


# Writing, and other packages


@pytest.mark.parametrize("file", ["answers.csv", "answers.csv.gz", "answers.parquet"])
@pytest.mark.parametrize("program", ["jspsych", "salmon", "triplet-tools"])
def test_a_table_is_read_back_as_the_same_answers(program, file, tmp_path):
    table = read_answers(written(tmp_path / "files", PROGRAMS[program][0](trials_for(program))))
    converted = convert(table, tmp_path / file)
    again = read_answers(tmp_path / file)
    assert named(again) == named(table)
    assert again.answers.participant.tolist() == table.answers.participant.tolist()
    np.testing.assert_array_equal(again.answers.time, table.answers.time)
    assert converted.lost == [
        "places on the screen",
        "check trials and other trials that are no answers",
    ]
    with pytest.raises(ValueError, match="the file exists; name another"):
        convert(table, tmp_path / file)


def test_odd_ones_out_are_written_for_spose(tmp_path):
    path = written(
        tmp_path, {"a.csv": b"objects,odd,user\nant|bat|cow,bat,ann\ndog|cow|ant,ant,bo\n"}
    )
    converted = convert(path, tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text().split() == ["0", "2", "1", "3", "2", "0"]
    assert (tmp_path / "a.names.txt").read_text().split() == ["ant", "bat", "cow", "dog"]
    assert converted.lost == ["who answered", "places on the screen"]
    ids = read_answers(tmp_path / "a.txt", source="spose").answers.comparisons
    assert ids.tolist() == read_answers(path).answers.comparisons.tolist()
    with pytest.raises(ValueError, match="the name must end in"):
        convert(path, tmp_path / "a.xyz")


def test_another_package_adds_a_source(tmp_path):
    install(tmp_path)
    (tmp_path / "answers.csv").write_text("spring,weaker\na>b,c\nb>c,a\n")
    code = "from closerthan_lab.files import read_answers; t = read_answers('answers.csv'); "
    code += "print(t.source, t.names[t.answers.comparisons].tolist())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.strip() == "Springs [['a', 'b', 'c'], ['b', 'c', 'a']]", done.stderr


def test_every_source_is_tested():
    tested = {name.split(",")[0] for name in PROGRAMS}
    assert {*source_names()} - tested == {
        "meadows",
        "psychopy",
        "psiz",
        "spose",
        "three-choices",
        "table",
    }
