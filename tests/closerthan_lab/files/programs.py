"""Write the same answers as different programs do.

Each function of `PROGRAMS` gets trials and returns files, as bytes by name. A trial is a dict with
`anchor`, `left`, `right`, the `picked` position (None if nobody answered), `person`, `seconds` and
`kind` ("random", "check" or "practice").
"""

import csv
import io
import json
import zipfile

import numpy as np

NAMES = [f"img/{animal}.png" for animal in ("ant", "bat", "cow", "dog", "eel", "fox", "gnu")]


def make_trials(seed=0, n=30, checks=3, practice=2, people=2, names=NAMES):
    """Return random trials; in a check one alternative is the anchor itself."""
    rng = np.random.default_rng(seed)
    kinds = ["practice"] * practice + list(rng.permutation(["check"] * checks + ["random"] * n))
    trials = []
    for number, kind in enumerate(kinds):
        anchor, left, right = (names[place] for place in rng.permutation(len(names))[:3])
        if kind == "check":
            left, right = rng.permutation([anchor, left]).tolist()
        trials.append(
            {
                "anchor": anchor,
                "left": left,
                "right": right,
                "picked": int(rng.integers(2)),
                "person": f"p{number % people}",
                "seconds": round(float(rng.uniform(0.3, 4)), 3),
                "kind": kind,
            }
        )
    return trials


def short(path):
    return path.rpartition("/")[2].removesuffix(".png")


def expected(trials):
    """Return the comparisons of the answers, as names."""
    kept = [trial for trial in trials if trial["kind"] == "random" and trial["picked"] is not None]
    sides = [(trial["left"], trial["right"])[:: 1 - 2 * trial["picked"]] for trial in kept]
    return [[short(t["anchor"]), short(a), short(b)] for t, (a, b) in zip(kept, sides, strict=True)]


def as_csv(rows, columns=None, delimiter=","):
    columns = columns or list(rows[0])
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _screens(trials, keys=False):
    """Return the screens of jsPsych: a preload, then a fixation before each question."""
    screens, elapsed = [{"trial_type": "preload", "success": "true"}], 500
    for trial in trials:
        screens.append({"trial_type": "html-keyboard-response", "stimulus": "+", "rt": "null"})
        response = "null" if trial["picked"] is None else trial["picked"]
        if keys and trial["picked"] is not None:
            response = ("arrowleft", "arrowright")[trial["picked"]]
        row = {
            "trial_type": "html-button-response",
            "stimulus": trial["anchor"],
            "choices": json.dumps([trial["left"], trial["right"]]),
            "response": response,
            "rt": round(1000 * trial["seconds"]),
            "trial_category": trial["kind"],
        }
        if trial["kind"] == "check":
            right = (trial["left"], trial["right"])[trial["picked"]] == trial["anchor"]
            row["correct"] = str(right).lower()
        screens.append(row)
    survey = {"trial_type": "html-button-response", "stimulus": "<p>Are you well?</p>"}
    screens.append({**survey, "choices": '["Yes","No"]', "response": 0, "rt": 800})
    for number, screen in enumerate(screens):
        elapsed += 700
        screen |= {"trial_index": number, "time_elapsed": elapsed}
    return screens


_JSPSYCH = ["trial_type", "trial_index", "time_elapsed", "success", "rt", "stimulus", "response"]
_JSPSYCH += ["choices", "trial_category", "correct", "worker_id"]


def jspsych(trials, keys=False):
    files = {}
    for person in sorted({trial["person"] for trial in trials}):
        screens = _screens([trial for trial in trials if trial["person"] == person], keys)
        screens = [{**screen, "worker_id": person} for screen in screens]
        files[f"{person}.csv"] = as_csv(screens, _JSPSYCH)
    return files


def jspsych_json(trials):
    """Return JSON arrays, with lists as lists, whose participant is the name of the file."""
    files = {}
    for person in sorted({trial["person"] for trial in trials}):
        screens = _screens([trial for trial in trials if trial["person"] == person])
        for screen in screens:
            if "choices" in screen:
                screen["choices"] = json.loads(screen["choices"])
            screen["view_history"] = [{"page": 0}]
        files[f"{person}.json"] = json.dumps(screens).encode()
    return files


def jspsych_with_columns(trials):
    rows = []
    for number, trial in enumerate(trials):
        head = {"trial_type": "image", "trial_index": 2 * number, "time_elapsed": number}
        rows.append({**head, "response": "null"})
        rows.append(
            {
                **head,
                "trial_index": 2 * number + 1,
                "rt": round(1000 * trial["seconds"]),
                "response": "" if trial["picked"] is None else "fj"[trial["picked"]],
                "reference": trial["anchor"],
                "left": trial["left"],
                "right": trial["right"],
                "subject": trial["person"],
                "is_practice": str(trial["kind"] == "practice").lower(),
            }
        )
    return {"answers.csv": as_csv(rows, list(rows[-1]))}


def _picked(trial):
    return (trial["left"], trial["right"])[trial["picked"]]


def _ids(trials):
    names = sorted({trial[role] for trial in trials for role in ("anchor", "left", "right")})
    return {name: number for number, name in enumerate(names)}


def triplet_tools(trials):
    ids, rows = _ids(trials), []
    for trial in trials:
        winner = _picked(trial)
        loser = trial["left"] if winner == trial["right"] else trial["right"]
        rows.append(
            {
                "head": ids[trial["anchor"]],
                "winner": ids[winner],
                "loser": ids[loser],
                "worker_id": trial["person"],
                "rt": round(1000 * trial["seconds"]),
                "Center": short(trial["anchor"]),
                "Left": short(trial["left"]),
                "Right": short(trial["right"]),
                "Answer": short(winner),
                "sampleAlg": trial["kind"],
                "sampleSet": "train" if trial["kind"] == "random" else "NA",
            }
        )
    return {"triplets.csv": as_csv(rows)}


def salmon(trials, file="responses.csv"):
    ids, rows = _ids(trials), []
    for trial in trials:
        shown = {"head": trial["anchor"], "left": trial["left"], "right": trial["right"]}
        shown["winner"] = _picked(trial)
        row = {role: ids[name] for role, name in shown.items()}
        row |= {"sampler": "RandomSampling", "puid": trial["person"]}
        row |= {"response_time": trial["seconds"], "network_latency": 0.2}
        row |= {f"{role}_html": f"<img src='/static/{name}' />" for role, name in shown.items()}
        row |= {f"{role}_filename": name.rpartition("/")[2] for role, name in shown.items()}
        row["loser"] = row["left"] if row["winner"] == row["right"] else row["right"]
        rows.append(row)
    content = as_csv(rows) if file.endswith(".csv") else json.dumps(rows).encode()
    return {file: content}


def salmon_zipped(trials):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("responses.csv", salmon(trials)["responses.csv"])
    return {"responses.csv.zip": stream.getvalue()}


def next_of_2015(trials):
    rows = [
        {
            "Participant.ID": trial["person"],
            "Timestamp": "2015-05-29 07:35:01",
            "Center": short(trial["anchor"]),
            "Left": short(trial["left"]),
            "Right": short(trial["right"]),
            "Answer": short(_picked(trial)),
            "Response.Time..s.": round(1000 * trial["seconds"]),
            "Alg.Label": "Random",
        }
        for trial in trials
    ]
    return {"next.csv": as_csv(rows)}


def next_of_2017(trials):
    ids = _ids(trials)
    rows = [
        {
            "": number,
            "alg_label": "Random",
            "center_id": ids[trial["anchor"]],
            "participant_uid": trial["person"],
            "response_time": trial["seconds"],
            "target_center": short(trial["anchor"]),
            "target_left": short(trial["left"]),
            "target_right": short(trial["right"]),
            "target_winner": short(_picked(trial)),
            "winner_id": ids[_picked(trial)],
        }
        for number, trial in enumerate(trials)
    ]
    return {"next.csv": as_csv(rows)}


def next_json(trials):
    people = {}
    for trial in trials:
        labels = zip(("center", "left", "right"), ("anchor", "left", "right"), strict=True)
        answer = {
            "target_indices": [
                {"label": label, "index": short(trial[role])} for label, role in labels
            ],
            "response_time": trial["seconds"],
        }
        if trial["picked"] is not None:
            answer["index_winner"] = short(_picked(trial))
        people.setdefault(trial["person"], []).append(answer)
    return {"responses.json": json.dumps({"meta": {}, "participant_responses": people}).encode()}


# What each program can write: all trials, or no practice, no checks, only answered ones.
PROGRAMS = {
    "jspsych": (jspsych, "practice check unanswered"),
    "jspsych, arrow keys": (lambda trials: jspsych(trials, keys=True), "practice check unanswered"),
    "jspsych, JSON": (jspsych_json, "practice check unanswered"),
    "jspsych, columns": (jspsych_with_columns, "practice check unanswered"),
    "triplet-tools": (triplet_tools, "check"),
    "salmon": (salmon, "check"),
    "salmon, JSON": (lambda trials: salmon(trials, "responses.json"), "check"),
    "salmon, zipped": (salmon_zipped, "check"),
    "next, 2015": (next_of_2015, "check"),
    "next, 2017": (next_of_2017, "check"),
    "next, JSON": (next_json, "check unanswered"),
}


_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def workbook(**sheets):
    """Return an Excel workbook; a sheet is a list of rows of numbers and texts, or None."""

    def cell(value):
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        return "<c/>" if value is None else f"<c><v>{value}</v></c>"

    def related(kind, *targets):
        links = (
            f'<Relationship Id="r{n}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
            for n, target in enumerate(targets)
        )
        return f'<Relationships xmlns="{_PACKAGE}">{"".join(links)}</Relationships>'

    names = "".join(
        f'<sheet name="{s}" sheetId="{n + 1}" r:id="r{n}"/>' for n, s in enumerate(sheets)
    )
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": related("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_SHEETS}" xmlns:r="{_OFFICE}"><sheets>{names}</sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": related("worksheet", *(f"{name}.xml" for name in sheets)),
    }
    for name, rows in sheets.items():
        cells = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
        parts[f"xl/{name}.xml"] = (  # with a wrong size, as some programs write it
            f'<worksheet xmlns="{_SHEETS}"><dimension ref="A1:B2"/>'
            f"<sheetData>{cells}</sheetData></worksheet>"
        )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return stream.getvalue()
