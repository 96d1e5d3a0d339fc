"""`closerthan embed --model spose`: text, files and page agree with the model."""

import json
import re
import shutil
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from closerthan.comparisons import to_odd_one_out
from closerthan_lab.commands.spose import spose
from closerthan_lab.spose import largest_correlations
from commands.line import refused, said
from spose.truth import ODD, QUESTIONS, TRUTH, P, softmax_of

NAMES = np.array([f"thing {number}" for number in range(len(TRUTH) - 1)] + ["<script>&"])
N_ANSWERS = 6000


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("odd") / "odd.csv"
    shown = NAMES[QUESTIONS[:N_ANSWERS]]
    table = pd.DataFrame(shown, columns=["object1", "object2", "object3"])
    table.assign(odd=NAMES[ODD[:N_ANSWERS]]).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    image = pytest.importorskip("PIL.Image")
    folder = tmp_path_factory.mktemp("images")
    for number, name in enumerate(NAMES[:30]):
        image.new("RGB", (40, 30), (8 * number, 50, 90)).save(folder / f"{name}.png")
    return folder


@pytest.fixture(scope="module")
def explained(path):
    return spose(path, n_refits=2)


def test_the_planted_dimensions_are_found_with_their_objects(explained):
    rows = {name: row for row, name in enumerate(NAMES)}
    names, points = explained.table.names, explained.model.embedding_
    truth = TRUTH[[rows[name] for name in names]]
    assert largest_correlations(truth, points).min() > 0.9
    table = explained.dimensions()
    first = [objects.split(", ")[0] for objects in table["objects"]]
    assert first == names[points.argmax(axis=0)].tolist()
    assert (table["reproducibility"] > 0.8).sum() >= P
    assert len(table) == len(explained.carried) == explained.frame().shape[1] - 1


def test_held_out_accuracy_is_about_that_of_the_truth(explained):
    best = softmax_of(TRUTH, QUESTIONS).argmax(axis=1)
    possible = (QUESTIONS[np.arange(len(QUESTIONS)), best] == ODD).mean()
    facts = explained.facts()
    assert possible - 0.03 < facts["accuracy_held_out"] < possible + 0.02
    assert f"{facts['accuracy_held_out']:.1%} of held-out" in explained.text()


def test_what_a_dimension_carries_is_lost_without_it(explained):
    triples = to_odd_one_out(explained.table.answers)[0]

    def loss(points):
        a, b, odd = points[triples].transpose(1, 0, 2)
        weights = np.exp([(a * b).sum(axis=1), (a * odd).sum(axis=1), (b * odd).sum(axis=1)])
        return -np.log(weights[0] / weights.sum(axis=0)).mean()

    points = explained.model.embedding_
    whole = loss(points)
    for number in (0, points.shape[1] - 1):
        lost = loss(np.delete(points, number, axis=1)) - whole
        assert explained.carried[number] == pytest.approx(lost / (np.log(3) - whole))
    assert explained.carried[:P].min() > 0.01


def test_files_agree_with_each_other(explained, tmp_path):
    assert explained.write(tmp_path / "out") == []
    here = tmp_path / "out"
    listed = json.loads((here / "made.json").read_text())
    assert sorted(path.name for path in here.iterdir()) == sorted([*listed, "made.json"])
    pd.testing.assert_frame_equal(pd.read_csv(here / "embedding.csv"), explained.frame())
    assert json.loads((here / "embed.json").read_text()) == explained.facts()
    assert len(pd.read_csv(here / "dimensions.csv")) == explained.facts()["dimensions"]
    assert (here / "dimensions.pdf").read_bytes().startswith(b"%PDF")
    assert (here / "dimensions.png").stat().st_size > 10_000


def test_the_page_has_all_dimensions_and_runs_nothing(explained, tmp_path):
    explained.write(tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    assert "<script" not in page and "&lt;script&gt;&amp;" in page
    assert re.findall(r'id="d(\d+)"', page) == [str(k + 1) for k in range(len(explained.carried))]
    doubtful = (explained.dimensions()["reproducibility"] <= 0.8).sum()
    assert page.count('class="card doubtful"') == doubtful


def test_pictures_are_shown_and_missing_ones_are_named(explained, images, tmp_path):
    result = replace(explained, images=images)
    (note,) = result.write(tmp_path / "out")
    assert note.startswith("Objects without an image")
    page = (tmp_path / "out" / "index.html").read_text()
    shown = {name for k in range(len(result.carried)) for name in result.largest(k, 12)["name"]}
    pictured = len(shown & set(NAMES[:30]))
    assert len(set(re.findall(r'src="(data:image/webp[^"]+)"', page))) == pictured
    assert escape(note) in page


def test_a_picture_that_cannot_be_read_is_named_and_its_name_drawn(explained, images, tmp_path):
    first = explained.largest(0, 1)["name"][0]
    broken = tmp_path / "images"
    shutil.copytree(images, broken)
    (broken / f"{first}.png").write_bytes(b"no picture")
    result = replace(explained, images=broken)
    notes = result.write(tmp_path / "out")
    assert any(note.startswith("Images that cannot be read") and first in note for note in notes)
    for path in broken.iterdir():
        path.unlink()
    shutil.copy(next(iter(images.iterdir())), broken / f"{NAMES[-2]}.png")
    assert result.write(tmp_path / "out", overwrite=True) is not None


def test_too_few_answers_for_folds_are_refused_before_any_fit(tmp_path):
    table = pd.DataFrame(QUESTIONS[:45], columns=["object1", "object2", "object3"]).astype(str)
    table.assign(odd=ODD[:45].astype(str)).to_csv(tmp_path / "few.csv", index=False)
    with pytest.raises(ValueError, match=r"45 answers about .* would have 36"):
        spose(tmp_path / "few.csv")


def test_any_number_of_threads_gives_the_same_result(path, explained):
    other = spose(path, n_refits=2, n_jobs=2)
    pd.testing.assert_frame_equal(other.frame(), explained.frame())
    pd.testing.assert_frame_equal(other.dimensions(), explained.dimensions())
    assert other.facts() == explained.facts()
    assert clone(other.model).get_params()["n_jobs"] == 2


def test_the_command_says_which_model_it_took(path):
    text = said("embed", path, "--model", "spose", "--refits", 1)
    assert "(model: SPoSE)" in text and "Nothing was saved" in text
    assert "(model: distances, loss: " in said("embed", path, "--refits", 0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--model", "tree"], "--model 'tree'; it must be one of distances, spose"),
        (["--model", "spose", "--features", __file__], "--features: not for --model spose"),
        (["--model", "spose", "--dimension", "3"], "--dimension: not for --model spose"),
        (["--model", "spose", "--refits", "0"], "--refits 0"),
    ],
)
def test_what_does_not_fit_is_refused(path, options, sentence):
    assert sentence in refused("embed", path, *options)
