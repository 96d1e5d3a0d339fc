"""People take part in an experiment in a browser, by mouse and by keyboard."""

import csv
import io
import json
import re
from collections import Counter

import numpy as np
import pytest

from closerthan import OrdinalEmbedding
from closerthan.scores import procrustes_distance
from closerthan_lab.commands.check import check
from closerthan_lab.commands.experiment import experiment
from closerthan_lab.commands.trials import KINDS
from closerthan_lab.files import read_answers
from closerthan_lab.files.spreadsheets import unescape_formula

NAMES = ["=1+1", "50% dog", "Käfer", "a <b>bold name", "bee, 2", "c#t", 'the "fly"', "zebra"]
POINTS = np.random.default_rng(1).uniform(size=(len(NAMES), 2))
PLACE = {name: number for number, name in enumerate(NAMES)}
PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}">
<circle cx="50%" cy="50%" r="20" fill="hsl({} 60% 50%)"/></svg>"""

pytestmark = pytest.mark.usefixtures("mirror")  # it has jsPsych

# Someone who knows the map takes part. Who uses keys loads the page again in the middle.
PERSON = """
const map = new Map(%(map)s), keys = %(keys)s;
const apart = (a, b) => Math.hypot(...map.get(a).map((x, axis) => x - map.get(b)[axis]));
const name = (element) => element.querySelector("img")?.alt ?? element.textContent;
const answer = (shown) => {
  const anchor = document.querySelector(".anchor");
  const places = [...shown.keys()];
  const score = anchor
    ? places.map((i) => -apart(name(anchor), shown[i]))
    : places.map((i) => -apart(...shown.filter((_, j) => j !== i)));
  return score.indexOf(Math.max(...score));
};
let saved = null, file = null;
window.Blob = class { constructor(parts) { saved = parts.join(""); } };
URL.createObjectURL = () => "blob:nothing";
HTMLAnchorElement.prototype.click = function () { file = this.download; };
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const press = (key) => ["keydown", "keyup"].forEach((kind) =>
  document.body.dispatchEvent(new KeyboardEvent(kind, { key, bubbles: true })));
const touch = (element) => {
  const box = element.getBoundingClientRect();
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  there?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
};
const whole = document.documentElement;
const found = { beyond: 0, hidden: [], pages: [], number: 0, missing: 0, left: 0, elements: 0 };
const look = (buttons) => {
  found.beyond = Math.max(found.beyond, whole.scrollWidth - whole.clientWidth);
  for (const button of buttons) {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const seen = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    if (!seen) found.hidden.push([name(button), top, bottom]);
  }
  found.missing += all("img").filter((image) => !image.naturalWidth).length;
};
while (saved === null) {
  const buttons = all(".alternative");
  if (buttons.length && !buttons[0].disabled) {
    look(buttons);
    const place = answer(buttons.map(name));
    const arrows = buttons.length === 2 && found.number %% 2;
    if (keys) press((arrows ? ["ArrowLeft", "ArrowRight"] : ["1", "2", "3"])[place]);
    else touch(buttons[place]);
    found.number += 1;
    await wait(0);
    found.left += document.contains(buttons[0]) ? 1 : 0;
    found.elements += all("b").length;
    if (keys && found.number === 30 && !sessionStorage.again) {
      sessionStorage.again = 1;
      location.reload();
      await wait(1e6);
    }
  } else if (buttons.length) {
    if (keys) press("1"); // too fast to count
    else touch(buttons[0]);
  } else {
    const button = all("button:enabled").at(-1);
    if (button) {
      found.pages.push(document.querySelector(".page").textContent);
      button.click();
    }
  }
  await wait(20);
}
const leaving = new Event("beforeunload", { cancelable: true });
dispatchEvent(leaving);
const bar = document.getElementById("jspsych-progressbar-inner").style.width;
const thanks = document.querySelector(".page").textContent;
return { ...found, saved, file, bar, thanks, warned: leaving.defaultPrevented };
"""


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("\n".join(NAMES), encoding="utf-8")
    return path


@pytest.fixture
def pictures(tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, name in enumerate(NAMES):
        size = [(300, 900), (900, 300), (400, 400)][number % 3]
        picture = PICTURE.format(*size, 40 * number)
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
    return folder


def take_part(browse, folder, state, size, keys):
    """Return what happened, and the rows of the saved file."""
    points = json.dumps(list(zip(NAMES, POINTS.tolist(), strict=True)))
    browser = browse(folder / "index.html")
    script = PERSON % {"map": points, "keys": json.dumps(keys)}
    found = browser.ask(state, script, size=size, seconds=240)
    expected = ("file:// protocol", "'beforeunload' confirmation")
    assert [line for line in browser.said if not any(word in line for word in expected)] == []
    rows = csv.DictReader(io.StringIO(found["saved"], newline=""))
    return found, [{key: unescape_formula(cell) for key, cell in row.items()} for row in rows]


def distances(rows, pairs):
    """Return the true distances of pairs of columns."""
    ids = {column: [PLACE[row[column]] for row in rows] for pair in pairs for column in pair}
    return [np.linalg.norm(POINTS[ids[a]] - POINTS[ids[b]], axis=1) for a, b in pairs]


def check_session(found, rows, planned, keys):
    """Check what does not depend on the form."""
    assert found["beyond"] == 0 and found["hidden"] == [], "all fits on the screen"
    assert (found["missing"], found["elements"], found["left"]) == (0, 0, 0)
    assert found["bar"] == "100%" and not found["warned"]
    assert found["thanks"].endswith(
        f"saved as the file {found['file']}. Please send this file to the researchers."
    )
    resumed = 30 if keys else 0
    assert found["number"] == len(rows) - resumed, "each question is answered once"
    assert ("Welcome back" in found["pages"][0]) == keys
    breaks = [n for n in range(planned.breaks, len(rows) - 2, planned.breaks) if n > resumed - 2]
    assert sum("short break" in page for page in found["pages"]) == len(breaks) > 0
    assert [row["trial"] for row in rows] == [str(n + 1) for n in range(len(rows))]
    (number,) = {int(row["list"]) for row in rows}
    drawn = planned.lists[number - 1]
    assert [row["kind"] for row in rows] == [KINDS[kind] for kind in drawn[:, 0]]
    columns = list(rows[0])[2:5]
    asked = [[planned.names.index(row[column]) for column in columns] for row in rows]
    assert asked == drawn[:, 1:].tolist()
    right = {"true" if row["kind"] == "check" else "" for row in rows}
    assert {row["correct"] for row in rows} == right
    assert all(0.2 <= float(row["time"]) < 2 for row in rows), "not by a double click"
    assert len({row["began"] for row in rows}) == 1


def check_reading(folder, found, rows):
    """Check that the saved file is read without any option, and return its answers."""
    path = folder / found["file"]
    path.write_bytes(found["saved"].encode())
    table = read_answers(path)
    kinds = Counter(row["kind"] for row in rows)
    assert table.answers.n_screens == kinds["question"] + kinds["repeat"]
    assert table.left_out == {"check": kinds["check"], "practice": kinds["practice"]}
    assert table.checks["passed"].all() and table.has_sides == ("left" in rows[0])
    assert "\nA table, 1 participant: " in check(table, fit_maps=False).text()
    return table


@pytest.mark.parametrize(
    ("kind", "size", "keys"),
    [
        ("pictures", (1280, 800), False),
        ("pictures", (360, 640), True),
        ("words", (360, 640), True),
    ],
)
def test_a_map_of_triplets_is_found_again(browse, request, tmp_path, kind, size, keys):
    planned = experiment(request.getfixturevalue(kind), questions=150, breaks=60)
    planned.write(tmp_path / "online")
    found, rows = take_part(browse, tmp_path / "online", "?id=anna%20%26%20co", size, keys)
    check_session(found, rows, planned, keys)
    assert list(rows[0]) == [
        *("participant", "kind", "anchor", "left", "right", "chosen"),
        *("time", "correct", "trial", "list", "began"),
    ]
    assert {row["participant"] for row in rows} == {"anna & co"}
    line = found["saved"].split("\r\n")[1]
    assert re.fullmatch(r'"anna & co","practice",.*,\d\.\d{3},,1,\d+,"20[^"]+Z"', line)
    began = re.sub("[-:.Z]", "", rows[0]["began"])
    assert found["file"] == f"answers-anna___co-{began}.csv"
    to_left, to_right = distances(rows, [("anchor", "left"), ("anchor", "right")])
    near = np.where(to_left < to_right, "left", "right")
    assert [row["chosen"] for row in rows] == [row[k] for row, k in zip(rows, near, strict=True)]
    table = check_reading(tmp_path, found, rows)
    triplets = np.vectorize(lambda number: PLACE[table.names[number]])(table.answers.comparisons)
    points = OrdinalEmbedding(2, random_state=0).fit(triplets).embedding_
    assert procrustes_distance(POINTS, points) < 0.05


@pytest.mark.parametrize(
    ("kind", "size", "keys"), [("words", (1280, 800), False), ("pictures", (360, 640), True)]
)
def test_odd_ones_are_those_of_the_map(browse, request, tmp_path, kind, size, keys):
    stimuli = request.getfixturevalue(kind)
    planned = experiment(stimuli, form="odd-one-out", questions=50, breaks=20)
    planned.write(tmp_path / "online")
    state = "?PROLIFIC_PID=bob&STUDY_ID=s%201&SESSION_ID=-t&list=3"
    found, rows = take_part(browse, tmp_path / "online", state, size, keys)
    check_session(found, rows, planned, keys)
    assert list(rows[0]) == [
        *("participant", "kind", "object_1", "object_2", "object_3", "odd"),
        *("time", "correct", "trial", "list", "began", "study_id", "session_id"),
    ]
    check_reading(tmp_path, found, rows)
    told = {(row["list"], row["study_id"], row["session_id"]) for row in rows}
    assert told == {("3", "s 1", "-t")} and '"\'-t"' in found["saved"]
    pairs = [("object_2", "object_3"), ("object_1", "object_3"), ("object_1", "object_2")]
    odd = np.argmin(distances(rows, pairs), axis=0) + 1
    assert [row["odd"] for row in rows] == [
        row[f"object_{k}"] for row, k in zip(rows, odd, strict=True)
    ]


def test_who_gives_no_id_keeps_a_random_one_and_its_list(browse, words, tmp_path):
    experiment(words, questions=5, repeats=0).write(tmp_path / "online")
    browser = browse(tmp_path / "online" / "index.html")
    script = """
    sessionStorage.told = (sessionStorage.told ?? "") + `${participant} ${list} `;
    if (sessionStorage.told.split(" ").length > 4) return sessionStorage.told;
    location.reload();
    await new Promise(() => {});
    """
    first, first_list, second, second_list, _ = browser.ask("", script).split(" ")
    assert (first, first_list) == (second, second_list) and len(first) == 13
    lists = browser.ask("?participant=a", "return [list, chooseList()];")
    assert lists == browser.ask("?participant=a&list=99", "return [list, chooseList()];")
    assert browser.ask("?participant=a&list=20", "return list;") == 19
