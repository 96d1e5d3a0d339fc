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
import pandas as pd
from hypothesis import strategies as st

from closerthan_lab.files.cells import MISSING

NAMES = [f"img/{animal}.png" for animal in ("ant", "bat", "cow", "dog", "eel", "fox", "gnu")]


def make_trials(seed=0, n=30, checks=3, practice=2, people=2):
    """Return random trials; in a check one alternative is the anchor itself."""
    rng = np.random.default_rng(seed)
    kinds = ["practice"] * practice + list(rng.permutation(["check"] * checks + ["random"] * n))
    trials = []
    for number, kind in enumerate(kinds):
        anchor, left, right = (NAMES[place] for place in rng.permutation(len(NAMES))[:3])
        if kind == "check":
            left, right = rng.permutation([anchor, left]).tolist()
        asked = {"anchor": anchor, "left": left, "right": right, "picked": int(rng.integers(2))}
        seconds = round(float(rng.uniform(0.3, 4)), 3)
        trials.append({**asked, "person": f"p{number % people}", "seconds": seconds, "kind": kind})
    return trials


def short(path):
    return path.rpartition("/")[2].removesuffix(".png")


def with_facts(trials):
    """Return trials with all that programs write: ids, short names, winner, loser and time."""
    names = sorted({trial[role] for trial in trials for role in ("anchor", "left", "right")})
    ids = {name: number for number, name in enumerate(names)}
    rows = []
    for number, trial in enumerate(trials):
        shown = {role: trial[role] for role in ("anchor", "left", "right")}
        if trial["picked"] is not None:
            sides = [trial["left"], trial["right"]]
            shown |= {"winner": sides[trial["picked"]], "loser": sides[1 - trial["picked"]]}
        row = {**trial, **shown, "number": number, "ms": round(1000 * trial["seconds"])}
        row |= {f"{role}_id": ids[name] for role, name in shown.items()}
        rows.append(row | {f"{role}_name": short(name) for role, name in shown.items()})
    return rows


def expected(trials):
    """Return the comparisons of the answers, as words of three names."""
    kept = [trial for trial in trials if trial["kind"] == "random" and trial["picked"] is not None]
    return ["{anchor_name} {winner_name} {loser_name}".format(**row) for row in with_facts(kept)]


def as_csv(rows, columns=None, delimiter=","):
    columns = columns or list(rows[0])
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _filled(header, row, trials):
    """Return a table: a row for each trial, with its facts."""
    return "\n".join([header, *(row.format(**facts) for facts in trials), ""]).encode()


def _screens(trials, keys=False):
    """Return the screens of jsPsych: a preload, then a fixation before each question."""
    screens = [{"trial_type": "preload", "success": "true"}]
    for trial in trials:
        screens.append({"trial_type": "html-keyboard-response", "stimulus": "+", "rt": "null"})
        answers = ("arrowleft", "arrowright") if keys else (0, 1)
        row = {
            "trial_type": "html-button-response",
            "stimulus": trial["anchor"],
            "choices": [trial["left"], trial["right"]],
            "response": "null" if trial["picked"] is None else answers[trial["picked"]],
            "rt": round(1000 * trial["seconds"]),
            "trial_category": trial["kind"],
        }
        if trial["kind"] == "check":
            row["correct"] = str(row["choices"][trial["picked"]] == trial["anchor"]).lower()
        screens.append(row)
    survey = {"trial_type": "html-button-response", "stimulus": "<p>Are you well?</p>"}
    screens.append({**survey, "choices": ["Yes", "No"], "response": 0, "rt": 800})
    for number, screen in enumerate(screens):
        screen |= {"trial_index": number, "time_elapsed": 500 + 700 * (number + 1)}
    return screens


def _screens_by_person(trials, keys=False):
    people = sorted({trial["person"] for trial in trials})
    return {who: _screens([t for t in trials if t["person"] == who], keys) for who in people}


_JSPSYCH = ["trial_type", "trial_index", "time_elapsed", "success", "rt", "stimulus", "response"]
_JSPSYCH += ["choices", "trial_category", "correct", "worker_id"]


def jspsych(trials, keys=False):
    files = {}
    for person, screens in _screens_by_person(trials, keys).items():
        for screen in screens:
            screen["worker_id"] = person
            screen["choices"] = json.dumps(screen["choices"]) if "choices" in screen else ""
        files[f"{person}.csv"] = as_csv(screens, _JSPSYCH)
    return files


def jspsych_json(trials):
    """Return JSON arrays, with lists as lists, whose participant is the name of the file."""
    return {
        f"{person}.json": json.dumps([{**s, "view_history": [{"page": 0}]} for s in screens])
        for person, screens in _screens_by_person(trials).items()
    }


def jspsych_with_columns(trials):
    header = "trial_type,trial_index,time_elapsed,rt,response,reference,left,right,subject,"
    row = "image,0,{number},,null,,,,,\n"
    row += "image,1,{number},{ms},{key},{anchor},{left},{right},{person},{practice}"
    rows = with_facts(trials)
    for trial in rows:
        trial["key"] = "" if trial["picked"] is None else "fj"[trial["picked"]]
        trial["practice"] = str(trial["kind"] == "practice").lower()
    return {"answers.csv": _filled(f"{header}is_practice", row, rows)}


def triplet_tools(trials):
    header = "head,winner,loser,worker_id,rt,Center,Left,Right,Answer,sampleAlg,sampleSet"
    row = "{anchor_id},{winner_id},{loser_id},{person},{ms},"
    row += "{anchor_name},{left_name},{right_name},{winner_name},{kind},{set}"
    rows = with_facts(trials)
    for trial in rows:
        trial["set"] = "train" if trial["kind"] == "random" else "NA"
    return {"triplets.csv": _filled(header, row, rows)}


def salmon(trials):
    header = "head,left,right,winner,loser,sampler,puid,response_time,network_latency"
    row = "{anchor_id},{left_id},{right_id},{winner_id},{loser_id},RandomSampling,"
    row += "{person},{seconds},0.2"
    for role in ("anchor", "left", "right", "winner"):
        name = "head" if role == "anchor" else role
        header += f",{name}_html,{name}_filename"
        row += f",<img src='/static/{{{role}}}' />,{{{role}_name}}.png"
    return {"responses.csv": _filled(header, row, with_facts(trials))}


def salmon_json(trials):
    frame = pd.read_csv(io.BytesIO(salmon(trials)["responses.csv"]))
    return {"responses.json": frame.to_json(orient="records")}


def salmon_zipped(trials):
    return {"responses.csv.zip": zipped(*salmon(trials).items())}


def next_of_2015(trials):
    header = "Participant.ID,Timestamp,Center,Left,Right,Answer,Response.Time..s.,Alg.Label"
    row = "{person},2015-05-29,{anchor_name},{left_name},{right_name},{winner_name},{ms},Random"
    return {"next.csv": _filled(header, row, with_facts(trials))}


def next_of_2017(trials):
    header = ",alg_label,center_id,participant_uid,response_time,"
    header += "target_center,target_left,target_right,target_winner,winner_id"
    row = "{number},Random,{anchor_id},{person},{seconds},"
    row += "{anchor_name},{left_name},{right_name},{winner_name},{winner_id}"
    return {"next.csv": _filled(header, row, with_facts(trials))}


# What each program can write: all trials, or no practice, no checks, only answered ones.
PROGRAMS = {
    "jspsych": (jspsych, "practice check unanswered"),
    "jspsych, arrow keys": (lambda trials: jspsych(trials, keys=True), "practice check unanswered"),
    "jspsych, JSON": (jspsych_json, "practice check unanswered"),
    "jspsych, columns": (jspsych_with_columns, "practice check unanswered"),
    "triplet-tools": (triplet_tools, "check"),
    "salmon": (salmon, "check"),
    "salmon, JSON": (salmon_json, "check"),
    "salmon, zipped": (salmon_zipped, "check"),
    "next, 2015": (next_of_2015, "check"),
    "next, 2017": (next_of_2017, "check"),
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
    return zipped(*parts.items())


def zipped(*files, method=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


def put(folder, files):
    """Write a text, or several by name; return the path of a single file, or of their folder."""
    files = files if isinstance(files, dict) else {"answers.csv": files}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder if len(files) > 1 else folder / next(iter(files))


# Names that can be read back: not empty, and no numbers.
readable = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
    .map(str.strip)
    .filter(lambda name: name not in MISSING and name.strip("0123456789.+-eE"))
)


def named(table):
    """Return the comparisons of a table, each as words of its names."""
    return [" ".join(names) for names in table.names[table.answers.comparisons].tolist()]
