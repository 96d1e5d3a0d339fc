"""Check that `closerthan check` reports planted problems with their lines, and no others."""

import json
import sys
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from closerthan import comparisons as rc
from closerthan_lab.commands.check import check
from closerthan_lab.files.answers import read_answers
from closerthan_lab.quality.agreement import agreement
from closerthan_lab.quality.ceiling import noise_ceiling


def line_of(found, start):
    """Return the only line of the text that begins with `start`."""
    [line] = [line for line in found.text().splitlines() if line.startswith(start)]
    return line


PLANTED = """Subject,anchor,near,far,mood
ann,ape,bee,cat,1
ann,ape,cat,bee,1
bo,ape,bee,cat,2
bo,ape,bee,cat,2
bo,bee,cat,ape,2
cy,Cat,dog,eel,3
cy,cat,dog,eel,3
cy,fox,gnu,hen,3
"""


def test_what_is_planted_is_found(write):
    facts = check(write(PLANTED)).facts()
    assert facts["form"] == "triplets"
    counts = ["answers", "comparisons", "objects", "participants", "questions"]
    assert [facts[name] for name in counts] == [8, 8, 9, 3, 5]
    assert facts["ignored_columns"] == ["mood"]
    assert facts["look_alike_names"] == [["Cat", "cat"]]
    assert facts["repeated_questions"] == 1
    objects = ["ape", "bee", "cat"]
    assert facts["given_again"] == {
        "asked": 2,
        "answers": 1,
        "examples": [{"objects": objects, "lines": [4, 5], "participant": "bo"}],
    }
    assert facts["contradictions"] == {
        "any": {
            "questions": 1,
            "answers": 4,
            "examples": [{"objects": objects, "lines": [2, 3, 4, 5]}],
        },
        "same": {
            "questions": 1,
            "answers": 2,
            "examples": [{"objects": objects, "lines": [2, 3], "participant": "ann"}],
        },
    }
    assert facts["groups"] == [6, 3]
    assert facts["unconnected_objects"] == ["fox", "gnu", "hen"]


def test_the_text_says_so(write):
    found = check(write(PLANTED))
    counts = "8 answers (triplets) by 3 participants to 5 different questions about 9 objects."
    assert line_of(found, "answers.csv").endswith(counts)
    assert line_of(found, "Not used") == "Not used: mood."
    assert "'Cat', 'cat'" in line_of(found, "Similar names")
    assert "gave the same answer again: once (lines 4, 5 by 'bo')" in line_of(found, "Repeated")
    assert "in 1 participant-question pair (lines 2, 3 by 'ann')" in line_of(found, "Contradictory")
    assert "2 groups of objects (sizes 6, 3)" in line_of(found, "Unconnected")
    assert "'fox', 'gnu', 'hen'" in line_of(found, "Unconnected")


def test_a_file_without_peculiarities_has_none(write):
    points = np.random.default_rng(0).normal(size=(8, 2))
    rows = rc.sample_from_points(points, 100, random_state=0)
    text = "anchor,near,far\n" + "".join(f"{i},{j},{k}\n" for i, j, k in rows)
    found = check(write(text))
    facts = found.facts()
    assert facts["inconsistency"] == {"least": 0, "most": 0, "in_cycles": 0}
    assert facts["rare_objects"] == facts["look_alike_names"] == facts["skipped"] == []
    assert facts["groups"] == [8]
    assert facts["participants"] is facts["unlike_others"] is facts["noise_ceiling"] is None
    assert line_of(found, "No question was asked twice").endswith("to estimate it.")
    assert line_of(found, "No answers contradict") and line_of(found, "No object has too few")


def test_rarely_asked_objects_are_those_below_the_threshold(write):
    """An object needs log2(8) bits per dimension; a question about a triplet gives one bit."""
    rows = [*combinations(range(5), 3), (5, 0, 1), (5, 0, 2), (5, 0, 3), (5, 0, 4)]
    rows += [(6, 7, 0)] * 5 + [(7, 6, 0)]
    text = "anchor,near,far\n" + "".join(f"{i},{j},{k}\n" for i, j, k in rows)
    path = write(text)
    rare = [tuple(one.values()) for one in check(path).facts()["rare_objects"]]
    assert rare == [("6", 6, 2.0), ("7", 6, 2.0), ("5", 4, 4.0)]
    one = check(path, n_components=1)
    assert [o["name"] for o in one.facts()["rare_objects"]] == ["6", "7"]
    assert "2 of 8, with the number of answers: '6' (6), '7' (6)." in one.text()
    assert "at least 3 answers between two alternatives (3.0 bits)" in one.text()
    with pytest.raises(ValueError, match="n_components=0; it must be a whole number from 1"):
        check(path, n_components=0)


def test_a_row_that_is_repeated_is_no_news(write):
    found = check(write("anchor,near,far\n" + "a,b,c\n" * 5))
    assert line_of(found, "Noise ceiling: unknown, because too few questions were asked twice.")
    assert "100%" not in found.text() and found.facts()["noise_ceiling"] is None
    assert "3 of 3, with the number of answers: 'a' (5), 'b' (5), 'c' (5)." in found.text()
    assert "repeated questions count once" in found.text()


def test_agreement_and_ceiling_are_those_of_the_scores(write):
    rng = np.random.default_rng(0)
    truth = rc.sample_from_points(rng.normal(size=(10, 2)), 60, random_state=0)
    rows, _ = rc.swap_answers(np.repeat(truth, 8, axis=0), 0.15, random_state=0)
    text = "anchor,near,far,participant\n"
    text += "".join(f"{i},{j},{k},p{n % 4}\n" for n, (i, j, k) in enumerate(rows))
    path = write(text)
    found = check(path)
    answers = read_answers(path).answers
    for people in ("any", "same", "different"):
        expected = agreement(answers, people=people)
        assert found.facts()["agreement"][people] == pytest.approx(expected._asdict())
        interval = f"(95% CI {expected.low:.0%} to {expected.high:.0%})"
        assert f"{expected.value:.0%} {interval}" in found.text()
    ceiling = noise_ceiling(answers)
    assert found.facts()["noise_ceiling"] == ceiling.value
    line = line_of(found, "Noise ceiling")
    assert f"{ceiling.value:.0%} (95% CI {ceiling.low:.0%}" in line
    assert "leave it open" not in line  # eight answers to each question


@pytest.mark.parametrize("n_votes", [2, 10])
def test_the_ceiling_of_guessers_is_told_to_include_chance(write, n_votes):
    rng = np.random.default_rng(0)
    asked = [rng.permutation(10)[:3] for _ in range(100)]
    rows = [[i, *rng.permutation([j, k])] for i, j, k in asked for _ in range(n_votes)]
    found = check(write("anchor,near,far\n" + "".join("{},{},{}\n".format(*row) for row in rows)))
    line = line_of(found, "Noise ceiling")
    assert "(95% CI 50% to" in line and "This includes chance (50%)" in line
    assert "leave it open" not in line and "other people" not in line


def test_what_the_interval_of_the_ceiling_leaves_out_is_told(write):
    """Two answers to a question leave the ceiling open between the bounds of the agreement."""
    asked = np.array([np.random.default_rng(n).permutation(10)[:3] for n in range(100)])
    rows = np.concatenate([asked, np.r_[asked[:80], asked[80:, [0, 2, 1]]]])
    lines = (f"{i},{j},{k},p{n % 4}\n" for n, (i, j, k) in enumerate(rows))
    found = check(write("anchor,near,far,participant\n" + "".join(lines)))
    low, high = found.agreement["any"].low, found.agreement["any"].high
    most = (1 + np.sqrt(2 * high - 1)) / 2
    line = line_of(found, "Noise ceiling")
    assert f"So few answers to a question leave it open from {low:.0%} to {most:.0%}." in line
    assert "It is too narrow for other people if some are more reliable." in line
    assert "chance" not in line


def test_careless_and_one_sided_participants_are_named(write):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(10, 2))
    truth = rc.sample_from_points(points, 80, random_state=0)
    lines = ["worker,anchor,left,right,response"]
    for person in range(8):
        for i, j, k in truth:
            left_first = rng.random() < 0.5
            correct = rng.random() > {5: 0.5}.get(person, 0.1)
            said = "left" if person == 2 or left_first == correct else "right"
            left, right = (j, k) if left_first else (k, j)
            lines.append(f"w{person},{i},{left},{right},{said}")
    found = check(write("\n".join(lines)))
    facts = found.facts()
    assert [one["participant"] for one in facts["unlike_others"]] == ["w2", "w5"]
    [sided] = facts["one_sided"]
    assert (sided["participant"], sided["place"], sided["share"]) == ("w2", 0, 1.0)
    of_two = facts["of_two"]
    assert [one["participant"] for one in of_two["participants"]] == [f"w{n}" for n in range(8)]
    left = sum(line.endswith("left") for line in lines)
    low, high = binomtest(left, 640).proportion_ci(0.9, method="wilson")
    interval = {"share": left / 640, "low": low, "high": high}
    assert (of_two["side"], of_two["picks"]) == ("left", 640)
    assert {key: of_two[key] for key in interval} == pytest.approx(interval)
    sides = line_of(found, "Sides")
    assert sides.startswith(
        f"Sides: the left of two alternatives was picked in {left / 640:.0%} (90% CI {low:.0%} to "
        f"{high:.0%}) of 640 answers. Least often by 'w"
    )
    assert sides.endswith("most often by 'w2' 100% (90% CI 97% to 100%).")
    assert line_of(found, "Participant 'w5' answers unlike the others")
    assert "'w2' picked the option in place 1 in 100% of 80 answers" in found.text()
    assert [one["participant"] for one in facts["guessers"]] == ["w5"]
    assert line_of(found, "Participant 'w5' may have guessed")
    assert line_of(found, "To leave them out") == "To leave them out: --without w2 --without w5"
    reliable = {one["participant"]: one for one in facts["reliability"]}
    lowest = min(reliable, key=lambda name: reliable[name]["reliability"])
    assert lowest in ("w2", "w5")
    assert all(one["low"] < one["reliability"] < one["high"] for one in reliable.values())
    said = f"Lowest: '{lowest}' {reliable[lowest]['reliability']:.0%}"
    assert said in line_of(found, "Split-half")


def test_sides_are_said_only_where_they_are_known(write):
    rows = "a,b,c,b\nb,a,c,c\nc,a,b,neither\n"
    found = check(write("anchor,first,second,chosen\n" + rows), fit_maps=False)
    picked = "the first of two alternatives was picked in 50% (90% CI 12% to 88%) of 2 answers."
    assert line_of(found, "Sides") == f"Sides: {picked}"
    for text in ("anchor,near,far\na,b,c\n", "object_1,object_2,object_3,odd\na,b,c,b\n"):
        assert "Sides" not in check(write(text), fit_maps=False).text()
    neither = check(write("anchor,left,right,chosen\na,b,c,neither\n"), fit_maps=False)
    assert "Sides" not in neither.text() and neither.facts()["of_two"] is None


def test_hurried_participants_and_similar_names_are_named(write):
    rng = np.random.default_rng(0)
    rows = ["user,anchor,near,far,time"]
    for name, seconds in (("ann", 2.0), ("bo", 1.8), ("Bo", 0.4), ("cy", 2.4)):
        for i, j, k in rng.random((12, 6)).argsort(axis=1)[:, :3]:
            rows.append(f"{name},o{i},o{j},o{k},{seconds}")
    text = check(write("\n".join(rows))).text()
    fast = "Participant 'Bo' answered fast: in 0.4 seconds (median; 2.0 for the others)."
    similar = "Similar names, read as different participants: 'Bo', 'bo'."
    assert {fast, similar} <= set(text.splitlines())


def test_maps_are_fitted_unless_not_wanted(write):
    rows = [f"p{n % 3},o{n % 7},o{(n + 1) % 7},o{(n + 2) % 7}" for n in range(60)]
    path = write("\n".join(["user,anchor,near,far", *rows]))
    assert check(path).guessers is not None
    found = check(path, fit_maps=False)
    assert found.guessers is None
    assert found.facts()["reliability"] is None


def test_who_repeats_one_question_has_no_reliability(write):
    rows = [f"p{n % 2},o{n % 7},o{(n + 1) % 7},o{(n + 2) % 7}" for n in range(60)]
    found = check(write("\n".join(["user,anchor,near,far", *rows, *["cy,o0,o1,o2"] * 12])))
    reliability = {one["participant"]: one["reliability"] for one in found.facts()["reliability"]}
    assert reliability["cy"] is None
    assert reliability["p0"] is not None


def test_what_was_left_out_is_said(write):
    path = write("anchor,near,far\na,b,c\na,b,b\na,c,d\n")
    found = check(read_answers(path, skip_bad_rows=True))
    [skipped] = found.facts()["skipped"]
    assert skipped["line"] == 3 and "'a', 'b', 'b'" in skipped["reason"]
    assert "Left out: 1 row with faults. The first is in line 3" in found.text()


def test_of_a_parquet_file_rows_are_named(tmp_path):
    path = tmp_path / "answers.parquet"
    rows = {"anchor": ["a"] * 2, "near": ["b", "c"], "far": ["c", "b"]}
    pd.DataFrame(rows).to_parquet(path)
    assert "(rows 0, 1)" in line_of(check(path), "Contradictory")


def test_names_cannot_write_to_the_terminal(write):
    path = write('anchor,near,far\n"a\x1b[31m",b,"c\nc"\n"a\x1b[31m","c\nc",b\n')
    assert "\x1b" not in check(path).text() and "\nc" not in check(path).text()


ROWS = st.lists(st.permutations(range(5)).map(lambda row: row[:4]), min_size=1, max_size=12)


@settings(max_examples=20)
@given(rows=ROWS, people=st.integers(0, 3))
def test_any_answers_are_checked(rows, people, tmp_path):
    frame = pd.DataFrame(rows, columns=["near 1", "near 2", "far 1", "far 2"])
    if people:
        frame["user"] = np.arange(len(rows)) % people
    path = tmp_path / "answers.csv"
    frame.to_csv(path, index=False)
    found = check(path)
    facts = json.loads(json.dumps(found.facts(), allow_nan=False))
    assert facts["answers"] == len(rows)
    assert found.text().count("\n") < 20


def test_what_was_guessed_of_the_columns_is_said(write):
    """The last of four columns of ids could be the participant."""
    text = check(read_answers(write("0 1 2 3\n4 5 6 7\n"), form="quadruplets")).text()
    read = (
        "Line 1: 0 and 1 are more alike than 2 and 3 (near_1, near_2, far_1, far_2, in this order)."
    )
    assert text.startswith(read)


def test_none_contradictory_is_said_so(write):
    found = check(write("user,anchor,near,far\n" + "ann,a,b,c\n" * 3))
    assert line_of(found, "Contradictory") == "Contradictory answers: none."


def test_of_very_many_answers_random_questions_tell(monkeypatch, tmp_path):
    path = tmp_path / "answers.csv"
    rng = np.random.default_rng(0)
    points = rng.normal(size=(30, 2))
    truth = rc.sample_from_points(points, 1000, random_state=0)
    said, _ = rc.swap_answers(np.repeat(truth, 4, axis=0), 0.1, random_state=0)
    pd.DataFrame(said, columns=["anchor", "near", "far"]).to_csv(path, index=False)
    whole = check(path)
    monkeypatch.setattr(sys.modules["closerthan_lab.commands.check"], "_MOST", 2000)
    part = check(path)
    assert part.inconsistency is None and part.facts()["inconsistency"] is None
    assert part.facts()["answers"] == 4000
    assert part.facts()["contradictions"] == whole.facts()["contradictions"]
    n_pairs = part.agreement["any"].n_pairs
    assert 0.4 < n_pairs / whole.agreement["any"].n_pairs < 0.6  # all pairs of half the questions
    assert part.ceiling.value == pytest.approx(whole.ceiling.value, abs=0.03)
    assert "not looked for" in part.text()
