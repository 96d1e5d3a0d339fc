"""`closerthan simulate` estimates how many answers are enough, and writes files."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from closerthan.scores import triplet_error
from closerthan_lab.commands.simulate import Simulated, simulate
from closerthan_lab.files.answers import read_answers


def small(**options):
    return simulate(**{"n_objects": 12, "n_answers": [40, 200, 2000], "repeats": 3} | options)


@pytest.fixture(scope="module")
def simulated():
    return small()


def made(errors, *distances, best=0.1):
    rows = pd.DataFrame({"answers": range(1, len(errors) + 1), "error": errors, "best": best})
    trials = [SimpleNamespace(rows=rows.assign(distance=of_trial)) for of_trial in distances]
    return Simulated(9, 2, 0.1, "at-random", trials, 0.05, 0.05)


def test_more_answers_make_better_maps(simulated):
    rows = simulated.frame()
    for column in ("error", "distance"):
        assert (np.diff(rows[column]) < 0).all()
        assert (rows[f"{column}_low"] <= rows[column]).all()
        assert (rows[column] <= rows[f"{column}_high"]).all()


@pytest.mark.parametrize("errs", ["on-hard-questions", "at-random"])
@pytest.mark.parametrize("noise", [0.0, 0.05, 0.3])
def test_the_share_of_wrong_answers_is_as_asked_for(errs, noise):
    for trial in small(errs=errs, noise=noise, n_answers=[5000], repeats=2).trials:
        assert triplet_error(trial.truth, trial.answers) == pytest.approx(noise, abs=0.02)
        assert trial.best == pytest.approx(noise, abs=0.02)


def test_hard_questions_are_those_that_are_wrong():
    trial = small(noise=0.1, n_answers=[5000], repeats=1).trials[0]
    i, j, k = trial.truth[trial.answers].transpose(1, 0, 2)
    near, far = (np.linalg.norm(i - x, axis=1) for x in (j, k))
    gap = np.abs(np.log(near / far))
    assert np.median(gap[near > far]) < np.median(gap[near < far]) / 2


def test_enough_is_the_first_number_from_which_on_both_are_small():
    assert made([0.3, 0.12, 0.12], [0.3, 0.2, 0.01]).enough == 3
    assert made([0.3, 0.12, 0.12], [0.3, 0.01, 0.01]).enough == 2
    assert made([0.12, 0.3, 0.12], [0.01, 0.01, 0.01]).enough == 3
    assert made([0.3, 0.3], [0.01, 0.01]).enough is None
    assert made([0.149], [0.049]).enough == 1 and made([0.151], [0.049]).enough is None


def test_most_trials_must_reach_it_and_the_saved_one_is_typical():
    bad, good = [0.9, 0.9, 0.01], [0.9, 0.01, 0.01]
    assert made([0.1] * 3, *[good] * 8, bad, bad).enough == 2
    simulated = made([0.1] * 3, bad, *[good] * 7, bad, bad)
    assert simulated.enough == 3 and simulated.frame()["reached"].tolist() == [0, 7, 10]
    assert "are enough: in 10 of 10 trials the error" in simulated.sentence()
    simulated = made([0.1], [0.9], [0.01], [0.03], [0.04], [0.02])
    assert simulated.typical is simulated.trials[2], "not the first, which is the worst"


def test_neither_threads_nor_other_numbers_change_a_number(simulated):
    one, two = simulated.frame(), small(n_jobs=2).frame()
    assert one.equals(two)
    assert small(random_state=1).frame()["error"][0] != one["error"][0]


def test_all_is_written_and_the_answers_can_be_read(simulated, tmp_path):
    simulated.write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "simulate.json").read_text())
    assert facts["enough"] == simulated.enough == 2000
    assert [row["answers"] for row in facts["answers"]] == [40, 200, 2000]
    table = read_answers(tmp_path / "out" / "answers.csv")
    truth = pd.read_csv(tmp_path / "out" / "truth.csv")
    assert list(table.names) == list(truth["name"]) and len(table.answers) == 2000
    assert np.array_equal(table.answers.comparisons, simulated.typical.answers[:2000])
    assert triplet_error(truth[["x1", "x2"]], table.answers) == pytest.approx(0.1, abs=0.04)
    assert (tmp_path / "out" / "simulate.png").stat().st_size > 1000


def test_a_single_number_of_answers_is_drawn_by_its_trials():
    simulated = made([0.12], [0.01], [0.03], [0.09])
    for ax, column in zip(simulated.plot(), ("error", "distance"), strict=True):
        ax.figure.draw_without_rendering()
        (dots,) = ax.lines
        values = sorted(trial.rows[column][0] for trial in simulated.trials)
        assert dots.get_ydata().tolist() == values
        lines = [line.get_window_extent() for line in (dots, *ax.patches)]
        assert all(ax.bbox.width > line.width > ax.bbox.width / 2 for line in lines)
        assert all(ax.bbox.y0 <= line.y0 <= line.y1 <= ax.bbox.y1 for line in lines)


def test_text_says_what_is_enough_or_that_nothing_is(simulated):
    text = simulated.text()
    assert "2,000  " in text and "<- enough" in text
    assert "2,000 random triplets (167 per object) are enough: in 3 of 3 trials" in text
    assert "None of these numbers of answers is enough" in small(n_answers=[40]).text()


def test_the_default_numbers_grow_with_the_map():
    rows = simulate(6, 3, repeats=1).frame()
    assert rows["answers"].tolist() == [36, 72, 144, 288, 576, 1152]


def test_objects_without_answers_do_no_harm():
    assert np.isfinite(small(n_answers=[2, 40]).frame()["distance"]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_objects": 3}, "n_objects=3; it must be 4 or more"),
        ({"n_objects": 4.5}, "n_objects=4.5"),
        ({"n_components": 13}, "n_components=13"),
        ({"noise": 0.5}, "noise=0.5; it must be less than 0.5"),
        ({"noise": -0.1}, "noise=-0.1"),
        ({"errs": "often"}, "errs='often'; it must be one of on-hard-questions"),
        ({"n_answers": []}, "n_answers is empty"),
        ({"repeats": 0}, "repeats=0"),
        ({"error_within": 0}, "error_within=0"),
        ({"distance_below": -1}, "distance_below=-1"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        small(**options)
