"""The index page of a run says what was used, what is missing, and what to do about it."""

import json

from relsim.datasets import registry
from relsim.study.data import make_data
from relsim.study.index import make_index
from relsim.study.spec import Spec

WHY = """music/music_triplets.mat is not to be had:
  cache: there is no /home/ann/.cache/relsim/music/music_triplets.mat
  mirror: none is set
  internet: https://example.org/music_triplets.mat: no connection
Set RELSIM_DATA_MIRROR (or data.mirror in config.yaml) to a folder that holds
music/music_triplets.mat, or put the file at /home/ann/.cache/relsim/music/music_triplets.mat"""


def write(folder, missing):
    config = {"scale": "smoke", "seed": 0, "data": {"mirror": None, "cache": None}}
    study = {"title": "A <study>", "summary": "What it shows."}
    spec = Spec(config, "a quick check", {"papers": study}, {})
    record = folder / "eurodist.json"
    make_data(spec, "eurodist", folder / "eurodist.npz", record)
    page, provenance = folder / "reports" / "index.html", folder / "reports" / "provenance.json"
    make_index(spec, missing, [record], page, provenance)
    return page.read_text(), json.loads(provenance.read_text())


def test_the_page_names_scale_studies_and_data(tmp_path):
    page, provenance = write(tmp_path, {})
    for words in ("smoke", "a quick check", "A &lt;study&gt;", "What it shows."):
        assert words in page
    assert registry()["eurodist"]["title"] in page and registry()["eurodist"]["homepage"] in page
    assert "RELSIM_DATA_MIRROR" not in page
    assert registry()["music"]["title"] not in page
    assert provenance["config"]["scale"] == "smoke"
    assert set(provenance["datasets"]) == {"eurodist"}
    assert provenance["datasets"]["eurodist"]["files"]["eurodist.csv"]["sha256"]


def test_the_banner_names_what_is_missing_and_the_remedy_without_local_paths(tmp_path):
    page, _ = write(tmp_path, {"music": WHY})
    for words in (registry()["music"]["title"], "no connection", "Set RELSIM_DATA_MIRROR"):
        assert words in page
    assert page.index("no connection") < page.index("Set RELSIM_DATA_MIRROR")
    assert "/home/ann" not in page
