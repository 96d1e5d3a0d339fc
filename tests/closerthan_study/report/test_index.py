"""Check the index page: used and missing items, live links, escaped text, no local path."""

import io
import json
import re
from pathlib import Path
from urllib.parse import unquote

import PIL.Image
import pytest
import yaml
from bs4 import BeautifulSoup

from closerthan.datasets.registry import registry
from closerthan_study.configuration import Spec
from closerthan_study.data import make_data
from closerthan_study.files import write_json
from closerthan_study.fits import make_fits
from closerthan_study.report.index import make_index_page, write_index
from closerthan_study.report.provenance import provenance
from closerthan_study.trials import make_trials
from toy_study import config, write_study

EVIL = "<script>alert('x')</script>"
DRAWN = {
    "svrg_sbb": {
        "retrieval": {
            "landuse21": {"trials": 5, "objects": {"item": 1080, "query": [700, 720]}},
        }
    }
}


RANDOM = {"random": {"label": "random points", "control": "random"}}
MAP = {"task": "ordinal", "n_components": 2, "methods": RANDOM}
MAP["scales"] = {"smoke": {"trials": 1, "epochs": 1}}
EXPERIMENTS = {
    "cities": MAP
    | {"shows": "Fig. 1", "datasets": ["eurodist"]}
    | {"comparisons": {"source": "distances", "n_train": 100}},
    "answers": MAP
    | {"shows": "Fig. 3", "datasets": ["music"]}
    | {"comparisons": {"source": "people", "n_train": 0.8}},
    "points": {
        "task": "online",
        "shows": "Fig. 2",
        "datasets": ["synthetic"],
        "points": {"n_objects": 30, "n_components": 2, "variance": 1},
        "comparisons": {"source": "points", "n_train": 50, "n_test": 40},
        "methods": {"truth": {"label": "true points", "control": "truth"}},
        "scales": {"smoke": {"trials": 2, "epochs": 1}},
    },
}
WHY = """music/music_triplets.mat is not to be had:
  cache: there is no /home/ann/.cache/closerthan/music/music_triplets.mat
  mirror: there is no file:///srv/mirror/music/music_triplets.mat
  internet: https://example.org/~a/b-/c.mat: no connection
Set CLOSERTHAN_DATA_MIRROR (or data.mirror in config.yaml) to a folder that holds
music/music_triplets.mat, or put the file at /home/ann/.cache/closerthan/music/music_triplets.mat"""


@pytest.fixture
def write(tmp_path):
    """Write the index page of a run of three experiments; return it with its provenance."""

    def without(missing):
        write_study(tmp_path, EXPERIMENTS, {"ste": {"class": "STE"}})
        (tmp_path / "config" / "config.yaml").write_text(yaml.safe_dump(config(tmp_path)))
        spec = Spec(config(tmp_path), tmp_path)
        write_json(f"{spec.results}/data/missing.json", missing)
        for experiment, dataset in (("cities", "eurodist"), ("points", "synthetic")):
            stem = f"{spec.results}/data/{dataset}"
            make_data(spec, dataset, f"{stem}.npz", f"{stem}.json")
            make_trials(spec, "papers", experiment, dataset)
            make_fits(spec, "papers", experiment, dataset, 0)
        page, provenance = tmp_path / "index.html", tmp_path / "provenance.json"
        make_index_page(spec, page, provenance)
        return page.read_text(), json.loads(provenance.read_text())

    return without


def test_a_run_is_described_with_the_sizes_that_each_experiment_drew(write):
    page, record = write({"music": WHY})
    for text in ("smoke", "a quick check", "Toys", "Small.", "n_components: 2"):
        assert text in page
    assert registry()["eurodist"]["title"] in page and registry()["eurodist"]["homepage"] in page
    assert record["config"]["scale"] == "smoke"
    datasets, drawn = record["datasets"], record["drawn"]["papers"]
    assert set(datasets) == {"eurodist", "synthetic"}
    assert datasets["eurodist"]["files"]["eurodist.csv"]["sha256"]
    cities, points = drawn["cities"]["eurodist"], drawn["points"]["synthetic"]
    assert (cities["trials"], sum(cities["objects"].values())) == (1, 21)
    assert (points["trials"], sum(points["objects"].values())) == (2, 30)
    assert points["comparisons"] == {"train": 50, "test": 40}
    assert points["points"]["n_components"] == 2
    # No experiment here has the points of the station itself.
    shape = {"distances": [21, 21], "parameters": [21, 2], "object_names": [21]}
    assert datasets["eurodist"]["shape"] == shape
    assert not {"shape", "n_objects"} & set(datasets["synthetic"])
    assert "100 × 10" not in page


def test_the_banner_is_one_line_and_a_folded_list_with_the_remedy_once(write):
    page, _ = write({"music": WHY})
    banner = BeautifulSoup(page, "html.parser").find("aside")
    line, details = banner.find_all(["p", "details"], recursive=False)
    assert line.text == "1 of 3 data sets could not be had; 1 experiment is missing."
    assert not details.has_attr("open") and registry()["music"]["title"] in details.text
    assert "cache: there is no …/music_triplets.mat" in details.text
    assert "mirror: there is no …/music_triplets.mat" in details.text
    assert "internet: https://example.org/~a/b-/c.mat: no connection" in details.text
    assert page.count("Set CLOSERTHAN_DATA_MIRROR") == 1
    assert "/home/ann" not in page and "/srv" not in page


def links(page):
    return [tag[key] for tag in page.find_all() for key in ("href", "src") if tag.has_attr(key)]


def text_of(page):
    for sheet in page.find_all("style"):
        sheet.extract()
    return " ".join(page.get_text(" ").split())


def place(folder, suffixes, **words):
    """Write a figure or table like the real ones: files with one stem, and the text."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for suffix, content in suffixes.items():
        Path(f"{folder}{suffix}").write_bytes(content)
    words = {"caption": "", "order": 0, **words}
    Path(f"{folder}.json").write_text(json.dumps(words))


MADE = {"experiments": ["map"], "results": ["scores/svrg_sbb/map"], "commit": "c7be7d2"}
MADE |= {"script": "notebooks/svrg_sbb.ipynb"}


@pytest.fixture
def reports(tmp_path):
    """Return a folder of reports with one complete study."""
    png = io.BytesIO()
    PIL.Image.new("RGB", (640, 400)).save(png, "png")
    figure = {".png": png.getvalue(), ".pdf": b"%PDF"}
    figures, tables = (tmp_path / kind / "svrg_sbb" for kind in ("figures", "tables"))
    place(figures / "fig 4?", figure, title="Figure 4", caption="Error, by cost.", order=2)
    place(figures / "z_map", figure, title="Figure 3", caption=f"A map {EVIL}.", order=1)
    table = {".csv": b"loss,MAP\nste,0.333\n", ".html": b"<p>Table 2: ste <b>0.333</b></p>"}
    place(tables / "retrieval", table, title="Table 2", caption="Retrieval.")
    (tmp_path / "notebooks").mkdir()
    for suffix in (".ipynb", ".html"):
        (tmp_path / "notebooks" / f"svrg_sbb{suffix}").write_text("")
    return tmp_path


def index(folder, **changes):
    words = {
        "title": "closerthan",
        "summary": "What the papers say and what we find.",
        "sections": [{"name": "svrg_sbb", "title": "SVRG-SBB", "summary": "Four losses."}],
        "datasets": [
            {
                "title": "music",
                "status": "used",
                "shape": {"comparisons": [9090, 3], "labels": [400]},
                "dropped": ["17 triplets that name an artist twice"],
                "source": "https://example.org/music",
            }
        ],
        "banner": None,
        "provenance": provenance(
            {"scale": "smoke"}, {"music": {"sha256": "0a"}}, DRAWN, [], root=folder
        ),
    }
    write_index(folder / "index.html", **{**words, **changes})
    return BeautifulSoup((folder / "index.html").read_text(encoding="utf-8"), "html.parser")


def test_every_link_exists_and_is_relative_and_nothing_comes_from_a_network(reports):
    page = index(reports)
    local = [link for link in links(page) if not link.startswith("https://example.org")]
    anchors = [link[1:] for link in local if link.startswith("#")]
    files = [link for link in local if not link.startswith("#")]
    assert set(anchors) == {tag["id"] for tag in page.find_all(id=True)}
    assert len(set(files)) == 2 + 2 * 2 + 1
    assert all((reports / unquote(link)).is_file() for link in files)
    assert not any(re.match(r"[a-z]+:|/", link) for link in files)
    assert not page.find_all("script") and not page.find_all("link") and not page.find_all("iframe")
    assert not re.search(r"url\(|@import", (reports / "index.html").read_text())
    assert all(attrs["src"].startswith("figures/") for attrs in page.find_all("img"))


def test_index_orders_figures_and_describes_them(reports):
    page = index(reports)
    assert [attrs["alt"] for attrs in page.find_all("img")] == [f"A map {EVIL}.", "Error, by cost."]
    text = text_of(page)
    assert text.index("Figure 3") < text.index("Figure 4") < text.index("Table 2")
    assert "ste 0.333" in text
    assert "could not be had" not in text


def test_index_leads_to_what_a_figure_was_made_from(reports):
    path = reports / "figures" / "svrg_sbb" / "z_map.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"made": MADE}))
    page = index(reports)
    assert "../scores/svrg_sbb/map" in links(page)
    made = "experiment map; scores/svrg_sbb/map ; notebooks/svrg_sbb.ipynb; commit c7be7d2"
    assert f"Made from {made}" in text_of(page)


def test_index_says_what_is_known_of_the_data_and_what_was_drawn(reports):
    text = text_of(index(reports))
    assert "comparisons: 9090 × 3, labels: 400" in text
    assert "17 triplets that name an artist twice" in text
    assert "none stated" in text
    assert "scale" in text and "smoke" in text
    assert "svrg_sbb retrieval landuse21 5 item: 1,080, query: 700 to 720 – –" in text


def test_index_escapes_what_comes_from_files(reports):
    drawn = {EVIL: {EVIL: {EVIL: {"trials": 1, "objects": {EVIL: 1}}}}}
    hostile = {"title": EVIL, "status": EVIL, "shape": {EVIL: EVIL}, "source": "javascript:alert()"}
    page = index(
        reports,
        title=EVIL,
        datasets=[hostile],
        banner={"summary": EVIL, "missing": [{"title": EVIL, "tried": [EVIL]}], "remedy": EVIL},
        provenance=provenance({EVIL: EVIL}, {EVIL: {}}, drawn, [{EVIL: EVIL}], root=reports),
    )
    assert not page.find_all("script")
    assert not any(link.startswith("javascript") for link in links(page))
    assert text_of(page).count("alert('x')") >= 10
