"""`closerthan embed`: the map is near the truth, and text and files agree with it."""

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons import Answers, sample_from_points
from closerthan.ordinal import OrdinalEmbedding
from closerthan.scores.procrustes import procrustes_distance
from closerthan_lab.commands import map_page
from closerthan_lab.commands.dimensions import dimensions
from closerthan_lab.commands.embed import embed
from closerthan_lab.commands.held_out import predict_held_out, weighted_share
from closerthan_lab.commands.reading import as_table, read_attributes
from closerthan_lab.files.answers import read_answers
from closerthan_lab.sampling import sample_odd_ones
from commands.planted import NAMES, POINTS, write_answers, write_people


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_answers(tmp_path_factory.mktemp("answers") / "answers.csv")


@pytest.fixture(scope="module")
def embedded(path):
    return embed(path, n_refits=20)


def test_points_are_near_the_truth_and_on_principal_axes(embedded):
    points = embedded.model.embedding_
    assert embedded.table.names.tolist() == NAMES
    assert procrustes_distance(POINTS, points) < 0.05
    covariance = np.cov(points.T)
    assert abs(covariance[0, 1]) < 1e-9 and covariance[0, 0] > covariance[1, 1]


def test_each_object_is_counted(embedded):
    frame = embedded.frame()
    comparisons = embedded.table.answers.comparisons
    for place in (0, 7):
        of_it = (comparisons == place).any(axis=1)
        assert frame["comparisons"][place] == of_it.sum()
        predicted = embedded.held_out.holds[of_it].mean()
        assert frame["predicted"][place] == pytest.approx(predicted)
    errors = np.sqrt(embedded.sure.covariance[:, 1, 1])
    assert frame["se2"].to_list() == pytest.approx(errors.tolist())


def test_answers_are_held_out_by_question(path):
    answers = as_table(path).answers
    shuffled = answers.comparisons.copy()
    rng = np.random.default_rng(0)
    swap = rng.random(len(shuffled)) < 0.5
    shuffled[swap] = shuffled[swap][:, [0, 2, 1]]
    twice = np.repeat(shuffled, 2, axis=0)  # noise, which a fit that had seen it would know
    noise = as_table(type(answers)(twice))
    found = predict_held_out(OrdinalEmbedding(5, random_state=0), noise.answers)
    assert found.error == pytest.approx(0.5, abs=0.07)
    assert predict_held_out(OrdinalEmbedding(random_state=0), answers).error < 0.15


def test_files_agree_with_each_other(embedded, tmp_path):
    embedded.write(tmp_path / "out")
    here = tmp_path / "out"
    listed = json.loads((here / "made.json").read_text())
    assert sorted(path.name for path in here.iterdir()) == sorted([*listed, "made.json"])
    pd.testing.assert_frame_equal(pd.read_csv(here / "embedding.csv"), embedded.frame())
    assert json.loads((here / "embed.json").read_text()) == embedded.facts()
    assert (here / "index.html").stat().st_size < 8_000_000
    assert NAMES[3] in (here / "index.html").read_text()


def test_the_same_seed_gives_the_same_map_on_any_number_of_threads(path):
    one, two = (embed(path, n_refits=10, n_jobs=jobs) for jobs in (1, 2))
    pd.testing.assert_frame_equal(one.frame(), two.frame())
    assert one.facts() == two.facts()


def test_words_say_what_the_facts_say(embedded):
    facts, text = embedded.facts(), embedded.text()
    assert "Embedded 20 objects in 2 dimensions from 1,000 answers" in text
    assert f"predicts {1 - facts['error_held_out']:.1%}" in text
    assert "The map has 90% confidence ellipses, from 20 bootstrap refits" in text


def test_rows_that_were_left_out_are_told(path, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text(path.read_text() + "city a,city b,city a\n")
    text = embed(read_answers(bad, skip_bad_rows=True), n_refits=0).text()
    assert "Left out: 1 row with faults. The first is in line 1002: " in text


def test_the_ceiling_is_told_as_an_estimate_and_whose_answers_the_ellipses_are_about(
    tmp_path, monkeypatch
):
    table = read_answers(write_people(tmp_path / "people.csv"))
    embedded = {by: embed(table, n_refits=10, by=by) for by in ("answers", "participant")}
    found = {by: each.text() for by, each in embedded.items()}
    value = embedded["answers"].facts()["noise_ceiling"]
    for text in found.values():
        assert f"No map could predict more than about {value:.1%} (95% CI " in text
        assert "repeated questions. The interval is for other questions to these people." in text
    few = "participants only, who are too few for conclusions about other people."
    assert f"refits to resampled questions. They hold for these 4 {few}" in found["answers"]
    assert "refits to resampled participants. 4 people are too few to say" in found["participant"]
    assert "these 4 participants" not in found["participant"]
    assert embed(table, 1, n_refits=10).text().count("confidence intervals") == 1
    assert "--by participant" not in found["answers"]
    monkeypatch.setattr(sys.modules[embed.__module__], "FEW_PEOPLE", 4)
    assert "(--by participant)" in embedded["answers"].text()
    embedded["answers"].write(tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    words = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL)
    assert "Resample participants for conclusions" in words
    assert not re.search(r"[ (`]--[a-z]", words), "readers of the page have no command line"


@pytest.mark.parametrize(("kept", "shown"), [(0.8, True), (0.95, False)])
def test_only_calibrated_probabilities_are_shown(embedded, kept, shown):
    """The map says 80 % and is right in so many of its 1,000 predictions."""
    said = np.where(np.arange(1000) < 1000 * kept, 0.8, 0.2)
    other = replace(embedded, held_out=replace(embedded.held_out, probability=said))
    (section,) = [s for s in map_page._sections(other) if s.title.startswith("Calibration")]
    assert bool(section.blocks) == shown == ("points lie on the line" in section.meaning)
    assert ("15.0%: do not use these probabilities." in section.meaning) != shown


def test_attributes_are_read_by_name(tmp_path):
    (tmp_path / "colors.csv").write_text("name;color\n'=a;red\nb;blue\n")
    assert read_attributes(tmp_path / "colors.csv")["color"].to_dict() == {"=a": "red", "b": "blue"}


def test_the_figure_has_the_colors_of_the_first_column_of_classes(embedded, monkeypatch):
    drawn = []
    monkeypatch.setattr(map_page, "save_map", lambda paths, **given: drawn.append(given["color"]))
    table = pd.DataFrame({"size": range(20), "label": NAMES}, index=NAMES)
    classes = table.assign(kind=["big", "small"] * 10, color=["red", "blue"] * 10)
    for attributes in (None, table, classes):
        map_page.draw_figures([], replace(embedded, attributes=attributes))
    assert drawn[:2] == [None, None] and drawn[2].name == "kind"


def test_features_add_objects_and_are_said(path):
    table = read_answers(path)
    rng = np.random.default_rng(0)
    features = pd.DataFrame(POINTS @ rng.normal(size=(2, 5)), [*NAMES[:-1], NAMES[-1]])
    features.loc["new city"] = features.loc[NAMES[0]] + 0.01
    embedded = embed(table, features=features, n_refits=10)
    frame = embedded.frame().set_index("name")
    assert frame.index[-1] == "new city" and len(frame) == len(NAMES) + 1
    away = np.linalg.norm(frame.loc["new city", ["x1", "x2"]] - frame.loc[NAMES[0], ["x1", "x2"]])
    assert away < 0.5 and frame.loc["new city", "comparisons"] == 0
    assert embedded.facts()["feature_share"] in (0.5, 0.8)
    assert embed(table, n_refits=0).facts()["feature_share"] is None
    # The page's points are turned, and so is the function that places new objects.
    again = embedded.model.transform(features=features.to_numpy()[-1:])
    np.testing.assert_allclose(again, frame.loc[["new city"], ["x1", "x2"]], atol=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.replace(0.0, "high"), f"'{NAMES[0]}' has 'high' in the column 'b'"),
        (lambda frame: frame.replace(0.0, np.inf), f"'{NAMES[0]}' has inf in the column 'b'"),
    ],
)
def test_wrong_features_are_refused_before_any_work(path, change, message):
    features = pd.DataFrame({"a": np.ones(len(NAMES)), "b": np.arange(len(NAMES))}, NAMES)
    with pytest.raises(ValueError, match=message):
        embed(path, features=change(features.astype(object)))


def test_an_embedding_does_not_order_the_distances(tmp_path, monkeypatch):
    """It takes seconds to compile, and neither text nor page shows the bounds."""
    monkeypatch.setattr("closerthan_lab.commands.check.inconsistency", None)
    embedded = embed(Answers(sample_from_points(POINTS, 400, random_state=0)), n_refits=0)
    assert embedded.text() and embedded.facts()["noise_ceiling"] is None
    embedded.write(tmp_path / "map")


def test_the_standard_error_is_between_questions():
    """As of a share if each question is asked once; asking again tells nothing of new questions."""
    triplets = np.array([[i, i + 1, i + 2] for i in range(50)])
    holds = np.arange(50) < 40
    once = weighted_share(holds, Answers(triplets))
    again = weighted_share(np.tile(holds, 4), Answers(np.tile(triplets, (4, 1))))
    np.testing.assert_allclose(once, [0.8, np.sqrt(0.8 * 0.2 / 49)])
    np.testing.assert_allclose(again, once)


def test_embed_and_dimensions_name_the_objects_that_nothing_links_to_the_others(tmp_path):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(7, 2))
    rows = np.concatenate([k + sample_from_points(points, 80, random_state=k) for k in (0, 7)])
    table = as_table(Answers(rows[(rows < 12).all(axis=1)]))
    said = "(sizes 7, 5). A map cannot show how the groups lie to each other. Outside"
    with pytest.warns(UserWarning, match="links 2 groups"):
        embedded = embed(table, n_refits=10)
    assert said in embedded.text()
    embedded.write(tmp_path / "map")
    assert np.isnan(embedded.frame()["se1"]).sum() == 5
    with pytest.warns(UserWarning, match="links 2 groups"):
        assert said in dimensions(table, (1, 2)).text()


def test_a_map_that_reaches_the_ceiling_says_so(tmp_path):
    embedded = embed(write_people(tmp_path / "people.csv"), n_refits=0)
    assert "No map could predict more" in embedded.text()
    ceiling = embedded.checked.ceiling._replace(value=0.6)
    lowered = replace(embedded, checked=replace(embedded.checked, ceiling=ceiling))
    assert "The noise ceiling, estimated from repeated questions only, is 60.0%" in lowered.text()
    assert "No map could predict more" not in lowered.text()


def test_of_odd_ones_out_the_text_has_comparisons_and_whole_answers(tmp_path):
    odd_ones = sample_odd_ones(np.abs(POINTS), 400, random_state=0)
    rows = pd.DataFrame(np.array(NAMES)[odd_ones], columns=["object_1", "object_2", "object_3"])
    rows.assign(odd=rows["object_3"]).to_csv(tmp_path / "odd.csv", index=False)
    embedded = embed(tmp_path / "odd.csv", 3, n_refits=0)
    holds = pd.Series(embedded.held_out.holds).groupby(embedded.table.answers.screen).all()
    text = embedded.text()
    assert f"It predicts {holds.mean():.1%} of held-out odd ones out (chance is 33.3%)." in text
    assert f"{embedded.held_out.holds.mean():.1%} of held-out comparisons" in text
    assert "The figure shows the first two principal axes" in text
    embedded.write(tmp_path / "map")
    methods = (tmp_path / "map" / "methods.txt").read_text()
    assert f"It predicted {holds.mean():.1%} of held-out odd ones out" in methods
