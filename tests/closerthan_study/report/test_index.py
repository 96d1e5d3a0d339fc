"""Check the index page: used and missing items, live links, escaped text, no local path."""

import json
import re
from urllib.parse import unquote, urlsplit

import pandas as pd
import pytest
import yaml
from bs4 import BeautifulSoup

from closerthan.datasets.registry import registry
from closerthan_study.configuration import Spec
from closerthan_study.data import make_data
from closerthan_study.files import write_csv, write_json
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
ITEMS = [
    {"item": "Fig. 4", "shows": "error", "ours": ["figures/svrg_sbb/fig 4?"], "verdicts": "1 not"},
    {"item": "Fig. 5", "shows": EVIL, "ours": ["figures/svrg_sbb/later"], "verdicts": "none"},
    {
        "item": "Table 2",
        "shows": "MAP",
        "ours": ["tables/svrg_sbb/retrieval"],
        "verdicts": "2 open",
    },
]
ITEMS = [item | {"paper": "SVRG-SBB", "differs": "fewer"} for item in ITEMS]


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
        write_csv(tmp_path / "scoreboard.csv", pd.DataFrame(columns=["study", "where", "verdict"]))
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


@pytest.fixture
def reports(tmp_path):
    """Return a folder of reports with a figure and a table of one study."""
    for name in ("figures/svrg_sbb/fig 4?", "tables/svrg_sbb/retrieval", "notebooks/svrg_sbb"):
        path = tmp_path / f"{name}.json"
        path.parent.mkdir(parents=True)
        path.write_text("{}")
        path.with_suffix(".html").write_text("")
    return tmp_path


def index(folder, **changes):
    words = {
        "title": "closerthan",
        "summary": "What the papers say and what we find.",
        "pages": {"svrg_sbb": {"title": "SVRG-SBB", "summary": "Four losses."}},
        "items": pd.DataFrame(ITEMS),
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
    assert len(set(files)) == 1 + 2
    assert all((reports / unquote(urlsplit(link).path)).is_file() for link in files)
    assert not any(re.match(r"[a-z]+:|/", link) for link in files)
    assert not page.find_all("script") and not page.find_all("link") and not page.find_all("iframe")
    assert not re.search(r"url\(|@import", (reports / "index.html").read_text())


def test_each_figure_and_table_of_a_paper_leads_to_ours_if_this_run_has_it(reports):
    page = index(reports)
    figure, later, table = page.find("section", id="items").find("tbody").find_all("tr")
    assert unquote(figure.a["href"]) == "notebooks/svrg_sbb.html#figures-fig 4?"
    assert (table.a["href"], table.a.text) == ("notebooks/svrg_sbb.html#tables-retrieval", "table")
    assert later.a is None and "none" in later.text
    assert text_of(table) == "SVRG-SBB, Table 2 MAP table 2 open fewer"
    assert index(reports, items=pd.DataFrame(ITEMS[:0])).find("section", id="items") is None


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
