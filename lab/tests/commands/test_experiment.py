"""`closerthan experiment`: refused input, the lists of questions, and the folder."""

import json
import re
import shutil

import numpy as np
import pytest

from closerthan_lab.commands.experiment import experiment
from closerthan_lab.commands.trials import FORMS, KINDS
from commands.line import refused, run, said

WORDS = ["ape", "bee", "cat", "dog", "elk", "fly"]
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
STARTS = {
    ".png": PNG,
    ".jpg": b"\xff\xd8\xff\xe0",
    ".JPEG": b"\xff\xd8\xff\xe1",
    ".gif": b"GIF89a",
    ".webp": b"RIFF\1\2\3\4WEBPVP8 ",
    ".svg": b"<?xml version='1.0'?><svg/>",
}


def words(tmp_path, names=WORDS):
    path = tmp_path / "words.txt"
    path.write_text("\n".join(names), encoding="utf-8")
    return path


def pictures(tmp_path, contents):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "", "c"], "words.txt: 3 words or phrases; give at least 4"),
        (["a", "b", "c", "d", " A "], "words.txt, line 5: the same name as .*, line 1, 'A'"),
        (["a", "b", "c", "nan"], "line 4: the name 'nan' stands for a missing value"),
        (["1", "2", "3", "0.5"], "line 4: the name '0.5' is not a whole number from 0, and most"),
        (["1", "2", "3", "1.0"], "line 4: the same name as .*, line 1, '1.0'"),
        (["a", "b", "c", "d" * 1001], "line 4: the name .* is longer than 1,000 characters"),
    ],
)
def test_words_that_cannot_be_used_are_named(tmp_path, names, message):
    with pytest.raises(ValueError, match=message):
        experiment(words(tmp_path, names), questions=1, repeats=0)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"a.png": None}, r"pictures: 3 pictures \(\.png, .*\.svg\); give at least 4"),
        ({"b.png": b""}, r"b\.png: the picture is empty"),
        ({"b.png": b"\x89PGN"}, r"b\.png: not a picture, although its name ends in \.png"),
        ({"b.svg": PNG}, r"b\.svg: not a picture"),
        ({"b.png": PNG + bytes(5_000_000)}, r"b\.png: 5\.0 MB; make the picture smaller than 5 MB"),
        ({"b.TIF": b"II*"}, r"b\.TIF: not every browser shows such files"),
        ({"a.jpg": STARTS[".jpg"]}, r"a\.png: the same name as .*a\.jpg, 'a'"),
        ({" A .png": PNG}, r"a\.png: the same name as .* A \.png, 'a'"),
    ],
)
def test_pictures_that_cannot_be_used_are_named(tmp_path, changed, message):
    contents = {f"{name}.png": PNG for name in "acde"} if "a.png" not in changed else {}
    contents |= {f"{name}.png": PNG for name in "cde"} | changed
    contents = {name: content for name, content in contents.items() if content is not None}
    with pytest.raises(ValueError, match=message):
        experiment(pictures(tmp_path, contents))


def test_a_place_without_stimuli_is_named(tmp_path):
    (tmp_path / "latin.txt").write_bytes("Käfer\n".encode("latin-1"))
    for name, message in [("none", "does not exist"), ("latin.txt", "not a text in UTF-8")]:
        text = refused("experiment", tmp_path / name, "-o", tmp_path / "online")
        assert text.startswith(f"closerthan: {tmp_path / name}: ") and message in text
        assert not (tmp_path / "online").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--questions", 61], "--questions 61; it must be a whole number from 1 to 60 (there are"),
        (["--repeats", 6, "--questions", 5], "--repeats 6; it must be a whole number from 1 to 5"),
        (["--form", "sudoku"], "--form 'sudoku'; it must be one of triplets, odd-one-out"),
        (["--form", "odd-one-out", "--questions-from", __file__], "--questions-from '/"),
        (["--send-to", "datapipe:EXPERIMENT_ID"], "--send-to 'datapipe:EXPERIMENT_ID'; write data"),
        (["--send-to", "ann@example.org"], "--send-to 'ann@example.org'; write datapipe: and the"),
        (["--send-to", "https://"], "--send-to 'https://'; write datapipe: and the ID that pipe."),
        (["--complete-url", "javascript:1"], "--complete-url 'javascript:1'; write an address wi"),
    ],
)
def test_an_option_that_does_not_fit_is_named(tmp_path, options, message):
    text = refused("experiment", words(tmp_path), *options, "-o", tmp_path / "online")
    assert text.startswith(f"closerthan: {message}")
    assert not (tmp_path / "online").exists()


def test_without_a_number_as_many_questions_are_asked_as_there_are(tmp_path):
    facts = experiment(words(tmp_path), form="odd-one-out").facts()
    assert (facts["questions"], facts["repeats"]) == (20, 10)
    assert experiment(words(tmp_path), questions=5).facts()["repeats"] == 5


def test_addresses_are_checked_before_any_file_is_read():
    with pytest.raises(ValueError, match="send_to='ftp://lab'; write datapipe:"):
        experiment("no such file", send_to="ftp://lab")


def test_the_folder_must_be_named(tmp_path):
    done = run("experiment", words(tmp_path))
    assert done.exit_code == 2 and "Missing option '-o' / '--out'" in done.stderr


def as_question(form, trial):
    """Return what is asked, without the sides."""
    start = 1 if form == "triplets" else 0
    return (*trial[:start], *sorted(trial[start:]))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("numbers", [(50, 7, 3, 4), (6, 6, 5, 0), (1, 0, 0, 0), (56, 40, 9, 9)])
def test_lists_hold_what_they_should(tmp_path, form, numbers):
    names = [*WORDS, "gnu", "hen"]
    options = dict(zip(("questions", "repeats", "checks", "practice"), numbers, strict=True))
    planned = experiment(words(tmp_path, names), form=form, lists=6, **options)
    assert len({trials.tobytes() for trials in planned.lists}) == 6
    start = 1 if form == "triplets" else 0
    for trials in planned.lists.tolist():
        kinds = [KINDS[kind] for kind, *_ in trials]
        assert tuple(kinds.count(kind) for kind in KINDS) == numbers
        assert kinds[: numbers[3]] == ["practice"] * numbers[3]
        asked = {}
        for place, (kind, *trial) in enumerate(trials):
            question = as_question(form, trial)
            if KINDS[kind] == "question":
                assert question not in asked and len(set(question)) == 3
                asked[question] = place, trial
            elif KINDS[kind] == "repeat":
                earlier, before = asked[question]
                assert earlier < place
                assert all(a != b for a, b in zip(trial[start:], before[start:], strict=True))
            elif KINDS[kind] == "check":
                assert len(set(trial)) == 2
                assert form != "triplets" or trial[0] in trial[1:]
        places = [place - numbers[3] for place, kind in enumerate(kinds) if kind == "check"]
        shares = (np.array(places) + 0.5) / (len(trials) - numbers[3])
        assert np.allclose(shares, (np.arange(numbers[2]) + 0.5) / max(numbers[2], 1), atol=0.1)


def test_questions_come_again_much_later(tmp_path):
    planned = experiment(words(tmp_path, map(str, range(20))))
    for trials in planned.lists.tolist():
        asked = {}
        for place, (kind, *trial) in enumerate(trials):
            earlier = asked.setdefault((kind > 1, as_question("triplets", trial)), place)
            assert KINDS[kind] != "repeat" or place - earlier >= 10


@pytest.mark.parametrize("form", FORMS)
def test_sides_are_balanced(tmp_path, form):
    planned = experiment(words(tmp_path), form=form, questions=18, repeats=0, checks=6)
    start = 1 if form == "triplets" else 0
    for trials in planned.lists:
        for kind in ("question", "check"):
            rows = trials[trials[:, 0] == KINDS.index(kind), 1:]
            if kind == "check":
                twice = [max(row, key=row.count) for row in rows.tolist()]
                right = rows == np.array(twice)[:, None]
                right = right if form == "triplets" else ~right
            elif form == "triplets":
                right = rows == rows[:, 1:].max(axis=1)[:, None]
            else:
                continue
            assert np.ptp(right[:, start:].sum(axis=0)) == 0
    left = np.bincount(planned.lists[planned.lists[:, :, 0] == 0][:, 1 + start], minlength=6)
    assert left.min() > 0.7 * left.mean()


@pytest.mark.parametrize(
    "table",
    [
        "head,first,second\nape,bee,cat\nape,elk,'=fly\n",
        "second,anchor,first\ncat,ape,bee\n'=fly,ape,elk\n",
    ],
)
def test_questions_are_those_of_a_file(tmp_path, table):
    path = tmp_path / "questions.csv"
    path.write_text(table)
    names = [*WORDS[:5], "=fly"]
    planned = experiment(words(tmp_path, names), questions_from=path, repeats=1, checks=0)
    assert planned.facts()["questions"] == planned.facts()["different_questions"] == 2
    for trials in planned.lists.tolist():
        asked = {as_question("triplets", trial) for kind, *trial in trials if kind == 0}
        assert asked == {(0, 1, 2), (0, 4, 5)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a readable table"),
        ("head,first\nape,bee\n", "no column is called 'second'"),
        ("head,first,second\n", "no questions"),
        ("head,first,second\nape,bee,cat\nape,gnu,cat\n", "line 3: no stimulus has .* 'gnu'"),
        ("head,first,second\nape,bee,ape\n", "line 2: the same object twice"),
        ("head,first,second\nape,bee,cat\nape,cat,bee\n", "line 3: the same question as in line 2"),
    ],
)
def test_a_file_of_questions_that_does_not_fit_is_refused(tmp_path, text, message):
    path = tmp_path / "questions.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"questions\.csv.*{message}"):
        experiment(words(tmp_path), questions_from=path, repeats=0)


def test_instructions_are_pages(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\ufeffOne <b>\nmore\n\n \nTwo\n", encoding="utf-8")
    planned = experiment(words(tmp_path), questions=9, repeats=0, instructions=path)
    assert planned.instructions == ["One <b>\nmore", "Two"]
    path.write_text(" \n")
    with pytest.raises(ValueError, match=r"text\.txt: no text"):
        experiment(words(tmp_path), questions=9, repeats=0, instructions=path)


def data_of(folder):
    text = (folder / "data.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("const EXPERIMENT = ").removesuffix(";\n"))


@pytest.mark.usefixtures("mirror")
def test_every_picture_has_its_name_and_a_safe_address(tmp_path):
    names = [" blank ", "c#t", "50% dog", "Käfer", "a 'quote'", "ape.small"]
    suffixes = dict(zip(names, STARTS, strict=True))
    contents = {f"{n}{s}": STARTS[s] + n.encode() for n, s in suffixes.items()}
    folder = pictures(tmp_path, contents | {".hidden.png": PNG, "notes.txt": b"?"})
    experiment(folder, questions=10).write(tmp_path / "online")
    data = data_of(tmp_path / "online")
    assert sorted(data["names"]) == sorted(name.strip() for name in names)
    for name, file in zip(data["names"], data["pictures"], strict=True):
        assert re.fullmatch(r"stimulus-\d\.(png|jpg|jpeg|gif|webp|svg)", file)
        content = (tmp_path / "online" / file).read_bytes()
        (of_it,) = [c for n, c in contents.items() if n.rpartition(".")[0].strip() == name]
        assert content == of_it
    shown = {tuple(row[1:]) for row in data["lists"][0]}
    assert {place for row in shown for place in row} == set(range(len(names)))


@pytest.mark.usefixtures("mirror")
def test_the_same_seed_gives_the_same_bytes(tmp_path):
    def written(name, *options):
        said("experiment", words(tmp_path), "--questions", 30, "-o", tmp_path / name, *options)
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    first = written("first")
    assert first == written("second") and first != written("third", "--seed", 1)
    assert "closerthan check answers/" in first["README.txt"].decode()
    assert "Copyright (c) 2014-2022 Joshua R. de Leeuw" in first["README.txt"].decode()


@pytest.mark.usefixtures("mirror")
def test_its_text_and_facts_agree(tmp_path):
    command = ["experiment", words(tmp_path), "--questions", 30, "-o", tmp_path / "online"]
    text = said(*command)
    assert "6 stimuli (words), 20 lists of 30 questions (triplets)" in text
    assert "46 trials, about 3 minutes: 2 practice, 30 questions, 10 repeats, 4 checks." in text
    assert "Each object occurs in 15.0 questions" in text
    facts = json.loads(said(*command, "--overwrite", "--json"))
    assert facts["trials"] == 46 and facts["possible_questions"] == 60


@pytest.mark.usefixtures("mirror")
def test_the_readme_says_where_the_answers_go(tmp_path):
    def written(*options):
        options = ["--questions", 10, *options, "-o", tmp_path / "online", "--overwrite"]
        text = said("experiment", words(tmp_path), *options)
        assert ("Answers are sent to" in text) == ("--send-to" in options)
        data = data_of(tmp_path / "online")
        return data["id"], data["send_to"], (tmp_path / "online" / "README.txt").read_text()

    first, receiver, text = written("--contact", "Ann & Bo <ann@example.org>")
    assert receiver is None and "Nothing is sent to" in text
    assert "asks participants to send the file to Ann & Bo <ann@example.org>." in text
    second, receiver, text = written("--send-to", "https://lab.org/?a=1&b=2")
    assert receiver == {"address": "https://lab.org/?a=1&b=2"}
    assert "sent to https://lab.org/?a=1&b=2." in text and "Nothing is sent" not in text
    assert first == second, "who has begun can go on"
    assert "trial_type" in written("--send-to", "datapipe:abc123")[2] and "trial_type" not in text


@pytest.mark.usefixtures("mirror")
def test_the_page_loads_nothing_from_elsewhere(tmp_path):
    experiment(words(tmp_path), questions=10).write(tmp_path / "online")
    texts = {path.name: path.read_text() for path in (tmp_path / "online").iterdir()}
    loaded = re.findall(r'(?:src|href)="([^"]*)"', texts["index.html"])
    assert set(loaded) - {"data:,"} <= set(texts) and len(loaded) == 8
    elsewhere = r"""(?:src|href)=["']?(?:https?:)?//|url\(["']?(?:https?:)?//|@import|\bimport\(|"""
    elsewhere += r"fetch\(|sendBeacon|WebSocket"
    for name, text in texts.items():
        # jsPsych itself can load audio, but only if an experiment has some.
        if not name.startswith("jspsych"):
            own = text.replace("await fetch(address, ", "")  # only to `send_to`
            assert not re.search(elsewhere, own), name


def test_a_changed_file_of_jspsych_is_refused(tmp_path, mirror, monkeypatch):
    shutil.copytree(f"{mirror}/jspsych", tmp_path / "jspsych")
    for path in (tmp_path / "jspsych").iterdir():
        path.chmod(0o644)
    core = tmp_path / "jspsych" / "jspsych-8.3.0.min.js"
    core.write_bytes(core.read_bytes().replace(b"finishTrial", b"finishTrail"))
    monkeypatch.setenv("CLOSERTHAN_DATA_MIRROR", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    message = refused("experiment", words(tmp_path), "--questions", 10, "-o", tmp_path / "online")
    assert f"{core} is not the registered file" in message
    assert not (tmp_path / "online").exists()
