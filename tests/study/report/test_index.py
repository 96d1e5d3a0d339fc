"""The index page of a run says what was used, what is missing, and what to do about it."""

import json

import pytest
import yaml

from closerthan.datasets.registry import registry
from closerthan_study.configuration import load_spec
from closerthan_study.data import make_data
from closerthan_study.report.index import make_index
from closerthan_study.trials import make_trials

STUDY = """
title: A <study>
summary: What it shows.
reference: Somebody, 2019
variants: {default: the defaults}
losses: {ste: {class: STE}}
experiments:
  cities:
    task: ordinal
    shows: Fig. 1
    datasets: [eurodist]
    comparisons: {source: distances, n_train: 100}
    n_components: 2
    methods: {random: {label: random points, control: random}}
    scales: {smoke: {trials: 1, epochs: 1}}
  points:
    task: online
    shows: Fig. 2
    datasets: [synthetic]
    points: {n_objects: 30, n_components: 2, variance: 1}
    comparisons: {source: points, n_train: 50, n_test: 40}
    methods: {truth: {label: true points, control: truth}}
    scales: {smoke: {trials: 2, epochs: 1}}
"""
WHY = """music/music_triplets.mat is not to be had:
  cache: there is no /home/ann/.cache/closerthan/music/music_triplets.mat
  mirror: none is set
  internet: https://example.org/music_triplets.mat: no connection
Set CLOSERTHAN_DATA_MIRROR (or data.mirror in config.yaml) to a folder that holds
music/music_triplets.mat, or put the file at /home/ann/.cache/closerthan/music/music_triplets.mat"""


@pytest.fixture
def write(tmp_path):
    """Write the index page of a run of two experiments; return it with its provenance."""

    def without(missing):
        folder = tmp_path / "config" / "studies" / "papers"
        folder.mkdir(parents=True)
        (folder / "study.yaml").write_text(STUDY)
        config = {"scale": "smoke", "studies": ["papers"], "seed": 0, "data": {}, "words": {}}
        spec = load_spec({**config, "results": str(tmp_path / "results")}, tmp_path)
        (tmp_path / "config" / "config.yaml").write_text(yaml.safe_dump(config))
        for experiment, dataset in (("cities", "eurodist"), ("points", "synthetic")):
            stem = f"{spec.results}/data/{dataset}"
            make_data(spec, dataset, f"{stem}.npz", f"{stem}.json")
            make_trials(spec, "papers", experiment, dataset)
        page, provenance = tmp_path / "index.html", tmp_path / "provenance.json"
        make_index(spec, missing, page, provenance)
        return page.read_text(), json.loads(provenance.read_text())

    return without


def test_the_page_names_scale_studies_and_data(write):
    page, provenance = write({})
    for words in ("smoke", "a quick check", "A &lt;study&gt;", "What it shows."):
        assert words in page
    assert registry()["eurodist"]["title"] in page and registry()["eurodist"]["homepage"] in page
    assert "CLOSERTHAN_DATA_MIRROR" not in page
    assert registry()["music"]["title"] not in page
    assert provenance["config"]["scale"] == "smoke"
    assert set(provenance["datasets"]) == {"eurodist", "synthetic"}
    assert provenance["datasets"]["eurodist"]["files"]["eurodist.csv"]["sha256"]


def test_provenance_has_the_sizes_that_each_experiment_drew(write):
    page, provenance = write({})
    drawn = provenance["drawn"]["papers"]
    assert drawn["cities"]["eurodist"]["trials"] == 1
    assert sum(drawn["cities"]["eurodist"]["objects"].values()) == 21
    assert drawn["points"]["synthetic"]["trials"] == 2
    assert sum(drawn["points"]["synthetic"]["objects"].values()) == 30
    assert drawn["points"]["synthetic"]["comparisons"] == {"train": 50, "test": 40}
    assert drawn["points"]["synthetic"]["points"]["n_components"] == 2
    assert "train: 50" in page and "n_components: 2" in page
    # The station's own points are those of no experiment here.
    assert provenance["datasets"]["eurodist"]["shape"] == {
        "distances": [21, 21],
        "object_names": [21],
    }
    assert not {"shape", "n_objects"} & set(provenance["datasets"]["synthetic"])
    assert "100 × 10" not in page


def test_the_banner_names_what_is_missing_and_the_remedy_without_local_paths(write):
    page, _ = write({"music": WHY})
    for words in (registry()["music"]["title"], "no connection", "Set CLOSERTHAN_DATA_MIRROR"):
        assert words in page
    assert page.index("no connection") < page.index("Set CLOSERTHAN_DATA_MIRROR")
    assert "/home/ann" not in page
