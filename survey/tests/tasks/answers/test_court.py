"""Hold a court of small programs: it hides answers, chooses settings, and shows failures."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons.answers import Answers
from closerthan.scores.error import triplet_error
from closerthan_study.spec.scales import SCALES
from closerthan_study.spec.validation import ConfigError, validate
from closerthan_survey.court import PEERS, hide, hold
from closerthan_survey.court_settings import HERE, Court, read_court
from closerthan_survey.figures.court import draw_court, summarize_contenders, tabulate_errors
from closerthan_survey.tasks.answers.split import read_split

POINTS = "for i in 0 1 2 3 4 5 6 7 8 9; do echo $i,0; done > points.csv"
BUSY = "awk 'BEGIN { while (1) i++ }'"
FLAT = "awk 'NR > 1 { print %s }' questions.csv > probabilities.csv"


@pytest.fixture
def court(survey, tmp_path):
    """Return a function that holds a court over shell scripts, and returns its results."""

    def make(scripts=(), contenders=None, toy=None, code=None, peers=tmp_path / "peers", **limits):
        for name, script in dict(scripts).items():
            path = peers / name / "contend"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
        entries = contenders or {name: {"peer": name, "candidates": [{}]} for name in scripts}
        content = {
            "study": "papers",
            "experiment": "toy",
            **{"trials": 1, "seconds": 20, "megabytes": 2000, **limits},
            "contenders": {name: {"label": name, **entry} for name, entry in entries.items()},
            "code": code or {},
        }
        toy = toy or survey()
        asked = validate(Court, content, "court.yaml")
        table = hold(asked, toy.spec, peers=peers, environments=tmp_path / "environments")
        return table.set_index("contender")

    return make


def test_the_default_has_the_errors_that_it_has_in_the_survey(survey, court):
    toy = survey()
    entry = {"peer": "closerthan", "takes": "quadruplets", "candidates": [{}]}
    awk = {"peer": "toy", "candidates": [{"step": 0.1}, {"step": 0.0}]}
    contenders = {"default": entry, "toy": awk}
    table = court(contenders=contenders, toy=toy, peers=PEERS, trials=2)
    curves = toy.make_fits("default").curves
    found = table.loc["default"]
    assert list(found.test_error) == pytest.approx(list(curves.test_error), abs=1e-12)
    assert list(found.log_loss) == pytest.approx(list(curves.log_loss))
    awk = table.loc["toy"]
    assert set(awk.setting) == {'{"step": 0.1}'} and (awk.fits == 3).all()
    ends = table.loc["random"].test_error.min(), table.loc["ceiling"].test_error.max()
    assert (awk.test_error < ends[0]).all() and (found.test_error > ends[1] - 0.1).all()


def test_questions_do_not_tell_their_answers():
    triplets = Answers([[0, 1, 2]] * 400)
    table, turned = hide(triplets, np.random.default_rng(0))
    assert 150 < turned.sum() < 250
    assert (
        table[["i", "j", "k"]].to_numpy() == np.where(turned[:, None], [0, 2, 1], [0, 1, 2])
    ).all()
    table, turned = hide(Answers([[0, 1, 2, 3]] * 400), np.random.default_rng(0))
    rows = np.where(turned[:, None], [2, 3, 0, 1], [0, 1, 2, 3])
    assert (table[["i", "j", "l", "k"]].to_numpy() == rows).all()


def test_probabilities_are_scored_for_the_answers_that_were_given(court):
    table = court({"first": FLAT % "0.9", "none": FLAT % "0.5"})
    assert 0.35 < table.test_error["first"] < 0.65
    assert table.test_error["none"] == 1 and table.log_loss["none"] == pytest.approx(np.log(2))


def test_objects_without_training_answers_have_no_place(survey, court):
    toy = survey()
    table = pd.read_parquet(toy.trials / "comparisons.parquet")
    named = (table[["i", "j", "k"]] == 9).any(axis=1)
    table = table[~named | (table.part == "test")]
    table = table.assign(screen=table.groupby(["trial", "part"]).cumcount())
    table.to_parquet(toy.trials / "comparisons.parquet")
    _, test = read_split(toy.trials, 0)
    lost = (test.comparisons == 9).any(axis=1)
    found = court({"points": POINTS, "shares": FLAT % "1"}, toy=toy)
    wrong = triplet_error(np.arange(10.0)[:, None], test.take(~lost))
    assert lost.any() and found.test_error["points"] == pytest.approx(
        (lost.sum() + (~lost).sum() * wrong) / len(test)
    )
    assert found.test_error["shares"] > lost.mean()


def test_every_failure_is_shown(court):
    scripts = {
        "fine": POINTS,
        "late": BUSY,
        "broken": "echo no luck >&2; exit 1",
        "short": "echo 1,2 > points.csv",
    }
    table = court(scripts, seconds=1)
    outcomes = {
        "fine": "ok",
        "late": "out of time",
        "broken": "crashed: no luck",
        "short": "crashed: points.csv has 1 x 2 numbers, not 10 x 2",
    }
    assert dict(table.outcome[list(outcomes)]) == outcomes
    assert table.test_error[list(scripts)].notna().sum() == 1


def test_a_setting_is_chosen_on_training_answers_alone(survey, court):
    toy = survey()
    script = """
        sed -n 's/.*"right": //p' settings.json | tr -d '}' > right
        wc -l < train.csv >> "$OUT"; cat questions.csv >> "$OUT.asked"
        [ "$(cat right)" != 2 ] || exit 1
        if [ "$(cat right)" = 1 ]; then awk 'BEGIN { FS = OFS = "," } {
            if (FILENAME == "train.csv") near[$1 "," $2 "," $3] = 1
            else if (FNR > 1) print (($1 "," $2 "," $3) in near) ? 1 : 0.4
        }' train.csv questions.csv > probabilities.csv
        else awk 'NR > 1 { print 0.5 }' questions.csv > probabilities.csv; fi
    """
    out = toy.root / "seen"
    candidates = [{"right": 0}, {"right": 1}, {"right": 2}]
    contenders = {"picks": {"peer": "picks", "candidates": candidates}}
    script = script.replace("$OUT", str(out))
    table = court({"picks": script}, contenders, toy)
    assert table.outcome["picks"] == "ok" and table.setting["picks"] == '{"right": 1}'
    train, test = read_split(toy.trials, 0)
    sizes = [int(line) - 1 for line in out.read_text().split()]
    assert sizes == [320, 320, 320, len(train)] and table.fits["picks"] == 4
    asked = pd.read_csv(f"{out}.asked")
    assert len(asked[asked.i != "i"]) == 3 * 80 + len(test)


def test_late_candidates_end_the_search(court):
    contenders = {"late": {"peer": "late", "candidates": [{"a": 1}, {"a": 2}]}}
    table = court({"late": BUSY}, contenders, seconds=1)
    assert table.outcome["late"] == "out of time" and table.fits["late"] == 1


def test_quadruplets_are_not_for_everyone(survey, court):
    quadruplets = np.random.default_rng(0).permuted(np.tile(np.arange(8), (60, 1)), axis=1)[:, :4]
    toy = survey("mlds_kk1", Answers(quadruplets).arrays())
    takes = {"all": "quadruplets", "some": "triplets"}
    entries = {k: {"peer": "fine", "takes": v, "candidates": [{}]} for k, v in takes.items()}
    points = POINTS.replace("9", "9 10")
    table = court({"fine": points}, entries, toy)
    assert dict(table.outcome[["all", "some"]]) == {"all": "ok", "some": "takes only triplets"}


def test_code_runs_only_if_it_is_the_registered_one(survey, court, tmp_path, monkeypatch):
    content = b"for i in 0 1 2 3 4 5 6 7 8 9; do echo $i,0; done\n"
    record = f"{len(content)} {hashlib.sha256(content).hexdigest()}"
    code = {"theirs": {"url": f"https://127.0.0.1:1/{'0' * 40}", "files": {"a/b.sh": record}}}
    entry = {"contender": {"peer": "reads", "code": "theirs", "candidates": [{}]}}
    ran = tmp_path / "ran"
    scripts = {"reads": f"touch {ran}; . ./code/a/b.sh > points.csv"}
    mirror = tmp_path / "mirror"
    monkeypatch.setenv("CLOSERTHAN_DATA_MIRROR", str(mirror))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = mirror / "court/theirs/a/b.sh"
    path.parent.mkdir(parents=True)
    toy = survey()
    path.write_bytes(content + b"touch bad\n")
    table = court(scripts, entry, toy, code, trials=1)
    assert table.outcome["contender"] == "open: its code is not the registered one"
    assert not ran.exists()
    path.write_bytes(content)
    table = court(scripts, entry, toy, code, trials=2)
    assert set(table.loc["contender"].outcome) == {"ok"} and ran.exists()
    path.unlink()
    table = court(scripts, entry, toy, code, trials=2, seconds=9)
    assert set(table.loc["contender"].outcome) == {"open: its code could not be had"}
    path.write_bytes(content)  # what was open is tried again
    table = court(scripts, entry, toy, code, trials=2, seconds=9)
    assert set(table.loc["contender"].outcome) == {"ok"}


def test_finished_results_are_kept_until_what_they_are_made_of_changes(survey, court, tmp_path):
    toy, count = survey(), tmp_path / "count"
    scripts = {"counts": f"echo run >> {count}; {POINTS}"}
    for _ in range(2):
        court(scripts, toy=toy)
        assert count.read_text() == "run\n"
    court(scripts, toy=toy, seconds=19)
    assert count.read_text() == 2 * "run\n"
    court({"counts": scripts["counts"] + " # edited"}, toy=toy)
    assert count.read_text() == 3 * "run\n"


def test_the_shipped_court_names_programs_that_are_there():
    for scale in SCALES:
        court = read_court(scale)
        for contender in court.contenders.values():
            folder = PEERS / contender.peer
            assert any(folder.glob("contend*")), folder
            assert (folder / "requirements.lock").exists() or contender.ours
    others = [c for c in court.contenders.values() if not c.ours]
    assert len(others) >= 10 and all(len(c.candidates) == 3 for c in others)
    some = read_court("paper", only=["psiz", "cblearn-ste"])
    assert list(some.chosen()) == ["cblearn-ste", "psiz"]
    assert len(read_court("paper", only=["cblearn"]).chosen()) == 6
    assert list(read_court("smoke").chosen()) == ["toy"]


def test_missing_packages_are_no_crash(court, tmp_path):
    (tmp_path / "peers/needs").mkdir(parents=True)
    (tmp_path / "peers/needs/contend.py").touch()
    (tmp_path / "peers/needs/requirements.lock").write_text("not-a-package-of-anyone==0 --hash=x\n")
    table = court(contenders={"needs": {"peer": "needs", "candidates": [{}]}})
    assert table.outcome["needs"] == "open: its packages could not be had"


def test_the_tables_and_the_figure_have_a_control_at_both_ends():
    names = ["default", "good", "bad", "late", "random", "ceiling"]
    errors = dict(zip(names, [0.2, 0.15, 0.3, np.nan, 0.5, 0.1], strict=True))
    table = pd.DataFrame(
        [
            {
                "dataset": dataset,
                "contender": name,
                "trial": trial,
                "outcome": "out of time" if name == "late" else "ok",
                "test_error": error + 0.01 * n,
                "log_loss": 2 * error if name in ("default", "good") else np.nan,
                "seconds": 8.0,
                "fits": 4,
            }
            for n, dataset in enumerate("abc")
            for trial in range(2)
            for name, error in errors.items()
        ]
    )
    labels = dict(zip(names, names, strict=True))
    found = summarize_contenders(table, labels).set_index("contender")
    assert list(found.index) == ["ceiling", "good", "default", "bad", "late", "random"]
    assert list(found.difference.round(6))[:4] == [-10, -5, 0, 10]
    assert list(found.better[:4]) == [3, 3, 0, 0] and list(found.worse[:4]) == [0, 0, 0, 3]
    assert found["log loss, difference"]["good"] == pytest.approx(-0.1)
    assert (found["seconds of a fit"] == 2).all()
    assert found["no result"]["late"] == "out of time: 6" and not found["no result"]["good"]
    cells = tabulate_errors(table, labels, {"a": "A"})
    assert list(cells)[1] == "ceiling" and list(cells)[-1] == "random"
    assert list(cells["data set"]) == ["A", "b", "c"]
    assert list(cells.good) == ["15.0", "16.0", "17.0"] and set(cells.late) == {"out of time"}
    assert [t.get_text() for t in draw_court(table, labels).axes[0].get_yticklabels()] == list(
        found.index
    )


def test_a_wrong_court_names_the_key(tmp_path):
    (tmp_path / "config").mkdir()
    shipped = (HERE / "config/court.yaml").read_text()
    for right, wrong, named in (
        ("code: SPoSE\n", "code: Spose\n", "unknown code Spose"),
        ("only: [toy]", "only: [toys]", "unknown contender toys"),
        ("{step: 0.03}]", "{}, {}, {}]", "candidates"),
    ):
        assert right in shipped
        (tmp_path / "config/court.yaml").write_text(shipped.replace(right, wrong, 1))
        with pytest.raises(ConfigError, match=named):
            read_court("smoke", tmp_path)
